import Foundation
import OffstageJSON
import TestSupport
import Testing

extension HostProcessTests {
  /// The relay of `--watch`. `Tests/Apps/watch` rebuilds an app under it.
  @Suite struct Watching {
    @Test func linesPassThrough() throws {
      let peer = try Peer(root: "typed", ["--watch"])
      let lines = try peer.ask(.input(1, "text", "é"))
      #expect(try Replica(lines.map(\.description)).output("text") == "é")
      // The relay parses lines, and the core answers what is not JSON.
      try peer.send(Array("[1\n".utf8))
      let error = try JSON(parsing: try #require(try peer.line()))
      #expect(error["error"]?["code"] == -32700)
      let end = try peer.finish()
      #expect(end.lines == [])
      #expect(end.status == .exited(0))
      #expect(end.errors == "")
    }

    @Test func exitStatusPassesThrough() throws {
      let peer = try Peer(["--watch", "--root", "nonsense"])
      let end = try peer.end()
      #expect(end.status == .exited(2))
      #expect(end.errors.contains("unknown screen"))
    }

    @Test func signalEndsTheCoreGracefully() throws {
      let gate = try NamedPipe()
      let peer = try Peer(root: "busy", ["--watch"])
      _ = try peer.ask(Request(1, "initialize", ["protocol": 1]))
      try peer.send(Request.input(2, "fetchTapped", .string(gate.path), settle: true).text)
      // The relay has passed on the input once the core has answered what comes after it.
      _ = try peer.ask(Request(3, "state/snapshot"))
      peer.deliver(SIGTERM)
      let end = try peer.end()
      #expect(try Replica(end.lines).responses.map { $0["id"] } == [2])
      #expect(end.status == .exited(0))
      withExtendedLifetime(gate) {}
    }

    @Test func signalEndsTheRelayOfAReaderThatDoesNotRead() throws {
      // More than a pipe holds, and less than the relay does.
      let peer = try Peer(["--root", #"bulk {"size":800000}"#, "--watch"])
      try peer.send(Request(1, "initialize", ["protocol": 1]).text)
      try peer.waitForOutput()
      peer.closeInput()
      try peer.waitUntilChildrenHaveEnded()
      peer.deliver(SIGTERM)
      #expect(try peer.endUnread().status == .exited(0))
    }

    /// The lifeline of a peer is inherited, so that `end` waits for the core as well.
    @Test func coreEndsWithAKilledRelay() throws {
      let peer = try Peer(root: "typed", ["--watch"])
      _ = try peer.ask(.input(1, "text", "a"))
      peer.deliver(SIGKILL)
      #expect(try peer.end().status == .killed(by: SIGKILL))
    }

    @Test func endOfTheInputCancelsABuildThatPrintsAtTheSameTime() throws {
      let scratch = try Scratch()
      let news = try NamedPipe()
      let gate = try NamedPipe()
      _ = try scratch.file("Package.swift", "")
      let swift = try scratch.file(
        "swift",
        """
        #!/bin/sh
        echo started > '\(news.path)'
        read line < '\(gate.path)'
        echo compiling
        echo printed > '\(news.path)'
        read line < '\(gate.path)'
        """)
      chmod(swift, 0o755)
      let peer = try Peer(
        ["--root", "typed", "--watch", "--package", scratch.file(".")],
        after: "export PATH='\(scratch.file("."))':$PATH")
      _ = try peer.ask(Request(1, "initialize", ["protocol": 1]))
      _ = try scratch.file("Package.swift", "// Changed.")
      #expect(try news.text() == "started\n")
      // Stopped, so that it finds both when it goes on.
      try peer.suspend()
      peer.closeInput()
      gate.write("print")
      #expect(try news.text() == "printed\n")
      peer.deliver(SIGCONT)
      let end = try peer.end()
      #expect(end.errors == "")
      #expect(end.status == .exited(0))
    }

    @Test func crashFailsRequestsUntilTheNextCore() throws {
      // The core has no time for a backtrace.
      let peer = try Peer(
        ["--root", "busy", "--watch"], after: "export SWIFT_BACKTRACE=enable=no")
      _ = try peer.ask(Request(1, "initialize", ["protocol": 1, "log": "error"]))
      let gate = try NamedPipe()
      try peer.send(Request.input(2, "fetchTapped", .string(gate.path), settle: true).text)
      try peer.send(Request.input(3, "crashTapped").text)
      let lines = try peer.lines(upTo: 3)
      let log = try #require(lines.first { $0["method"] == "log" }?["params"])
      #expect(log["level"] == "error")
      #expect(log["message"]?.string?.hasPrefix("the core crashed (Abort") == true)
      let answers = lines.filter { $0["id"] != nil }
      #expect(answers.map { $0["id"] } == [2, 3])
      #expect(answers.allSatisfy { $0["error"]?["code"] == -32603 })
      let refused = try #require(try peer.ask(Request(4, "state/snapshot")).last)
      #expect(refused["error"]?["message"]?.string?.contains("with the next change") == true)
      let end = try peer.finish()
      #expect(end.lines == [])
      #expect(end.status == .killed(by: SIGABRT))
      #expect(end.errors.contains("the core crashed"))
      withExtendedLifetime(gate) {}
    }

    @Test(arguments: [
      (#" [{"jsonrpc":"2.0","id":2,"method":"a"},{"jsonrpc":"2.0","id":3,"method":"b"}]"#, 2),
      (#"[{"jsonrpc":"2.0","id":2,"method":"a"}]"#, 1),
      (#" {"jsonrpc":"2.0","id":2,"method":"a"}"#, nil), ("[]", nil), ("[1,", nil),
    ])
    func onlyABatchGetsABatchAfterACrash(_ line: String, _ count: Int?) throws {
      let peer = try Peer(
        ["--root", "busy", "--watch"], after: "export SWIFT_BACKTRACE=enable=no")
      _ = try peer.ask(.input(1, "crashTapped"))
      try peer.send(line)
      let answer = try JSON(parsing: try #require(try peer.line()))
      #expect(answer.array?.count == count)
      for error in answer.array ?? [answer] { #expect(error["error"]?["code"] == -32603) }
      _ = try peer.finish()
    }

    @Test func signalEndsTheRelayAfterACrash() throws {
      let peer = try Peer(
        ["--root", "busy", "--watch"], after: "export SWIFT_BACKTRACE=enable=no")
      _ = try peer.ask(.input(1, "crashTapped"))
      peer.deliver(SIGTERM)
      #expect(try peer.end().status == .killed(by: SIGABRT))
    }

    @Test(arguments: [
      (["--watch", "--record", "x"], "--record is not available with --watch"),
      (["--watch", "--package", "/nowhere"], "--package /nowhere: no Package.swift"),
    ])
    func impossibleOptionsAreRejected(_ arguments: [String], _ message: String) throws {
      let end = try Peer(arguments).end()
      #expect(end.status == .exited(2))
      #expect(end.errors.contains(message))
    }
  }

  /// A core that repeats the session of an earlier one.
  @Suite struct SessionRestoring {
    @Test func timersFireAsInTheSession() throws {
      let peer = try replaying(
        revision: 7, milliseconds: 3_600_000,
        [
          line(Request(1, "initialize", ["protocol": 1]), at: 0),
          line(.input(2, "queryText", "a"), at: 5000),
          // Before the debounce of 20 ms has let the first one through.
          line(.input(3, "queryText", "ab"), at: 5010),
        ])
      let report = try json(peer)
      #expect(report["params"]?["lines"] == 3)
      #expect(report["params"]?["failures"] == [])
      let frame = try json(peer)
      #expect(frame["params"]?["revision"] == 8)
      #expect(frame["params"]?["cause"] == nil)
      let screen = frame["params"]?["patch"]?.array?.first?["value"]?["screens"]?["1"]
      #expect(screen?["output"]?["query"] == "ab")
      let next = try peer.ask(Request(4, "state/snapshot"))
      #expect(next.last?["result"]?["revision"] == 8)
      #expect(try peer.finish().status == .exited(0))
    }

    @Test func unansweredRequestsAreAnsweredAfterTheFrame() throws {
      let peer = try replaying(
        revision: 2, milliseconds: 100,
        [
          line(.input(1, "queryText", "a"), at: 0),
          line(.input(2, "restTapped", 50, settle: true), at: 10, outcome: "pending"),
        ])
      _ = try json(peer)
      #expect(try json(peer)["params"]?["revision"] == 3)
      let response = try json(peer)
      #expect(response["id"] == 2)
      #expect(response["result"]?["revision"] == 3)
      _ = try peer.finish()
    }

    @Test func replayStopsAtAScreenThatIsGone() throws {
      let gone = Request(
        3, "input", ["screen": "9", "name": "queryText", "value": "b"])
      let peer = try replaying(
        revision: 5, milliseconds: 100,
        [
          line(.input(1, "queryText", "a"), at: 0),
          line(.input(2, "removed", "a"), at: 10),
          line(gone, at: 20),
          line(.input(4, "queryText", "c"), at: 50, outcome: "pending"),
        ])
      let report = try json(peer)["params"]
      #expect(report?["lines"] == 3)
      #expect(report?["failed"] == [1, 2])
      #expect(report?["failures"]?.array?.first?.string?.hasPrefix("skipped line 2 of 4: ") == true)
      #expect(
        report?["failures"]?.array?.last?.string?.hasPrefix("stopped at line 3 of 4: ") == true)
      let frame = try json(peer)
      let screen = frame["params"]?["patch"]?.array?.first?["value"]?["screens"]?["1"]
      #expect(screen?["output"]?["query"] == "a")
      let response = try json(peer)
      #expect(response["id"] == 4)
      #expect(response["error"]?["code"] == -32800)
      _ = try peer.finish()
    }

    /// More jobs in a row than the loop runs before it serves its streams.
    @Test func outputOfALongTurnOfWorkIsDropped() throws {
      let peer = try replaying(
        root: "endless", revision: 5, milliseconds: 200,
        [line(.input(1, "start"), at: 0), line(.input(2, "stop"), at: 200)])
      #expect(try json(peer)["params"]?["lines"] == 2)
      #expect(try json(peer)["params"]?["revision"] == 6)
      #expect(try peer.finish().status == .exited(0))
    }

    @Test func signalEndsAReplayWithOneFrame() throws {
      let scratch = try Scratch()
      let path = scratch.file("gate")
      #expect(mkfifo(path, 0o600) == 0)
      let peer = try replaying(
        revision: 5, milliseconds: 100,
        [
          line(.input(1, "queryText", "a"), at: 0),
          line(.input(2, "fetchTapped", .string(path), settle: true), at: 50, outcome: "pending"),
          line(.input(3, "queryText", "b"), at: 10_000, outcome: "pending"),
        ])
      // Waits until the replay reads from the pipe.
      let gate = open(path, O_WRONLY | O_CLOEXEC)
      defer { close(gate) }
      peer.deliver(SIGTERM)
      let lines: [JSON] = try peer.end().lines.map { try JSON(parsing: $0) }
      let kinds: [String] = lines.map { $0["method"]?.string ?? "\($0["id"] ?? .null)" }
      #expect(kinds == ["$/replayed", "frame", "3", "2"])
      let codes: [Int?] = lines.map { $0["error"]?["code"]?.int }
      #expect(codes == [nil, nil, -32800, -32800])
    }

    @Test func inheritedVariableIsIgnored() throws {
      let peer = try Peer(after: "export OFFSTAGE_WATCHED=1")
      #expect(try peer.ask(.input(1, "text", "x")).last?["result"] != nil)
      #expect(try peer.finish().status == .exited(0))
    }

    private func replaying(
      root: String = "busy", revision: Int, milliseconds: Int, _ lines: [JSON]
    ) throws -> Peer {
      let peer = try Peer(["--root", root], after: "export OFFSTAGE_WATCHED=$PPID")
      let replay: JSON = [
        "revision": JSON(integer: revision), "time": JSON(integer: milliseconds),
        "lines": .array(lines),
      ]
      try peer.send("\(replay)")
      return peer
    }

    private func line(
      _ request: Request, at milliseconds: Int, outcome: String = "succeeded"
    ) -> JSON {
      [
        "text": .string(request.text), "time": JSON(integer: milliseconds),
        "outcome": .string(outcome),
      ]
    }

    private func json(_ peer: Peer) throws -> JSON {
      try JSON(parsing: try #require(try peer.line()))
    }
  }
}

extension JSON {
  fileprivate init(integer: Int) { self = .number(JSONNumber(integer)) }
}
