import OffstageJSON
import OffstageRPC
import Testing

@Suite struct RPCBatchTests {
  @Test func isSentOnceWhenTheLastResponseIsThere() {
    var sent: [String] = []
    let batch = RPCBatch(expecting: 3) { sent.append(String(decoding: $0, as: UTF8.self)) }
    batch.add { $0.int(3) }
    batch.add { $0.response(to: .null) { $0.bool(false) } }
    #expect(sent == [])
    batch.add { $0.int(1) }
    #expect(sent == [#"[3,{"jsonrpc":"2.0","id":null,"result":false},1]"#])
  }

  @Test func ofNotificationsIsNeverSent() {
    _ = RPCBatch(expecting: 0) { _ in Issue.record("a batch of notifications has no responses") }
  }
}
