import OffstageJSON
import Testing

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
      #expect(end.complaints == "")
    }
  }
}
