import OffstageJSON
import Testing

extension HostProcessTests {
  /// Without a reader there is nothing to do: a quiet end, while the input stays open.
  @Suite struct GoneReader {
    @Test func whileALineIsBeingWritten() throws {
      let peer = try Peer(root: "bulk {\"size\":4000000}")
      try peer.send(Request(1, "initialize", ["protocol": 1]).text)
      try peer.waitForOutput()
      try expectQuietEnd(of: peer)
    }

    @Test func whileNothingHappens() throws {
      let peer = try Peer()
      _ = try peer.ask(.input(1, "text", "x"))
      try expectQuietEnd(of: peer)
    }

    @Test func whileAnEffectRuns() throws {
      let gate = try NamedPipe()
      let peer = try Peer(root: "busy")
      _ = try peer.ask(.input(1, "fetchTapped", .string(gate.path)))
      try expectQuietEnd(of: peer)
      withExtendedLifetime(gate) {}
    }

    @Test func whoHeldASocket() throws {
      let peer = try Peer(stdout: .socket)
      _ = try peer.ask(.input(1, "text", "x"))
      try expectQuietEnd(of: peer)
    }

    @Test func beforeAnythingWasSaid() throws {
      let peer = try Peer()
      peer.closeOutput()
      try expectQuietEnd(of: peer)
    }

    private func expectQuietEnd(of peer: Peer) throws {
      peer.closeOutput()
      let end = try peer.end()
      #expect(end.status == .exited(0))
      #expect(end.complaints == "")
    }
  }
}
