import Foundation
import OffstageJSON
import TestSupport

/// The fixture as a child process.
///
/// It waits for events, never for time. If a wait takes too long, the program under test hangs: the
/// child is killed, and the test fails.
final class Peer {
  let process: pid_t
  private(set) var input: Int32
  private(set) var output: Int32
  /// A pipe that reaches its end when the child ends.
  private let lifeline: Int32
  private let scratch: Scratch
  var lines = LineBuffer()
  private var status: Status?

  /// Starts the fixture.
  /// - Parameters:
  ///   - shell: shell commands that run in the child's process before it starts.
  ///   - stdin: the child's standard input.
  ///   - stdout: the child's standard output.
  ///   - program: the path of the fixture.
  init(
    _ arguments: [String] = [], after shell: String? = nil, stdin: Spawn.Stream = .pipe,
    stdout: Spawn.Stream = .pipe, program: String = Fixture.path
  ) throws {
    // Writing to a program that has ended must return an error, not end this process.
    signal(SIGPIPE, SIG_IGN)
    scratch = try Scratch()
    let command = [program] + arguments
    let shell = shell.map { ["/bin/sh", "-c", "\($0); exec \"$0\" \"$@\""] } ?? []
    let spawned = try Spawn(
      shell + command, stdin: stdin, stdout: stdout, stderr: .file(scratch.file("stderr")))
    process = spawned.process
    input = spawned.input
    output = spawned.output
    lifeline = spawned.lifeline
  }

  /// Starts the fixture with only one of its screens.
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

  /// Closes this end of the child's output.
  func closeOutput() {
    if output >= 0 { close(output) }
    output = -1
  }

  func deliver(_ signal: Int32) { kill(process, signal) }

  /// Stops the child until `SIGCONT`.
  func suspend() throws {
    deliver(SIGSTOP)
    guard waitpid(process, nil, WUNTRACED) == process else { throw PeerError("waitpid", errno) }
  }

  // MARK: The end

  /// Closes the child's input and waits for its end.
  func finish() throws -> Ending {
    closeInput()
    return try end()
  }

  /// Waits for the child's end without closing its input.
  func end() throws -> Ending {
    var rest: [String] = []
    while let line = try line() { rest.append(line) }
    return try end(after: rest)
  }

  /// Waits for the child's end without reading its output.
  func endUnread() throws -> Ending { try end(after: []) }

  private func end(after rest: [String]) throws -> Ending {
    _ = try wait(reading: lifeline, "the end of the child")
    var code: Int32 = 0
    waitpid(process, &code, 0)
    let status = Status(code)
    self.status = status
    return Ending(lines: rest, status: status, errors: try scratch.text("stderr"))
  }

  // MARK: Waiting

  /// Reads once.
  func takeIn() {
    let count = lines.fill(from: output)
    if count == 0 || count < 0 && errno != EAGAIN && errno != EINTR { closeOutput() }
  }

  /// - Throws: `PeerError` after 30 seconds.
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

  /// Returns false if an event will not happen because the child is idle.
  func comes(_ event: Int16, of descriptor: Int32) throws -> Bool {
    for _ in 0..<300 {
      // The order matters: an idle child does nothing more, so poll after this check. If the system
      // cannot tell, a child that does nothing for a second counts as idle.
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

/// Receiving.
extension Peer {
  /// Returns the next line; nil at the end.
  func line() throws -> String? {
    while true {
      if let line = lines.next() { return String(decoding: line, as: UTF8.self) }
      guard output >= 0 else { return nil }
      _ = try wait(reading: output, "a line")
      takeIn()
    }
  }

  /// Waits for output and does not read it.
  func waitForOutput() throws { _ = try wait(reading: output, "output") }

  /// Returns false if the child is idle and has no more output.
  func saysMore() throws -> Bool { try comes(Int16(POLLIN), of: output) }

  /// Returns the next bytes as they are; nil at the end.
  func chunk() throws -> [UInt8]? {
    guard output >= 0 else { return nil }
    _ = try wait(reading: output, "bytes")
    takeIn()
    return output < 0 ? nil : lines.takeAll()
  }

  /// Sends a request and reads everything up to its response.
  /// - Returns: the lines, the response last.
  func ask(_ request: Request) throws -> [JSON] {
    try send(request.text)
    return try lines(upTo: request.id)
  }

  /// Reads everything up to the next notification of a method, and returns that.
  func next(_ method: JSON) throws -> JSON {
    while let line = try line() {
      let message = try JSON(parsing: line)
      if message["method"] == method { return message }
    }
    throw PeerError("the output ended without \(method)")
  }

  /// Reads everything up to the response to a request.
  func lines(upTo id: JSON) throws -> [JSON] {
    var found: [JSON] = []
    while let line = try line() {
      found.append(try JSON(parsing: line))
      if found.last?["id"] == id { return found }
    }
    throw PeerError("the output ended without a response to \(id)")
  }
}

/// Sending.
extension Peer {
  /// Sends lines in one piece while reading.
  func send(_ lines: String...) throws { try send(Array(lines.map { $0 + "\n" }.joined().utf8)) }

  /// Sends bytes while reading.
  func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let ready = try wait(reading: output, writing: input, "room for \(rest.count) bytes")
      if ready.reading { takeIn() }
      if ready.writing { rest = rest.dropFirst(try offer(rest)) }
    }
  }

  /// Writes as much as the child's input accepts at once.
  /// - Returns: the number of bytes written.
  func offer(_ bytes: ArraySlice<UInt8>) throws -> Int {
    let count = bytes.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
    guard count >= 0 || errno == EAGAIN || errno == EINTR else { throw PeerError("write", errno) }
    return max(count, 0)
  }

  /// Returns false if the child is idle and its input is full.
  func takesMore() throws -> Bool { try comes(Int16(POLLOUT), of: input) }

  /// Waits until the child has read everything, so that the next bytes arrive separately.
  func waitUntilRead() throws {
    let end = ContinuousClock.now + .seconds(30)
    var pending: Int32 = 0
    repeat {
      guard ioctl(input, Self.countUnread, &pending) == 0 else { throw PeerError("ioctl", errno) }
      guard ContinuousClock.now < end else { throw PeerError("the child does not read") }
      sched_yield()
    } while pending > 0
  }

  #if canImport(Darwin)
    // FIONREAD, a macro that Swift does not import on this platform.
    private static let countUnread: UInt = 0x4004_667F
  #else
    private static let countUnread = UInt(FIONREAD)
  #endif
}

/// The result of a child that has ended.
struct Ending {
  /// The rest of its output.
  let lines: [String]
  let status: Status
  /// Its standard error.
  let errors: String
}

/// The status that `waitpid` returns.
enum Status: Hashable {
  case exited(Int32)
  case killed(by: Int32)

  init(_ code: Int32) {
    let signal = code & 0x7F
    self = signal == 0 ? .exited((code >> 8) & 0xFF) : .killed(by: signal)
  }
}

/// A failure of the test harness.
struct PeerError: Error, CustomStringConvertible {
  let description: String

  init(_ what: String) { description = what }

  /// - Parameter code: an `errno`.
  init(_ what: String, _ code: Int32) {
    description = "\(what): \(String(cString: strerror(code)))"
  }
}

/// Facts about a running process, from `/proc`.
enum ProcessState {
  /// - Returns: the peak of the process's resident memory in bytes; nil without `/proc`.
  static func peakMemory(of process: pid_t) -> Int? {
    field("VmHWM", of: process).flatMap { Int($0.filter(\.isNumber)) }.map { $0 << 10 }
  }

  /// - Returns: true if the main thread sleeps; nil without `/proc`.
  static func isResting(_ process: pid_t) -> Bool? {
    field("State", of: process)?.hasPrefix("S")
  }

  private static func field(_ name: String, of process: pid_t) -> String? {
    let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix(name + ":") }
    return line?.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
  }
}
