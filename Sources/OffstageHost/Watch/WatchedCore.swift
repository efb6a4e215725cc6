internal import OffstageJSON
internal import OffstageRPC
internal import OffstageSystem

/// A core that a relay has started.
final class WatchedCore {
  let process: ChildProcess
  private var output: LineInput
  private var unsent = OutputQueue()
  private var inputIsOpen = true
  private var endsInput = false
  private var outputIsOpen = true
  /// True at the end of its output.
  private(set) var hasEnded = false
  private var end: ProcessEnd?

  init(_ path: String, _ arguments: [String]) throws(FileError) {
    signal(SIGPIPE, SIG_IGN)
    process = try ChildProcess(
      path, arguments, adding: ["\(Watch.variable)=1"], ownsSession: true)
    output = LineInput(process.output)
  }

  /// True if it reads more slowly than it is written to.
  var isBehind: Bool { unsent.isBehind }

  /// True if lines wait until it reads.
  var hasUnsent: Bool { !unsent.isEmpty && inputIsOpen }

  func send(_ line: [UInt8]) {
    unsent.write(line)
    flush()
  }

  func send(_ lines: [JSON]) {
    for line in lines { unsent.line { $0.json(line) } }
    flush()
  }

  /// Ends its input once everything is written.
  func endInput() {
    endsInput = true
    flush()
  }

  func flush() {
    guard inputIsOpen else { return }
    let isOpen = unsent.flush(to: process.input)
    if !isOpen || unsent.isEmpty && endsInput { closeInput() }
  }

  /// Reads once, and calls `body` with each line.
  func read(_ body: ([UInt8]) -> Void) {
    output.read()
    hasEnded = hasEnded || output.hasEnded
    // An incomplete last line must not reach the front end.
    while !hasEnded, let line = output.next() { body(line) }
  }

  /// Ends a core that is no longer needed.
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

  /// Waits for its end.
  func wait() throws(FileError) -> ProcessEnd {
    if let end { return end }
    let end = try process.wait()
    self.end = end
    return end
  }

  private func closeInput() {
    if inputIsOpen { systemClose(process.input) }
    inputIsOpen = false
  }
}
