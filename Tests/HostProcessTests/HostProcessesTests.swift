import Foundation
import OffstageJSON
import OffstageSystem
import TestSupport
import Testing

/// Sessions that several processes share.
extension HostProcessTests.ManySessions {
  private func start(_ count: Int) throws -> Peer { try start(["--processes", "\(count)"]) }

  private func status(of process: Int) throws -> JSON {
    let request = Request(1, "host/status", ["process": .int(process)])
    return try Caller(socket).ask(request)["result"] ?? .null
  }

  /// The ids of the processes that the first one has started.
  private func workers(of host: Peer) throws -> [pid_t] {
    let listing = try ChildProcess("/bin/ps", ["-o", "pid=", "--ppid", "\(host.process)"]).finish()
    return listing.output.split(whereSeparator: \.isWhitespace).compactMap { pid_t($0) }.sorted()
  }

  @Test func eachProcessHasAPartOfTheSessions() throws {
    let host = try start(3)
    let callers = try (0..<9).map { try begin("text \($0)") }
    // Each gets the next connection that names no visitor.
    for process in 1...3 { #expect(try status(of: process)["sessions"] == 3) }
    for (number, caller) in callers.enumerated() {
      caller.leave()
      let next = try resume(caller)
      #expect(next.session == caller.session)
      // It was in memory, so that there is no frame.
      #expect(next.replica.revision == 2)
      #expect(next.replica.output("text")?.string == "text \(number)")
    }
    try end(host)
    #expect(try callers.allSatisfy { try files(of: $0) == ["state.json"] })
  }

  @Test func theSessionsOfAVisitorAreInOneProcess() throws {
    let host = try start(3)
    let callers = try (0..<6).map { _ in try Caller(socket) }
    for caller in callers { try caller.begin(visitor: "kim") }
    let counts = try (1...3).map { try status(of: $0)["sessions"]?.int ?? -1 }
    #expect(counts.sorted() == [0, 0, 6])
    try end(host)
  }

  @Test func anotherNumberOfProcessesFindsTheSessions() throws {
    let first = try start(2)
    let callers = try (0..<8).map { try begin("text \($0)") }
    try end(first)
    for count in [1, 5] {
      let host = try start(count)
      for (number, caller) in callers.enumerated() {
        let next = try resume(caller)
        #expect(next.session == caller.session)
        #expect(next.replica.output("text")?.string == "text \(number)")
      }
      try end(host)
    }
  }

  @Test func aProcessThatDiesStartsAgainAndTheOthersGoOn() throws {
    let host = try start(2)
    let callers = try (0..<4).map { try begin("text \($0)") }
    let killed = try #require(try workers(of: host).first)
    kill(killed, SIGKILL)
    // Connections are given to the processes in turn.
    for caller in [callers[0], callers[2]] { #expect(try caller.line() == nil) }
    for caller in [callers[1], callers[3]] {
      try caller.ask(.input(2, "text", "on"))
      #expect(caller.replica.output("count") == 2)
    }
    for (number, caller) in callers.enumerated() where number.isMultiple(of: 2) {
      let next = try reconnect(caller)
      #expect(next.session == caller.session)
      #expect(next.replica.output("text")?.string == "text \(number)")
    }
    try end(
      host,
      errors: "host-fixture: host: process 1 has ended killed by signal 9; it starts again\n")
  }

  /// Connects again as long as the connection ends at once: the first process may still have given it to
  /// the one that has died.
  private func reconnect(_ caller: Caller) throws -> Caller {
    for _ in 0..<10 {
      if let next = try? resume(caller) { return next }
    }
    return try resume(caller)
  }

  @Test func aFirstLineInPiecesTakesThoseAfterItAlong() throws {
    let host = try start(2)
    let caller = try begin("a")
    caller.leave()
    let next = try Caller(socket)
    next.replica = caller.replica
    let hello = Request(
      1, "initialize",
      ["protocol": 1, "resume": ["session": .string(caller.session), "revision": 2]])
    let lines = [hello, .input(2, "text", "b"), .input(3, "text", "c")].map { $0.text + "\n" }
    let bytes = Array(lines.joined().utf8)
    for piece in [bytes[..<10], bytes[10..<bytes.count - 5], bytes[(bytes.count - 5)...]] {
      #expect(piece.withUnsafeBytes { write(next.descriptor, $0.baseAddress, $0.count) } > 0)
    }
    while let line = try next.line() {
      try next.replica.take(line)
      if line["id"] == 3 { break }
    }
    #expect(next.replica.output("count") == 3)
    try end(host)
  }

  @Test func theStatusHasALineForEachProcess() throws {
    let host = try start(2)
    _ = try begin("a")
    let printed = try Peer(["host", "--status", "--listen", "unix:\(socket)"]).end().lines
    let statuses = try printed.map { try JSON(parsing: $0) }
    #expect(statuses.count == 2)
    #expect(statuses.allSatisfy { $0["processes"] == 2 })
    for wrong in [0, 3] {
      let request = Request(1, "host/status", ["process": .int(wrong)])
      let error = try Caller(socket).ask(request)["error"]
      #expect(
        error?["message"] == "Invalid params: /process takes an integer from 1 to 2")
    }
    try end(host)
  }

  @Test func theProcessesEndWithTheFirstOne() throws {
    let host = try start(2)
    let callers = try (0..<4).map { try begin("text \($0)") }
    host.deliver(SIGKILL)
    _ = try host.end()
    // Each parks its sessions.
    for caller in callers { #expect(try caller.line() == nil) }
    let next = try self.start([])
    for caller in callers { #expect(try resume(caller).session == caller.session) }
    try end(next)
  }

  @Test(arguments: [
    ("0", 2, "--processes takes an integer from 1 to 256, not \"0\"; see host-fixture --help"),
    ("x/2", 2, "--processes takes an integer from 1 to 256, not \"x/2\"; see host-fixture --help"),
  ])
  func anImpossibleNumberIsRefused(_ text: String, _ status: Int32, _ message: String) throws {
    let end = try Peer(["host", "--listen", "unix:\(socket)", "--processes", text]).end()
    #expect(end.status == .exited(status))
    #expect(end.errors == "host-fixture: \(message)\n")
  }

  /// The fixture cannot connect to this database.
  @Test func aHostWhoseProcessesCannotStartSaysWhy() throws {
    let url = "postgresql://127.0.0.1:1/none"
    let end = try Peer([
      "host", "--listen", "unix:\(socket)", "--state", folder, "--processes", "2", "--database",
      url,
    ]).end()
    #expect(end.status == .exited(1))
    let lines = end.errors.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.last == "host-fixture: process 1 of the host cannot start")
    #expect(access(socket, F_OK) != 0)
  }
}
