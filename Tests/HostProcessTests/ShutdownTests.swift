import OffstageJSON
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
      #expect(end.complaints == "")
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
