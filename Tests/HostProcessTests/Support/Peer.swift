import Foundation
import OffstageJSON

/// The fixture as a child process, and its other side: bytes in, lines out.
///
/// Whatever it waits for, it waits for the event itself. The bound on each wait trips only where the
/// program under test hangs; the child is then killed, and the test fails.
final class Peer {
  let process: pid_t
  private(set) var input: Int32
  private(set) var output: Int32
  /// Its other end is closed by the end of the child, so that this end can be waited for.
  private let lifeline: Int32
  private let scratch: Scratch
  var lines = LineBuffer()
  private var status: Status?

  /// Starts the fixture.
  /// - Parameters:
  ///   - ignored: a signal that it is told to ignore, without its `SIG`.
  ///   - stdin: what it reads from.
  ///   - stdout: what it writes to.
  init(
    _ arguments: [String] = [], ignoring ignored: String? = nil, stdin: Spawn.Stream = .pipe,
    stdout: Spawn.Stream = .pipe
  ) throws {
    // Writing to a program that has ended is an error to report, not a reason to die.
    signal(SIGPIPE, SIG_IGN)
    scratch = try Scratch()
    let command = [Fixture.path] + arguments
    let shell = ignored.map { ["/bin/sh", "-c", "trap '' \($0); exec \"$0\" \"$@\""] } ?? []
    let spawned = try Spawn(
      shell + command, stdin: stdin, stdout: stdout, stderr: .file(scratch.file("stderr")))
    process = spawned.process
    input = spawned.input
    output = spawned.output
    lifeline = spawned.lifeline
  }

  /// Starts the fixture with one of its screens alone.
  convenience init(root: String, _ arguments: [String] = []) throws {
    try self.init(["--root", root] + arguments)
  }

  deinit {
    if status == nil {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
    for descriptor in [input, output, lifeline] where descriptor >= 0 { close(descriptor) }
  }

  func closeInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  /// Stops listening.
  func closeOutput() {
    if output >= 0 { close(output) }
    output = -1
  }

  func deliver(_ signal: Int32) { kill(process, signal) }

  // MARK: The end

  /// Ends the child's input, and waits for the child's own end.
  func finish() throws -> Ending {
    closeInput()
    return try end()
  }

  /// Waits for the child's end; its input stays as it is.
  func end() throws -> Ending {
    var rest: [String] = []
    while let line = try line() { rest.append(line) }
    return try end(after: rest)
  }

  /// Waits for the child's end, and reads nothing any more.
  func endUnread() throws -> Ending { try end(after: []) }

  private func end(after rest: [String]) throws -> Ending {
    _ = try wait(reading: lifeline, "the end of the child")
    var code: Int32 = 0
    waitpid(process, &code, 0)
    let status = Status(code)
    self.status = status
    return Ending(lines: rest, status: status, complaints: try scratch.text("stderr"))
  }

  // MARK: Waiting

  /// Reads what there is.
  func takeIn() {
    if !lines.fill(from: output) { closeOutput() }
  }

  /// - Throws: `PeerError` where nothing happens for so long that nothing will.
  func wait(
    reading: Int32, writing: Int32 = -1, _ what: String
  ) throws -> (reading: Bool, writing: Bool) {
    var waits = [
      pollfd(fd: reading, events: Int16(POLLIN), revents: 0),
      pollfd(fd: writing, events: Int16(POLLOUT), revents: 0),
    ]
    let patience: Int32 = 30_000
    var count: Int32
    repeat { count = poll(&waits, 2, patience) } while count < 0 && errno == EINTR
    guard count > 0 else { throw PeerError("waited in vain for \(what)") }
    return (waits[0].revents != 0, waits[1].revents != 0)
  }

  /// Whether something is possible, or will be without any doing of ours.
  func comes(_ event: Int16, of descriptor: Int32) throws -> Bool {
    for _ in 0..<300 {
      // In this order: what a child that rests has not done yet, it is not going to do. Where the
      // system does not tell, one that has done nothing for a second rests.
      let isResting = ProcessState.isResting(process)
      let patience: Int32 =
        switch isResting {
        case true?: 0
        case false?: 100
        case nil: 1000
        }
      var waits = pollfd(fd: descriptor, events: event, revents: 0)
      if poll(&waits, 1, patience) > 0 { return true }
      if isResting != false { return false }
    }
    throw PeerError("the child does not come to rest")
  }
}
