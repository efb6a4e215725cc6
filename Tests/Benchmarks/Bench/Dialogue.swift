import OffstageSystem

/// A conversation with a started program, line by line. Its buffer is kept between the lines, so
/// that the benchmark measures the other side and not itself.
final class Dialogue {
  /// What an exchange brought besides its response.
  struct Exchange {
    var frames = 0
    /// Bytes of the last frame, its LF left out.
    var frameBytes = 0
  }

  private let child: Child
  private var buffer = LineBuffer()

  init(_ child: Child) {
    self.child = child
  }

  /// Sends a request and reads up to and including its response.
  func exchange(_ line: [UInt8]) throws -> Exchange {
    try child.write(line)
    var exchange = Exchange()
    while true {
      let line = try nextLine()
      switch Reply(line) {
      case .frame:
        exchange.frames += 1
        exchange.frameBytes = line.count
      case .response: return exchange
      case .failure: throw BenchError.unexpected(String(decoding: line, as: UTF8.self))
      }
    }
  }

  /// Sends a line and reads one line, whatever it is.
  func echo(_ line: [UInt8]) throws {
    try child.write(line)
    let reply = try nextLine()
    guard reply.count == line.count - 1 else { throw BenchError.unexpected("a changed echo") }
  }

  /// The lines that a request brings, its response last.
  func lines(for request: [UInt8]) throws -> [[UInt8]] {
    try child.write(request)
    var lines: [[UInt8]] = []
    while true {
      let line = try nextLine()
      lines.append(Array(line))
      if Reply(line) != .frame { return lines }
    }
  }

  /// Writes everything and closes the input, while reading to the end of the output.
  func pour(_ input: [UInt8]) throws -> Tally {
    var tally = Tally()
    defer { close() }
    try child.pour(input, into: &buffer) { buffer in
      while let line = buffer.next() { tally.count(line) }
    }
    return tally
  }

  /// Ends the program's input and waits for its end.
  func close() {
    child.close()
  }

  private func nextLine() throws -> UnsafeRawBufferPointer {
    while true {
      if let line = buffer.next() { return line }
      guard try child.read(into: &buffer) else { throw BenchError.unexpected("end of output") }
    }
  }
}

/// How many lines of each sort there were.
struct Tally {
  private(set) var frames = 0
  private(set) var responses = 0

  mutating func count(_ line: UnsafeRawBufferPointer) {
    switch Reply(line) {
    case .frame: frames += 1
    case .response: responses += 1
    case .failure: break
    }
  }
}
