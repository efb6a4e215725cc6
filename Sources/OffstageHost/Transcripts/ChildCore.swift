internal import OffstageJSON
internal import OffstageRPC
internal import OffstageSystem

/// A core in a child process. Lines are written to it without blocking, and read as they arrive.
final class ChildCore {
  let process: ChildProcess
  private var output: LineInput
  private var unsent = OutputQueue()
  private var inputIsOpen = true
  private var endsInput = false
  private var outputIsOpen = true
  /// True at the end of its output.
  private(set) var hasEnded = false
  /// The result of `wait`; nil until it has been called.
  private var end: Result<ProcessEnd, FileError>?

  init(_ process: ChildProcess) {
    signal(SIGPIPE, SIG_IGN)
    self.process = process
    output = LineInput(process.output)
  }

  var hasUnsent: Bool { !unsent.isEmpty && inputIsOpen }

  /// Sends lines, or a part of one.
  func send(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { unsent.writer.bytes.append(contentsOf: $0) }
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
  func read(_ body: (String) -> Void) {
    output.read()
    hasEnded = hasEnded || output.hasEnded
    while let line = output.nextText() { body(line) }
  }

  /// Closes the pipes, which ends a core.
  func close() {
    closeInput()
    if outputIsOpen { systemClose(process.output) }
    outputIsOpen = false
    hasEnded = true
  }

  func wait() throws(FileError) -> ProcessEnd {
    let end = end ?? Result { () throws(FileError) in try process.wait() }
    self.end = end
    return try end.get()
  }

  /// Kills the process, unless it has already been waited for.
  func abandon() {
    guard end == nil else { return }
    kill(process.id, SIGKILL)
    close()
    _ = try? wait()
  }

  private func closeInput() {
    if inputIsOpen { systemClose(process.input) }
    inputIsOpen = false
  }
}
