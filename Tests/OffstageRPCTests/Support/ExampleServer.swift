import OffstageJSON
import OffstageRPC

/// The server of the examples in the JSON-RPC 2.0 specification, section 7: it takes a line and gives
/// back what it would write.
enum ExampleServer {
  /// - Returns: nil where nothing is written.
  static func answer(_ line: String) -> String? {
    let text: JSONText
    do { text = try JSONText(line) } catch {
      return written { $0.response(to: .null, .parseError("Parse error")) }
    }
    return text.withRoot(answer)
  }

  private static func answer(_ root: JSONView) -> String? {
    var output: [UInt8]?
    do throws(RPCInvalidRequest) {
      switch try RPCMessage(root, line: 1) {
      case .single(let view):
        if let response = response(to: view) { output = bytes(response) }
      case .batch(let views):
        let responses = views.compactMap { response(to: $0) }
        let batch = RPCBatch(expecting: responses.count) { output = $0 }
        for response in responses { batch.add(response) }
      }
    } catch {
      return written { $0.response(to: .null, error.error) }
    }
    return output.map { String(decoding: $0, as: UTF8.self) }
  }

  static func written(_ write: (inout JSONWriter) -> Void) -> String {
    String(decoding: bytes(write), as: UTF8.self)
  }

  private static func bytes(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    write(&writer)
    return Array(writer.bytes)
  }

  private static func response(to view: JSONView) -> ((inout JSONWriter) -> Void)? {
    switch Result(catching: { () throws(RPCInvalidRequest) in try RPCCall(view, line: 1) }) {
    case .failure(let refusal):
      return refusal.id.map { id in { $0.response(to: id, refusal.error) } }
    case .success(let call):
      guard let id = call.id else { return nil }
      guard let result = result(call) else {
        return { $0.response(to: id, .methodNotFound("Method not found")) }
      }
      return { $0.response(to: id) { $0.json(result) } }
    }
  }

  private static func result(_ call: RPCCall) -> JSON? {
    let params = call.params
    switch call.method.string {
    case "subtract":
      let minuend = params?["minuend"]?.int ?? params?[0]?.int
      let subtrahend = params?["subtrahend"]?.int ?? params?[1]?.int
      return .number(JSONNumber(minuend! - subtrahend!))
    case "sum": return .number(JSONNumber(params!.elements.compactMap(\.int).reduce(0, +)))
    case "get_data": return ["hello", 5]
    case "echo": return params?.json ?? .null
    default: return nil
    }
  }
}
