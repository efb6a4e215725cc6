import OffstageJSON
import OffstageRPC
import Testing

@Suite struct RPCWriterTests {
  @Test func responsesAndNotificationsAreWritten() {
    check(#"{"jsonrpc":"2.0","id":7,"result":true}"#) { $0.response(to: id("7")) { $0.bool(true) } }
    check(#"{"jsonrpc":"2.0","id":"a","result":{"revision":1}}"#) {
      $0.response(to: id(#""a""#)) { $0.raw("{\"revision\":1}" as StaticString) }
    }
    check(#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no \u2028"}}"#) {
      $0.response(to: .null, RPCError(-32700, "no \u{2028}"))
    }
    check(#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no","data":{"path":"/a"}}}"#)
    {
      $0.response(to: id("1"), RPCError(-32602, "no", data: ["path": "/a"]))
    }
    check(#"{"jsonrpc":"2.0","id":1,"error":{"code":1004,"message":"root"}}"#) {
      $0.response(to: id("1"), RPCError(1004, "root"))
    }
    check(#"{"jsonrpc":"2.0","method":"frame","params":{"revision":2}}"#) {
      $0.notification("frame") { $0.json(["revision": 2]) }
    }
    check(#"{"jsonrpc":"2.0","method":"error","params":{"code":-32603,"message":"x"}}"#) {
      $0.notification("error") { RPCError(-32603, "x").write(to: &$0) }
    }
  }

  @Test func linesFollowEachOther() {
    let text = ExampleServer.written { writer in
      writer.response(to: .null) { $0.null() }
      writer.bytes.append(0x0A)
      writer.notification("frame") { $0.null() }
      writer.bytes.append(0x0A)
    }
    #expect(
      text == """
        {"jsonrpc":"2.0","id":null,"result":null}
        {"jsonrpc":"2.0","method":"frame","params":null}

        """)
  }

  private func check(
    _ expected: String, _ write: (inout JSONWriter) -> Void,
    _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(ExampleServer.written(write) == expected, sourceLocation: location)
  }

  private func id(_ text: String) -> RPCID { try! JSONText(text).withRoot { RPCID($0)! } }
}

@Suite struct RPCBatchTests {
  @Test func batchIsSentAfterItsLastResponse() {
    var sent: [String] = []
    let batch = RPCBatch(expecting: 3) { sent.append(String(decoding: $0, as: UTF8.self)) }
    batch.add { $0.int(3) }
    batch.add { $0.response(to: .null) { $0.bool(false) } }
    batch.end()
    #expect(sent == [])
    batch.add { $0.int(1) }
    #expect(sent == [#"[3,{"jsonrpc":"2.0","id":null,"result":false},1]"#])
  }

  @Test func batchIsSentAfterItsLastCall() {
    var sent: [String] = []
    let batch = RPCBatch(expecting: 1) { sent.append(String(decoding: $0, as: UTF8.self)) }
    batch.add { $0.int(1) }
    // A notification may follow, and it may cause frames.
    #expect(sent == [])
    batch.end()
    #expect(sent == ["[1]"])
  }

  @Test func batchOfNotificationsIsNeverSent() {
    RPCBatch(expecting: 0) { _ in Issue.record("a batch of notifications has no responses") }.end()
  }
}

extension JSONWriter {
  mutating func response(to id: RPCID, _ result: (inout JSONWriter) -> Void) {
    beginResponse(to: id)
    endResponse(result)
  }
}
