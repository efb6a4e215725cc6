import Foundation
import OffstageJSON
import TestSupport

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
    return Ending(lines: rest, status: status, errors: try scratch.text("stderr"))
  }

  // MARK: Waiting

  /// Reads what there is.
  func takeIn() {
    let count = lines.fill(from: output)
    if count == 0 || count < 0 && errno != EAGAIN && errno != EINTR { closeOutput() }
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

/// From the child.
extension Peer {
  /// The next line; nil at the end.
  func line() throws -> String? {
    while true {
      if let line = lines.next() { return String(decoding: line, as: UTF8.self) }
      guard output >= 0 else { return nil }
      _ = try wait(reading: output, "a line")
      takeIn()
    }
  }

  /// Waits until there is something to read, and leaves it there.
  func waitForOutput() throws { _ = try wait(reading: output, "output") }

  /// Whether the child says more: false once there is nothing to read while the child rests.
  func saysMore() throws -> Bool { try comes(Int16(POLLIN), of: output) }

  /// Takes the next bytes as they are; nil at the end.
  func chunk() throws -> [UInt8]? {
    guard output >= 0 else { return nil }
    _ = try wait(reading: output, "bytes")
    takeIn()
    return output < 0 ? nil : lines.takeAll()
  }

  /// Sends a request and takes everything up to its response.
  /// - Returns: what came, the response last.
  func ask(_ request: Request) throws -> [JSON] {
    try send(request.text)
    return try lines(upTo: request.id)
  }

  /// Takes everything up to the response to a request.
  func lines(upTo id: JSON) throws -> [JSON] {
    var found: [JSON] = []
    while let line = try line() {
      found.append(try JSON(parsing: line))
      if found.last?["id"] == id { return found }
    }
    throw PeerError("the output ended without a response to \(id)")
  }
}

/// To the child.
extension Peer {
  /// Sends whole lines, in one piece, and takes in what comes meanwhile.
  func send(_ lines: String...) throws { try send(Array(lines.map { $0 + "\n" }.joined().utf8)) }

  /// Sends bytes, and takes in what comes meanwhile.
  func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let ready = try wait(reading: output, writing: input, "room for \(rest.count) bytes")
      if ready.reading { takeIn() }
      if ready.writing { rest = rest.dropFirst(try offer(rest)) }
    }
  }

  /// Writes as much as the child's input takes at once.
  /// - Returns: how many bytes that was.
  func offer(_ bytes: ArraySlice<UInt8>) throws -> Int {
    let count = bytes.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
    guard count >= 0 || errno == EAGAIN || errno == EINTR else { throw PeerError("write", errno) }
    return max(count, 0)
  }

  /// Whether the child's input takes more: false once it is full while the child rests.
  func takesMore() throws -> Bool { try comes(Int16(POLLOUT), of: input) }

  /// Waits until the child has read all that was sent: then the next bytes come separately.
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
    // FIONREAD, a macro that Swift does not import there.
    private static let countUnread: UInt = 0x4004_667F
  #else
    private static let countUnread = UInt(FIONREAD)
  #endif
}

/// How a child has ended.
struct Ending {
  /// What it had still to say.
  let lines: [String]
  let status: Status
  /// All that it wrote to standard error.
  let errors: String
}

/// What `waitpid` tells.
enum Status: Hashable {
  case exited(Int32)
  case killed(by: Int32)

  init(_ code: Int32) {
    let signal = code & 0x7F
    self = signal == 0 ? .exited((code >> 8) & 0xFF) : .killed(by: signal)
  }
}

/// Why a test cannot go on.
struct PeerError: Error, CustomStringConvertible {
  let description: String

  init(_ what: String) { description = what }

  /// - Parameter code: an `errno`.
  init(_ what: String, _ code: Int32) {
    description = "\(what): \(String(cString: strerror(code)))"
  }
}

/// What the system tells of a running process.
enum ProcessState {
  /// - Returns: the most memory that was ever resident, in bytes; nil where the system does not tell.
  static func peakMemory(of process: pid_t) -> Int? {
    field("VmHWM", of: process).flatMap { Int($0.filter(\.isNumber)) }.map { $0 << 10 }
  }

  /// - Returns: whether its main thread waits for something; nil where the system does not tell.
  static func isResting(_ process: pid_t) -> Bool? {
    field("State", of: process)?.hasPrefix("S")
  }

  private static func field(_ name: String, of process: pid_t) -> String? {
    let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix(name + ":") }
    return line?.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
  }
}
