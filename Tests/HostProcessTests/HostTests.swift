import Foundation
import OffstageJSON
import OffstageSystem
import TestSupport
import Testing

extension HostProcessTests {
  /// Many sessions in one process.
  @Suite struct ManySessions {
    let scratch: Scratch
    var socket: String { scratch.file("socket") }
    var folder: String { scratch.file("sessions") }

    init() throws { scratch = try Scratch() }

    func start(_ arguments: [String] = [], root: String = "typed") throws -> Peer {
      let host = try Peer(
        ["host", "--root", root, "--listen", "unix:\(socket)", "--state", folder] + arguments)
      #expect(try host.line() == "listening on unix:\(socket)")
      return host
    }

    func end(_ host: Peer, errors: String = "") throws {
      host.deliver(SIGTERM)
      let end = try host.end()
      #expect(end.status == .exited(0))
      // A busy machine makes turns slow.
      let slow = #/host-fixture: host: warning: a turn of \d+ ms [^\n]*\n/#
      #expect(end.errors.replacing(slow, with: "") == errors)
    }

    /// Begins a session, and types in it.
    func begin(_ text: String) throws -> Caller {
      let caller = try Caller(socket)
      try caller.begin()
      try caller.ask(.input(1, "text", .string(text)))
      return caller
    }

    /// Goes on with the session of another front end.
    func resume(_ other: Caller) throws -> Caller {
      let caller = try Caller(socket)
      try caller.resume(other)
      return caller
    }

    func status() throws -> JSON {
      try Caller(socket).ask(Request(1, "host/status"))["result"] ?? .null
    }

    /// Waits until the status says so.
    func wait(until isMet: (JSON) -> Bool) throws {
      let end = ContinuousClock.now + .seconds(30)
      while !isMet(try status()) { try #require(ContinuousClock.now < end) }
    }

    /// Sends a request, and returns the response.
    func get(_ path: String, from port: Substring) throws -> String {
      let script = """
        exec 3<>"/dev/tcp/127.0.0.1/$1"; printf 'GET %s HTTP/1.0\\r\\n\\r\\n' "$2" >&3; cat <&3
        """
      return try ChildProcess("/bin/bash", ["-c", script, "bash", String(port), path]).finish()
        .output
    }

    /// The folder of a session that names no visitor, which is its own.
    func folder(of caller: Caller) -> String { "\(folder)/visitors/\(caller.session)" }

    /// The files of a session, without its id.
    func files(of caller: Caller) throws -> Set<String> {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder(of: caller))
      #expect(names.allSatisfy { $0.hasPrefix("\(caller.session).") })
      return Set(names.map { String($0.dropFirst(caller.session.utf8.count + 1)) })
    }

    @Test func prometheusGetsTheStatusAndTheTimesOfTurns() throws {
      let host = try Peer([
        "host", "--root", "typed", "--listen", "unix:\(socket)", "--state", folder, "--metrics",
        "0",
      ])
      let line = try #require(try host.line())
      let port = try #require(line.split(separator: ":").last?.split(separator: "/").first)
      let caller = try begin("Kim")
      let metrics = try get("/metrics", from: port)
      #expect(metrics.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4"))
      for sample in ["sessions 1", "connected 1", "begun_total 1", "lines_total 2"] {
        #expect(metrics.contains("\noffstage_\(sample)\n"))
      }
      let turns = try #require(status()["turnMilliseconds"]?["p95"]?.double)
      #expect(turns > 0)
      #expect(metrics.contains(#"offstage_turn_seconds_bucket{le="4e-06"}"#))
      #expect(try get("/", from: port).hasPrefix("HTTP/1.1 404 Not Found\r\n"))
      caller.leave()
      try end(host)
    }

    @Test func sessionsShareNothing() throws {
      let host = try start()
      let callers = try (0..<20).map { try begin("text \($0)") }
      #expect(Set(callers.map(\.session)).count == 20)
      #expect(callers.allSatisfy { $0.session.utf8.count == 32 })
      for (number, caller) in callers.enumerated() {
        #expect(caller.replica.output("text")?.string == "text \(number)")
        #expect(caller.replica.output("count") == 1)
      }
      try end(host)
      for (number, caller) in callers.enumerated() {
        // The signal closes every connection once the session is on the disk.
        #expect(try caller.line() == nil)
        #expect(try files(of: caller) == ["state.json"], "\(number)")
      }
    }

    @Test func anotherConnectionGoesOnWithTheSession() throws {
      let host = try start()
      let first = try begin("a")
      first.leave()
      let second = try resume(first)
      #expect(second.session == first.session)
      // It has seen everything, so there is no frame.
      #expect(second.replica.revision == 2)
      // The id is free again, since its request was that of another front end.
      try second.ask(.input(1, "text", "b"))
      #expect(second.replica.output("count") == 2)
      // A page that is loaded again comes before the old connection is known to be lost.
      let third = try resume(second)
      #expect(try second.line() == nil)
      try third.ask(.input(1, "text", "c"))
      #expect(third.replica.output("count") == 3)
      try end(host)
    }

    @Test func aScriptGetsItsAnswersAfterItsLastLine() throws {
      let host = try start()
      let caller = try Caller(socket)
      caller.send(.input(1, "text", "a"))
      caller.finishSending()
      var answers: [JSON] = []
      while let line = try caller.line() { answers.append(line) }
      #expect(answers.last?["id"] == 1 && answers.last?["result"] != nil)
      try end(host)
    }

    @Test func aSessionWithoutAFrontEndIsParked() throws {
      let host = try start(["--park", "0"])
      let first = try begin("a")
      first.leave()
      try wait { $0["sessions"] == 0 && $0["parked"] == 1 }
      #expect(try files(of: first) == ["state.json"])
      let second = try resume(first)
      #expect(second.session == first.session)
      #expect(second.replica.output("text") == "a")
      // One frame replaces the document, with the next revision.
      #expect(second.replica.revision == 3)
      try second.ask(.input(1, "text", "b"))
      // A request that asks for the end parks it at once.
      try second.ask(Request(2, "shutdown"))
      let third = try resume(second)
      #expect(third.replica.output("count") == 2)
      try end(host)
    }

    @Test func aSessionToWhichNobodyComesBackIsRemoved() throws {
      let first = try start(["--park", "0"])
      let (old, recent) = (try begin("old"), try begin("recent"))
      for caller in [old, recent] { caller.leave() }
      try wait { $0["parked"] == 2 }
      try end(first)
      let id = old.session
      let month = [timeval(tv_sec: time(nil) - 31 * 86_400, tv_usec: 0)]
      #expect(utimes("\(folder(of: old))/\(id).state.json", month + month) == 0)
      let second = try start(["--keep", "30"])
      try wait { $0["parked"] == 1 }
      #expect(try resume(recent).replica.output("text") == "recent")
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/visitors/\(id)"))
      try end(
        second,
        errors:
          "host-fixture: host: removed the session \(id.prefix(8))…, to which nobody has come back\n"
      )
    }

    @Test func aSessionIsFoundOnlyWithItsVisitor() throws {
      let host = try start(["--park", "0"])
      func connect(_ session: String?, as visitor: String?) throws -> Caller {
        let caller = try Caller(socket)
        try caller.begin(resuming: session, visitor: visitor)
        return caller
      }
      let first = try connect(nil, as: "kim-1")
      try first.ask(.input(1, "text", "secret"))
      let second = try connect(nil, as: "kim-1")
      let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/visitors/kim-1")
      #expect(
        Set(names.filter { $0.hasSuffix(".journal") })
          == ["\(first.session).journal", "\(second.session).journal"])
      for stranger in [nil, "lee", first.session] {
        let other = try connect(first.session, as: stranger)
        #expect(other.session != first.session && other.replica.output("text") == "")
      }
      first.leave()
      second.leave()
      try wait { $0["connected"] == 0 && $0["sessions"] == 0 }
      let back = try Caller(socket)
      try back.resume(first, visitor: "kim-1")
      #expect(back.session == first.session && back.replica.output("text") == "secret")
      for wrong in ["", "..", "Kim", "a/b", String(repeating: "a", count: 65)] {
        let caller = try Caller(socket)
        let error = try caller.begin(visitor: wrong)["error"]
        #expect(error?["code"] == -32602)
        #expect(
          error?["message"]
            == "Invalid params: /visitor takes 1 to 64 small letters, digits, and hyphens")
        #expect(try caller.line() == nil)
      }
      let notice = "host-fixture: host: no session \(first.session.prefix(8))…; a new one begins\n"
      try end(host, errors: String(repeating: notice, count: 3))
    }

    @Test func aVisitorIsForgottenWithTheLastSession() throws {
      let first = try start(["--park", "0"])
      let callers = try (0..<2).map { _ in try Caller(socket) }
      for caller in callers {
        try caller.begin(visitor: "kim")
        caller.leave()
      }
      try wait { $0["parked"] == 2 }
      try end(first)
      let home = "\(folder)/visitors/kim"
      try FileManager.default.createDirectory(
        atPath: "\(home)/data", withIntermediateDirectories: false)
      let month = [timeval(tv_sec: time(nil) - 31 * 86_400, tv_usec: 0)]
      for (caller, rest) in zip(callers, [["data", "\(callers[1].session).state.json"], nil]) {
        #expect(utimes("\(home)/\(caller.session).state.json", month + month) == 0)
        let host = try start(["--keep", "30"])
        try wait { $0["parked"] == JSON.int(rest == nil ? 0 : 1) }
        let names = try? FileManager.default.contentsOfDirectory(atPath: home)
        #expect(names.map { Set($0) } == rest.map { Set($0) })
        host.deliver(SIGTERM)
        _ = try host.end()
      }
    }

    /// Without waiting for what another session does.
    @Test func aParkedSessionTakesNoMemory() throws {
      let host = try start(["--park", "0", "--witness"])
      let callers = try (0..<3).map { try begin("text \($0)") }
      for caller in callers { caller.leave() }
      try wait { $0["sessions"] == 0 }
      host.deliver(SIGKILL)
      // The first is the one that the start was checked with.
      #expect(try host.end().errors == String(repeating: "released\n", count: 4))
    }

    @Test func aHostEndsWithTheProgramThatHoldsItsInput() throws {
      let host = try start()
      let caller = try begin("a")
      host.closeInput()
      #expect(try caller.line() == nil)
      #expect(try host.end().status == .exited(0))
      #expect(try files(of: caller) == ["state.json"])
    }

    @Test func aKillLosesNothingThatWasShown() throws {
      let killed = try start()
      let callers = try (0..<5).map { try begin("text \($0)") }
      let request = Request(
        2, "input", ["screen": "1", "name": "text", "value": "last", "key": "k"])
      for caller in callers { try caller.ask(request) }
      killed.deliver(SIGKILL)
      _ = try killed.end()
      // The socket of the dead process is replaced.
      let host = try start()
      for caller in callers {
        let next = try resume(caller)
        #expect(next.session == caller.session)
        // It is not done twice.
        try next.ask(request)
        #expect(next.replica.output("count") == 2)
      }
      try end(host)
    }

    /// Most who come to a site look at one page and go.
    @Test func aSessionThatHasOnlyBegunIsInItsJournal() throws {
      let killed = try start()
      let caller = try Caller(socket)
      try caller.begin()
      try wait { $0["awake"] == 0 }
      #expect(try files(of: caller) == ["journal"])
      try caller.ask(.input(1, "text", "a"))
      try wait { $0["awake"] == 0 }
      #expect(try files(of: caller) == ["journal", "state.json"])
      let other = try Caller(socket)
      try other.begin()
      killed.deliver(SIGKILL)
      _ = try killed.end()
      let host = try start()
      #expect(try resume(other).session == other.session)
      try end(host)
    }

    @Test(arguments: [
      "", "..", "../sessions", "0123456789abcdef0123456789abcdef", "x\u{1B}[2J", "0",
    ])
    func aForgedSessionIsANewOne(_ id: String) throws {
      let host = try start()
      let owner = try begin("secret")
      let caller = try Caller(socket)
      try caller.begin(resuming: id, at: 7)
      #expect(caller.session != id && caller.session != owner.session)
      #expect(caller.replica.output("text") == "")
      let shown = id.unicodeScalars.first?.value == 0x78 ? "x\\x1B[2J" : String(id.prefix(8))
      try end(host, errors: "host-fixture: host: no session \(shown)…; a new one begins\n")
    }

    /// The loop asks only those that have something to do, and one at rest wakes for every line.
    @Test func sessionsAtRestAreNotAsked() throws {
      let host = try start()
      let callers = try (0..<3).map { try begin("text \($0)") }
      for count in 2...4 {
        try wait { $0["awake"] == 0 }
        for caller in callers {
          try caller.ask(.input(JSON.int(count), "text", .string("again \(count)")))
          #expect(caller.replica.output("count") == JSON.int(count))
        }
      }
      callers[0].leave()
      try wait { $0["connected"] == 2 && $0["awake"] == 0 }
      let other = try resume(callers[0])
      #expect(other.replica.output("count") == 4)
      try end(host)
    }

    @Test func aSessionThatNobodyKnowsLeavesNothing() throws {
      let host = try start(["--park", "0"])
      let caller = try Caller(socket)
      caller.send(Request(1, "hello"))
      #expect(try caller.line()?["error"]?["code"] == -32601)
      caller.leave()
      try wait { $0["sessions"] == 0 }
      #expect(try status()["parked"] == 0)
      #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/visitors") == [])
      try end(host)
    }

    /// As many as may wait to be admitted, and a few more.
    @Test func silentConnectionsKeepNobodyOut() throws {
      let host = try start()
      let silent = try (0..<1_030).map { _ in try Caller(socket) }
      #expect(try begin("a").replica.output("text") == "a")
      #expect(try silent[0].line() == nil)
      try end(host)
    }

    @Test func aNotificationGetsNoAnswer() throws {
      let host = try start()
      let caller = try Caller(socket)
      let line = Array(#"{"jsonrpc":"2.0","method":"host/status"}"#.utf8) + [0x0A]
      #expect(write(caller.descriptor, line, line.count) == line.count)
      #expect(try caller.line() == nil)
      try end(host)
    }

    @Test func theLogNamesTheSession() throws {
      let host = try start(["--log", "info"])
      let caller = try Caller(socket)
      let response = try caller.ask(
        Request(1, "initialize", ["protocol": 1, "client": ["name": "page"]]))
      let id = try #require(response["result"]?["session"]?.string)
      host.deliver(SIGTERM)
      let errors = try host.end().errors
      let record = try JSON(parsing: String(errors.prefix { $0 != "\n" }))
      #expect(record["message"] == "front end: page")
      // The whole id would give access to the session.
      #expect(record["session"]?.string == "\(id.prefix(8))…")
    }

    @Test func theHostHasAsManySessionsAsItMay() throws {
      let host = try start(["--max-sessions", "2"])
      let first = try begin("a")
      let second = try begin("b")
      let third = try Caller(socket)
      let refusal = try third.begin()["error"]
      #expect(refusal?["code"] == 1005)
      #expect(refusal?["message"] == "busy: 2 sessions are open; try again later")
      #expect(try third.line() == nil)
      // One without a front end makes room.
      first.leave()
      try wait { $0["connected"] == 1 }
      let fourth = try begin("c")
      #expect(try files(of: first) == ["state.json"])
      fourth.leave()
      try wait { $0["connected"] == 1 }
      let fifth = try resume(first)
      #expect(fifth.replica.output("text") == "a")
      #expect(second.replica.output("text") == "b")
      try end(host)
    }

    @Test func onlyOneHostListens() throws {
      let host = try start()
      var status = stat()
      #expect(lstat(socket, &status) == 0 && status.st_mode & 0o777 == 0o600)
      let other = try Peer(["host", "--listen", "unix:\(socket)", "--state", scratch.file("other")])
      var end = try other.end()
      #expect(end.status == .exited(1))
      #expect(
        end.errors
          == "host-fixture: \(socket): another process listens there; end it, or choose another path\n"
      )
      let sibling = try Peer(
        ["host", "--listen", "unix:\(scratch.file("socket 2"))", "--state", folder])
      end = try sibling.end()
      #expect(end.status == .exited(1))
      #expect(
        end.errors
          == "host-fixture: \(folder): another process keeps its sessions there; end it, or "
          + "choose another directory with --state\n")
      try self.end(host)
      #expect(access(socket, F_OK) != 0)
      let file = try scratch.file("file", "important")
      end = try Peer(["host", "--listen", "unix:\(file)", "--state", folder]).end()
      #expect(end.errors.contains("file exists, and is not a socket; choose another path"))
      #expect(try scratch.text("file") == "important")
    }

    @Test func theTokenIsNeeded() throws {
      let token = try scratch.file("token", "0123456789abcdef\n")
      let host = try start(["--token", token])
      for wrong in [nil, "", "0123456789abcdeX", "0123456789abcdef0"] {
        let caller = try Caller(socket)
        let error = try caller.begin(token: wrong)["error"]
        #expect(error?["code"] == -32600)
        #expect(error?["message"]?.string?.contains("token") == true)
        #expect(try caller.line() == nil)
      }
      let hasty = try Caller(socket)
      #expect(try hasty.ask(.input(1, "text", "a"))["error"]?["code"] == -32600)
      let caller = try Caller(socket)
      #expect(try caller.begin(token: "0123456789abcdef")["result"] != nil)
      let status = try Peer(["host", "--status", "--listen", "unix:\(socket)", "--token", token])
      let text = try #require(try status.end().lines.first)
      #expect(try JSON(parsing: text)["refused"] == 5)
      try end(host)
    }

    @Test(arguments: [
      (["host"], "host needs --listen unix:PATH or --listen HOST:PORT"),
      (["host", "--listen", "nowhere"], "--listen takes unix:PATH or HOST:PORT, not \"nowhere\""),
      (
        ["host", "--listen", "127.0.0.1:0"],
        "--listen 127.0.0.1:0 needs --token FILE: every user of this machine can connect"
      ),
      (["host", "--listen", "unix:x", "--watch"], "--watch is not available with host"),
      (
        ["host", "--listen", "unix:x", "--state", "a", "--data", "b"],
        "host keeps the data in the directory of --state, too: leave --data out"
      ),
      (["--listen", "unix:x"], "--listen is an option of \"host\""),
    ])
    func aWrongCommandLineIsRefused(_ words: [String], _ message: String) throws {
      let end = try Peer(words).end()
      #expect(end.status == .exited(2))
      #expect(end.errors == "host-fixture: \(message); see host-fixture --help\n")
    }

    @Test func theStatusCounts() throws {
      let host = try start()
      let first = try begin("a")
      first.leave()
      try wait { $0["connected"] == 0 }
      _ = try resume(first)
      let status = try status()
      #expect(status["sessions"] == 1 && status["parked"] == 0)
      #expect(status["begun"] == 1 && status["resumed"] == 1)
      #expect(status["lines"] == 3 && status["frames"] == 2)
      try end(host)
    }
  }
}
