import OffstageJSON
import TestSupport
import Testing

extension HostProcessTests {
  /// A slow reader costs neither memory nor answers.
  @Suite struct SlowReader {
    /// Bytes past which no frames are made, and past which the core stops reading.
    private static let mark = 1 << 20
    private static let limit = 16 << 20

    /// Enough to exceed the limit; a debug build is slower.
    #if DEBUG
      private static let count = 120_000
    #else
      private static let count = 500_000
    #endif

    @Test func nothingIsLostAndMemoryIsBounded() throws {
      let peer = try Peer()
      var replica = try Replica(try peer.ask(Request(-1, "initialize", ["protocol": 1])))
      let inputs = Inputs(count: Self.count)
      var rest = inputs.bytes[...]
      var answers = Answers()

      // Nothing is read until the core does not read either: then this side could only wait.
      try write(&rest, to: peer)
      #expect(!rest.isEmpty)
      if let peak = ProcessState.peakMemory(of: peer.process) { #expect(peak < 200 << 20) }
      let heard = (inputs.bytes.count - rest.count) / inputs.length

      // Then all is read and the rest is written by turns, so that the reader falls behind again.
      while !rest.isEmpty {
        while try peer.saysMore(), let bytes = try peer.chunk() { try answers.take(bytes) }
        try write(&rest, to: peer)
      }
      try peer.send(Request(0, "state/snapshot").text)
      peer.closeInput()
      while let bytes = try peer.chunk() { try answers.take(bytes) }
      #expect(try peer.end().status == .exited(0))

      #expect(answers.count == inputs.count)
      let snapshot = try JSON(parsing: answers.others.last ?? "")["result"]
      for frame in answers.others.dropLast() {
        try replica.take(try check(try JSON(parsing: frame)))
      }
      #expect(replica.document == snapshot?["state"])
      #expect(replica.output("count") == .number(JSONNumber(inputs.count)))
      #expect(replica.output("text") == .string(Inputs.text(inputs.count - 1)))
      #expect(replica.revision < inputs.count / 2)
      // A response names the revision that the reader had been told of: the last frame came later.
      #expect(answers.lastRevision <= replica.revision)

      // What stood in the pipes when the core stopped was no longer, or not yet, in its hands.
      let pipes = 4 << 16
      let unsent = answers.size(ofFirst: heard)
      #expect(unsent > Self.limit - Self.mark - pipes)
      #expect(unsent < Self.limit + pipes)
    }

    /// Writes until the core takes no more.
    private func write(_ rest: inout ArraySlice<UInt8>, to peer: Peer) throws {
      while !rest.isEmpty, try peer.takesMore() {
        rest = rest.dropFirst(try peer.offer(rest.prefix(1 << 16)))
      }
    }

    /// A frame names the newest of its inputs as its cause.
    private func check(_ frame: JSON, _ location: SourceLocation = #_sourceLocation) throws -> JSON
    {
      let patch = frame["params"]?["patch"]?.array ?? []
      let count = patch.first { $0["path"] == "/screens/1/output/count" }?["value"]?.int
      let cause = Int(frame["params"]?["cause"]?.string?.prefix { $0 != "-" } ?? "")
      #expect(cause.map { Inputs.index(ofID: $0) + 1 } == count, sourceLocation: location)
      return frame
    }
  }
}

extension HostProcessTests {
  /// Without a reader the core exits silently, while its input stays open.
  @Suite struct GoneReader {
    @Test func readerLeavesDuringALine() throws {
      let peer = try Peer(root: "bulk {\"size\":4000000}")
      try peer.send(Request(1, "initialize", ["protocol": 1]).text)
      try peer.waitForOutput()
      try expectQuietEnd(of: peer)
    }

    @Test func readerLeavesAnIdleCore() throws {
      let peer = try Peer()
      _ = try peer.ask(.input(1, "text", "x"))
      try expectQuietEnd(of: peer)
    }

    @Test func readerLeavesDuringAnEffect() throws {
      let gate = try NamedPipe()
      let peer = try Peer(root: "busy")
      _ = try peer.ask(.input(1, "fetchTapped", .string(gate.path)))
      try expectQuietEnd(of: peer)
      withExtendedLifetime(gate) {}
    }

    @Test func readerOfASocketLeaves() throws {
      let peer = try Peer(stdout: .socket)
      _ = try peer.ask(.input(1, "text", "x"))
      try expectQuietEnd(of: peer)
    }

    @Test func readerLeavesBeforeTheFirstLine() throws {
      let peer = try Peer()
      peer.closeOutput()
      try expectQuietEnd(of: peer)
    }

    private func expectQuietEnd(of peer: Peer, _ location: SourceLocation = #_sourceLocation) throws
    {
      peer.closeOutput()
      let end = try peer.end()
      #expect(end.status == .exited(0), sourceLocation: location)
      #expect(end.errors == "", sourceLocation: location)
    }
  }
}
