import OffstageJSON
import TestSupport
import Testing

extension HostProcessTests {
  /// Timers on the machine's clock.
  @Suite struct Clock {
    @Test func debouncedOutputArrives() throws {
      let peer = try Peer(root: "busy")
      let lines = try peer.ask(.input(1, "queryText", "a"))
      #expect(lines.count == 2)
      // Nothing more is sent: the frame comes by itself.
      let late = try peer.line().map { try JSON(parsing: $0) }
      #expect(late?["params"]?["patch"]?[0]?["value"] == "a")
      #expect(late?["params"]?["cause"] == 1)
      #expect(try peer.finish().status == .exited(0))
    }

    @Test func sleepEnds() throws {
      let peer = try Peer(root: "busy")
      var lines = try peer.ask(.input(1, "restTapped", 10))
      // One frame when it begins, and one when it ends.
      for _ in 1...2 { lines.append(try JSON(parsing: try #require(try peer.line()))) }
      let replica = try Replica(lines)
      #expect(replica.output("isResting") == false)
      #expect(replica.revision == 3)
    }

    @Test func realClockCannotBeAdvanced() throws {
      let peer = try Peer()
      let lines = try peer.ask(Request(1, "clock/advance", ["milliseconds": 1]))
      #expect(lines.last?["error"]?["code"] == 1004)
    }
  }
}

extension HostProcessTests {
  @Suite struct Determinism {
    /// The same input gives the same output, however it is split into writes.
    @Test func outputIsIndependentOfChunking() throws {
      let script = [
        Request.input(1, "queryText", "a"), .input(2, "queryText", "ab"),
        .input(3, "restTapped", 5),
        .input(4, "askTapped"), .input(5, "failTapped", "a"), .input(6, "failTapped", "b"),
        Request(7, "clock/advance", ["milliseconds": 100]), Request(8, "state/snapshot"),
        Request(9, "answer", ["prompt": "q1", "value": ["button": "ok"]]),
        Request(10, "state/settle"), Request(11, "nonsense"), Request(12, "rpc.discover"),
      ]
      let bytes = Array(script.map { $0.text + "\n" }.joined().utf8)
      var outputs: Set<[String]> = []
      for run in 0..<50 {
        let peer = try Peer(root: "busy", ["--deterministic"])
        let size = run == 0 ? bytes.count : 7 * run
        for start in stride(from: 0, to: bytes.count, by: size) {
          try peer.send(Array(bytes[start..<min(start + size, bytes.count)]))
        }
        let end = try peer.finish()
        #expect(end.status == .exited(0))
        outputs.insert(end.lines)
      }
      #expect(outputs.count == 1)
      let replica = try Replica(outputs.first ?? [])
      #expect(replica.responses.count == script.count)
      #expect(replica.faults.count == 2)
      #expect(replica.output("answer") == "ok")
    }
  }
}
