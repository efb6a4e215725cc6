import Foundation
import OffstageJSON
import TestSupport
import Testing

extension HostProcessTests {
  /// `shutdown` ends the core whatever else may come.
  @Suite struct Shutdown {
    @Test func nothingAfterItCounts() throws {
      let peer = try Peer()
      try peer.send(
        Request.input(1, "text", "before").text, Request(2, "shutdown").text,
        Request.input(3, "text", "after").text)
      // The input stays open.
      let end = try peer.end()
      let replica = try Replica(end.lines)
      #expect(replica.responses.map { $0["id"] } == [1, 2])
      #expect(replica.responses.last?["result"] == .null)
      #expect(replica.output("text") == "before")
      #expect(end.status == .exited(0))
      #expect(end.errors == "")
    }

    @Test func whatWaitsIsAnswered() throws {
      let gate = try NamedPipe()
      let peer = try Peer(root: "busy")
      try peer.send(
        Request.input(1, "fetchTapped", .string(gate.path), settle: true).text,
        Request(2, "shutdown").text)
      let end = try peer.end()
      let responses = try Replica(end.lines).responses
      #expect(responses.map { $0["id"] } == [2, 1])
      #expect(responses.last?["error"]?["code"] == -32800)
      #expect(end.status == .exited(0))
      withExtendedLifetime(gate) {}
    }
  }
}

extension HostProcessTests {
  /// `--drain` bounds how long work may go on after the end of the input.
  @Suite struct Drain {
    @Test(arguments: [["--drain", "0"], ["--drain=0", "--deterministic"]])
    func itBoundsWorkWithoutEnd(_ arguments: [String]) throws {
      let gate = try NamedPipe()
      let peer = try Peer(root: "busy", arguments)
      try peer.send(
        Request.input(1, "fetchTapped", .string(gate.path), settle: true).text,
        Request(2, "state/settle").text)
      try check(try peer.finish(), cancelled: [1, 2])
      withExtendedLifetime(gate) {}
    }

    @Test func itBoundsAClockThatCannotAdvance() throws {
      let gate = try NamedPipe()
      let peer = try Peer(root: "busy", ["--drain", "0", "--deterministic"])
      try peer.send(
        Request.input(1, "fetchTapped", .string(gate.path)).text,
        Request(2, "clock/advance", ["milliseconds": 1000]).text,
        // What came behind it is answered, too.
        Request(3, "state/snapshot").text)
      let end = try peer.finish()
      try check(end, cancelled: [2])
      #expect(try Replica(end.lines).responses.last?["result"]?["state"] != nil)
      withExtendedLifetime(gate) {}
    }

    @Test func itBoundsAWaitForTheClock() throws {
      let peer = try Peer(root: "busy", ["--drain", "0"])
      try peer.send(Request.input(1, "restForeverTapped", settle: true).text)
      try check(try peer.finish(), cancelled: [1])
    }

    @Test func itMayBeLong() throws {
      let gate = try NamedPipe()
      let peer = try Peer(root: "busy", ["--drain", "86400"])
      try peer.send(Request.input(1, "fetchTapped", .string(gate.path), settle: true).text)
      peer.closeInput()
      gate.write("at last")
      let end = try peer.end()
      #expect(try Replica(end.lines).output("fetched") == "at last")
      #expect(end.status == .exited(0))
    }

    private func check(_ end: Ending, cancelled ids: [JSON]) throws {
      let responses = try Replica(end.lines).responses.filter { $0["error"] != nil }
      #expect(responses.map { $0["id"] } == ids)
      #expect(responses.allSatisfy { $0["error"]?["code"] == -32800 })
      #expect(end.status == .exited(0))
      #expect(end.errors == "")
    }
  }
}

extension HostProcessTests {
  /// Signals that ask the process to go end it in good order.
  @Suite struct Signals {
    @Test(arguments: [SIGTERM, SIGINT, SIGHUP]) func whatWasBegunIsSaid(_ signal: Int32) throws {
      let peer = try Peer(root: "bulk {\"size\":1}")
      _ = try peer.ask(Request(1, "initialize", ["protocol": 1]))
      // More than a pipe holds: the line has begun, and cannot have ended.
      try peer.send(Request.input(2, "sizeChosen", 500_000).text)
      try peer.waitForOutput()
      peer.deliver(signal)
      let end = try peer.end()
      #expect(end.lines.count == 2)
      #expect(end.lines.first?.utf8.count ?? 0 > 500_000)
      #expect(try end.lines.last.map { try JSON(parsing: $0)["id"] } == 2)
      #expect(end.status == .exited(0))
      #expect(end.errors == "")
    }

    @Test func whileItRests() throws {
      let peer = try Peer()
      _ = try peer.ask(.input(1, "text", "x"))
      peer.deliver(SIGTERM)
      #expect(try peer.end().status == .exited(0))
    }

    /// As with `nohup`.
    @Test func whatTheParentIgnoresStaysIgnored() throws {
      let peer = try Peer(ignoring: "HUP")
      _ = try peer.ask(.input(1, "text", "x"))
      peer.deliver(SIGHUP)
      #expect(try peer.ask(.input(2, "text", "y")).count == 2)
      #expect(try peer.finish().status == .exited(0))
    }

    @Test func aBrokenPipeIsNoReasonToGo() throws {
      let peer = try Peer()
      _ = try peer.ask(.input(1, "text", "x"))
      peer.deliver(SIGPIPE)
      #expect(try peer.ask(.input(2, "text", "y")).count == 2)
      #expect(try peer.finish().status == .exited(0))
    }

    /// Whether the end has begun already or not, a reader that does not read cannot prevent it.
    @Test(arguments: ["input", "shutdown"]) func nobodyReads(_ method: String) throws {
      let peer = try Peer(root: "bulk {\"size\":500000}", ["--drain", "0"])
      try peer.send(Request(1, method == "input" ? "state/snapshot" : method).text)
      try peer.send(Request(2, "initialize", ["protocol": 1]).text)
      try peer.waitForOutput()
      peer.deliver(SIGTERM)
      #expect(try peer.endUnread().status == .exited(0))
    }
  }
}
