internal import OffstageJSON
internal import OffstageRPC
internal import OffstageSystem

/// A core that a relay has started.
final class WatchedCore {
  let process: ChildProcess
  @exclusivity(unchecked) private var reader = LineReader(limit: 1 << 30)
  @exclusivity(unchecked) private var queue = RelayQueue()
  private var chunk = [UInt8](repeating: 0, count: 1 << 16)
  private var inputIsOpen = true
  private var endsInput = false
  private var outputIsOpen = true
  /// True at the end of its output.
  private(set) var hasEnded = false

  init(_ path: String, _ arguments: [String]) throws(FileError) {
    setenv(Watch.variable, "1", 1)
    defer { unsetenv(Watch.variable) }
    process = try ChildProcess(path, arguments, ownsSession: true)
  }

  /// True if it reads more slowly than it is written to.
  var isBehind: Bool { queue.isBehind }

  var inputEvents: Int16 { queue.isEmpty || !inputIsOpen ? 0 : Int16(POLLOUT) }

  func send(_ bytes: [UInt8]) {
    queue.append(bytes)
    flush()
  }

  /// Ends its input once everything is written.
  func endInput() {
    endsInput = true
    flush()
  }

  func flush() {
    guard inputIsOpen else { return }
    let isOpen = queue.flush(to: process.input)
    if !isOpen || queue.isEmpty && endsInput { closeInput() }
  }

  /// Reads once, and calls `body` with each line.
  func read(_ body: (UnsafeRawBufferPointer) -> Void) {
    let count = chunk.withUnsafeMutableBytes { systemRead(process.output, $0) }
    if count > 0 {
      chunk.withUnsafeBytes { reader.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    } else if count == 0 || !Descriptor.shouldRetry {
      hasEnded = true
    }
    while let line = reader.next() {
      guard case .text(let range, _) = line else { continue }
      reader.withBytes(of: range, body)
    }
  }

  /// Ends a core that is not needed any more.
  func retire() {
    kill(process.id, SIGTERM)
    close()
  }

  /// Closes the pipes, which ends a core.
  func close() {
    closeInput()
    if outputIsOpen { systemClose(process.output) }
    outputIsOpen = false
    hasEnded = true
  }

  private func closeInput() {
    if inputIsOpen { systemClose(process.input) }
    inputIsOpen = false
  }
}

/// Bytes that wait until a pipe takes them.
struct RelayQueue: ~Copyable {
  private var bytes = ByteBuffer()
  private var sent = 0

  var isEmpty: Bool { sent == bytes.count }
  var isBehind: Bool { bytes.count - sent > 1 << 20 }

  mutating func append(_ line: [UInt8]) { line.withUnsafeBytes { bytes.append(contentsOf: $0) } }

  mutating func append(_ line: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: line)
    bytes.append(0x0A)
  }

  /// Writes as much as the pipe takes.
  /// - Returns: false if its reader is gone.
  mutating func flush(to descriptor: Int32) -> Bool {
    while !isEmpty {
      let count = bytes.withUnsafeBytes {
        systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: $0[sent...]))
      }
      guard count > 0 else {
        let isOpen = Descriptor.shouldRetry
        if sent > 1 << 20 { trim() }
        return isOpen
      }
      sent += count
    }
    bytes.removeAll(keeping: 1 << 20)
    sent = 0
    return true
  }

  private mutating func trim() {
    bytes.removeFirst(sent)
    sent = 0
  }
}
