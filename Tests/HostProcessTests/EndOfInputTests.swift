import OffstageJSON
import Testing

extension HostProcessTests {
  /// At the end of the input everything is answered, what runs settles, and the exit is 0.
  @Suite struct EndOfInput {
    @Test func nothingInNothingOut() throws {
      let end = try Peer().finish()
      #expect(end.lines == [])
      #expect(end.status == .exited(0))
      #expect(end.complaints == "")
    }

    @Test func aThousandRequestsInOneWriteAreAnswered() throws {
      let peer = try Peer()
      let requests = (1...1000).map { Request.input(.number(JSONNumber($0)), "text", "t\($0)") }
      try peer.send(requests.map(\.text).joined(separator: "\n"))
      let end = try peer.finish()
      let replica = try Replica(end.lines)
      #expect(replica.responses.map { $0["id"] } == requests.map(\.id))
      #expect(replica.output("text") == "t1000")
      // The reader keeps up, so each input has a frame of its own, and the first one the document.
      #expect(replica.revision == 1001)
      #expect(end.status == .exited(0))
    }

    @Test func theFinalLineNeedsNoLineFeed() throws {
      let peer = try Peer()
      try peer.send(Array(Request.input(1, "text", "last").text.utf8))
      let replica = try Replica(try peer.finish().lines)
      #expect(replica.responses.count == 1)
      #expect(replica.output("text") == "last")
    }

    @Test(arguments: [false, true]) func effectsThatRunSettle(_ settle: Bool) throws {
      let gate = try NamedPipe()
      let peer = try Peer(root: "busy")
      try peer.send(
        Request.input(1, "fetchTapped", .string(gate.path), settle: settle).text,
        Request(2, "state/settle").text)
      peer.closeInput()
      gate.write("from elsewhere")
      let end = try peer.end()
      let replica = try Replica(end.lines)
      #expect(replica.output("fetched") == "from elsewhere")
      #expect(replica.responses.map { $0["id"] } == [1, 2])
      #expect(replica.responses.allSatisfy { $0["error"] == nil })
      #expect(end.status == .exited(0))
    }

    /// A clock or a person that will not come is not waited for.
    @Test(arguments: ["restForeverTapped", "askTapped"]) func whatWaitsForOthersDoesNotHold(
      _ input: String
    ) throws {
      let peer = try Peer(root: "busy")
      try peer.send(Request.input(1, input).text)
      let end = try peer.finish()
      #expect(try Replica(end.lines).responses.count == 1)
      #expect(end.status == .exited(0))
    }
  }
}
