import OffstageSystem
import TestSupport

/// A conversation with a running program, line by line. It reuses its buffer, so that the benchmark
/// measures the other side and not itself.
final class Dialogue {
  /// The output of an exchange, without its response.
  struct Exchange {
    var frames = 0
    /// The bytes of the last frame, without its LF.
    var frameBytes = 0
  }

  private let child: Child

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

  /// Sends a request and reads up to its response and a frame, whichever comes last.
  func exchangeWithFrame(_ line: [UInt8]) throws -> Exchange {
    var exchange = try exchange(line)
    while exchange.frames == 0 {
      let line = try nextLine()
      guard Reply(line) == .frame else {
        throw BenchError.unexpected(String(decoding: line, as: UTF8.self))
      }
      exchange = Exchange(frames: 1, frameBytes: line.count)
    }
    return exchange
  }

  /// Sends requests at once, and reads up to the last of their responses.
  func exchange(_ requests: [UInt8], count: Int) throws {
    try child.write(requests)
    var rest = count
    while rest > 0 {
      let line = try nextLine()
      switch Reply(line) {
      case .frame: continue
      case .response: rest -= 1
      case .failure: throw BenchError.unexpected(String(decoding: line, as: UTF8.self))
      }
    }
  }

  /// The resident memory of the program in bytes; nil on a system that does not tell.
  var memory: Double? { residentMemory(of: child.id).map(Double.init) }

  /// Sends lines, and returns a number of lines of the answer.
  func lines(_ lines: [UInt8], count: Int) throws -> [[UInt8]] {
    try child.write(lines)
    return try (0..<count).map { _ in Array(try nextLine()) }
  }

  /// Sends a line and reads any line.
  func echo(_ line: [UInt8]) throws {
    try child.write(line)
    let reply = try nextLine()
    guard reply.count == line.count - 1 else { throw BenchError.unexpected("a changed echo") }
  }

  /// Lets Neovim evaluate an expression whose value, a line break, ends the answer.
  func evaluateLineBreak() throws {
    try child.write(Request.neovim)
    // The type, the id, no error, and the start of the string.
    guard try nextLine().count == 5 else { throw BenchError.unexpected("an error of Neovim") }
  }

  /// Sends a request, and returns the lines up to and including its response.
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
    try child.pour(input) { tally.count($0) }
    return tally
  }

  /// Closes the program's input and waits for the program to end.
  func close() {
    _ = try? child.end()
  }

  private func nextLine() throws -> UnsafeRawBufferPointer {
    guard let line = try child.nextLine() else { throw BenchError.unexpected("end of output") }
    return line
  }
}

/// The number of lines of each kind.
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

/// The kind of an output line, recognized by its first bytes, so that the benchmark spends no time
/// on parsing. The core and its peers write members in this order. Any other order stops the
/// benchmark, instead of distorting it.
enum Reply {
  case frame
  case response
  case failure

  init(_ line: UnsafeRawBufferPointer) {
    let start = "{\"jsonrpc\":\"2.0\",".utf8.count
    if Self.has("\"method\":\"frame\"", in: line, at: start) {
      self = .frame
    } else if Self.has("\"id\":", in: line, at: start),
      let comma = line[(start + 1)...].firstIndex(of: UInt8(ascii: ",")),
      Self.has("\"result\":", in: line, at: comma + 1)
    {
      self = .response
    } else {
      self = .failure
    }
  }

  private static func has(
    _ text: StaticString, in line: UnsafeRawBufferPointer, at offset: Int
  ) -> Bool {
    guard line.count >= offset + text.utf8CodeUnitCount else { return false }
    return memcmp(line.baseAddress! + offset, text.utf8Start, text.utf8CodeUnitCount) == 0
  }
}

/// The lines that the benchmark sends, created before the clock starts.
enum Request {
  enum Value {
    case string(String)
    case number(Int)
  }

  static let initialize = Array(
    #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol":1,"append":true}}"#.utf8
      + [newline])

  /// The request 1 to `nvim_eval` of `"\n"` in MessagePack.
  static let neovim =
    [0x94, 0, 1, 0xa9] + Array("nvim_eval".utf8) + [0x91, 0xa4] + Array(#""\n""#.utf8)

  static func input(_ id: Int, _ name: String, _ value: Value?, screen: Int = 1) -> [UInt8] {
    let member =
      switch value {
      case .string(let text): ",\"value\":\"\(text)\""
      case .number(let number): ",\"value\":\(number)"
      case nil: ""
      }
    return call(id, "input", "{\"screen\":\"\(screen)\",\"name\":\"\(name)\"\(member)}")
  }

  static func call(_ id: Int, _ method: String, _ params: String) -> [UInt8] {
    let line = "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"\(method)\",\"params\":\(params)}\n"
    return Array(line.utf8)
  }
}

let newline = UInt8(ascii: "\n")
