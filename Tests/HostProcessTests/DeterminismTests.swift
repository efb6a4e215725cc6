import OffstageJSON
import Testing

extension HostProcessTests {
  @Suite struct Determinism {
    /// The same bytes in give the same bytes out, however they are cut into pieces.
    @Test func everyRunIsTheSame() throws {
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
