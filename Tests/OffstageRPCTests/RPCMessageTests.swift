import OffstageJSON
import OffstageRPC
import Testing

/// Lines, and the responses of a server that reads them with this module.
@Suite struct RPCMessageTests {
  /// Responses to requests with a key are kept.
  @Test func errorQuotesLongTextsInPart() {
    let text = String(repeating: "é", count: 5000)
    let error = RPCError(1001, "unknown screen \"\(text)\"", data: ["screen": .string(text)])
    for quote in [error.message, error.data?["screen"]?.string ?? ""] {
      #expect(quote.hasSuffix("é…"))
      #expect(4090...4096 ~= quote.utf8.count)
    }
    let short: JSON = ["screen": "7", "rest": 5]
    #expect(RPCError(1001, "é", data: short).data == short)
  }

  /// JSON-RPC 2.0, section 7, in its order and with its texts.
  static let specification: [Example] = [
    Example(
      "positional parameters",
      #"{"jsonrpc": "2.0", "method": "subtract", "params": [42, 23], "id": 1}"#,
      #"{"jsonrpc": "2.0", "result": 19, "id": 1}"#),
    Example(
      "positional parameters the other way round",
      #"{"jsonrpc": "2.0", "method": "subtract", "params": [23, 42], "id": 2}"#,
      #"{"jsonrpc": "2.0", "result": -19, "id": 2}"#),
    Example(
      "named parameters",
      """
      {"jsonrpc": "2.0", "method": "subtract",\
       "params": {"subtrahend": 23, "minuend": 42}, "id": 3}
      """,
      #"{"jsonrpc": "2.0", "result": 19, "id": 3}"#),
    Example(
      "named parameters in another order",
      """
      {"jsonrpc": "2.0", "method": "subtract",\
       "params": {"minuend": 42, "subtrahend": 23}, "id": 4}
      """,
      #"{"jsonrpc": "2.0", "result": 19, "id": 4}"#),
    Example(
      "a notification", #"{"jsonrpc": "2.0", "method": "update", "params": [1,2,3,4,5]}"#, nil),
    Example("a notification without params", #"{"jsonrpc": "2.0", "method": "foobar"}"#, nil),
    Example(
      "a method that does not exist", #"{"jsonrpc": "2.0", "method": "foobar", "id": "1"}"#,
      #"{"jsonrpc": "2.0", "error": {"code": -32601}, "id": "1"}"#),
    Example(
      "invalid JSON", #"{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]"#,
      #"{"jsonrpc": "2.0", "error": {"code": -32700}, "id": null}"#),
    Example(
      "an invalid request object", #"{"jsonrpc": "2.0", "method": 1, "params": "bar"}"#,
      #"{"jsonrpc": "2.0", "error": {"code": -32600}, "id": null}"#),
    Example(
      "a batch of invalid JSON",
      #"[{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"}, {"jsonrpc": "2.0","#
        + #""method" ]"#,
      #"{"jsonrpc": "2.0", "error": {"code": -32700}, "id": null}"#),
    Example(
      "an empty array", "[]", #"{"jsonrpc": "2.0", "error": {"code": -32600}, "id": null}"#),
    Example(
      "an invalid batch that is not empty", "[1]",
      #"[{"jsonrpc": "2.0", "error": {"code": -32600}, "id": null}]"#),
    Example(
      "an invalid batch", "[1,2,3]",
      """
      [{"jsonrpc": "2.0", "error": {"code": -32600}, "id": null},
       {"jsonrpc": "2.0", "error": {"code": -32600}, "id": null},
       {"jsonrpc": "2.0", "error": {"code": -32600}, "id": null}]
      """),
    Example(
      "a batch",
      """
      [{"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},
       {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]},
       {"jsonrpc": "2.0", "method": "subtract", "params": [42,23], "id": "2"},
       {"foo": "boo"},
       {"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"},
       {"jsonrpc": "2.0", "method": "get_data", "id": "9"}]
      """,
      """
      [{"jsonrpc": "2.0", "result": 7, "id": "1"},
       {"jsonrpc": "2.0", "result": 19, "id": "2"},
       {"jsonrpc": "2.0", "error": {"code": -32600}, "id": null},
       {"jsonrpc": "2.0", "error": {"code": -32601}, "id": "5"},
       {"jsonrpc": "2.0", "result": ["hello", 5], "id": "9"}]
      """),
    Example(
      "a batch of notifications",
      """
      [{"jsonrpc": "2.0", "method": "notify_sum", "params": [1,2,4]},
       {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]}]
      """, nil),
  ]

  /// Rules of the specification without an example.
  static let envelope: [Example] = [
    Example("no version", #"{"method":"sum","id":1}"#, refused("1")),
    Example("version 1", #"{"jsonrpc":"1.0","method":"sum","id":1}"#, refused("1")),
    Example("a version that is a number", #"{"jsonrpc":2.0,"method":"sum","id":1}"#, refused("1")),
    Example("no method", #"{"jsonrpc":"2.0","id":1}"#, refused("1")),
    Example("a method that is null", #"{"jsonrpc":"2.0","method":null,"id":1}"#, refused("1")),
    Example("params that are a text", call(#""params":"a","id":1"#), refused("1")),
    Example("params that are null", call(#""params":null,"id":1"#), result("1")),
    Example("params that are a number", call(#""params":1,"id":1"#), refused("1")),
    Example("an id that is a truth value", call(#""id":true"#), refused("null")),
    Example("an id that is an array", call(#""id":[1]"#), refused("null")),
    Example("an id that is an object", call(#""id":{"a":1,"a":2}"#), refused("null")),
    Example("a text", #""2.0""#, refused("null")),
    Example("null", "null", refused("null")),
    Example("a batch within a batch", "[[]]", "[\(refused("null"))]"),
    Example(
      "unknown members", #"{"jsonrpc":"2.0","method":"echo","params":[1],"id":1,"trace":{"a":[]}}"#,
      #"{"jsonrpc":"2.0","id":1,"result":[1]}"#),
    Example(
      "names with escapes", #"{"jsonr\u0070c":"2\u002e0","meth\u006fd":"ech\u006f","id":1}"#,
      #"{"jsonrpc":"2.0","id":1,"result":null}"#),
  ]

  /// A repeated key is ambiguous.
  static let duplicates: [Example] = [
    Example(
      "the version and the id", call(#""jsonrpc":"2.0","id":1,"id":1"#), refused("null")),
    Example("the version", call(#""jsonrpc":"2.0","id":1"#), refused("1")),
    Example("the method", call(#""id":1,"method":"sum""#), refused("1")),
    Example("the id", call(#""id":1,"id":2"#), refused("null")),
    Example("the same id", call(#""id":1,"id":1"#), refused("null")),
    Example("the id, once with an escape", call(#""id":1,"\u0069d":2"#), refused("null")),
    Example("the params", call(#""id":1,"params":{},"params":{}"#), refused("1")),
    Example("in an unknown member", call(#""id":1,"meta":[{"a":1,"a":1}]"#), refused("1")),
    Example(
      "in a notification's params, with an accent after the slash",
      call(#""params":{"\u0301a":1,"\u0301a":2}"#), nil),
    Example(
      "a key that begins like params", call(#""id":1,"params/":1,"params/":2"#), refused("1")),
    Example(
      "in the params", call(#""id":1,"params":{"a":1,"a":2}"#), refused("1", -32602)),
    Example(
      "deep in the params", call(#""id":1,"params":{"v":[0,{"b":{"c":1,"c":1}}]}"#),
      refused("1", -32602)),
    Example(
      "in params by position", call(#""id":1,"params":[{"a":1,"a":1}]"#), refused("1", -32602)),
    Example("the same key at two depths", call(#""id":1,"params":{"a":{"a":1}}"#), result("1")),
    Example("keys that look alike", call(#""id":1,"params":{"é":1,"e\#u{301}":1}"#), result("1")),
    Example(
      "in one request of a batch",
      "[\(call(#""id":1"#)),\(call(#""id":2,"params":{"a":1,"a":1}"#)),\(call(#""id":3"#))]",
      "[\(result("1")),\(refused("2", -32602)),\(result("3"))]"),
    Example(
      "two requests of a batch have the same keys", "[\(call(#""id":1"#)),\(call(#""id":1"#))]",
      "[\(result("1")),\(result("1"))]"),
    Example(
      "in the params of a notification, which is not answered",
      call(#""params":{"a":1,"a":2}"#), nil),
  ]

  @Test(arguments: specification)
  func specificationExamplesHold(_ example: Example) { check(example) }

  @Test(arguments: envelope)
  func envelopesAreValidated(_ example: Example) { check(example) }

  @Test(arguments: duplicates)
  func duplicateKeysAreRejected(_ example: Example) { check(example) }

  @Test func errorsNameThePath() throws {
    let envelope = try error(of: call(#""id":1,"meta":{"a":1,"a":1}"#))
    #expect(envelope["message"]?.string?.contains("/meta/a") == true)
    #expect(envelope["data"] == ["line": 1])
    let params = try error(of: call(#""id":1,"params":{"v":{"a":1,"a":1}}"#))
    #expect(
      params["data"] == ["path": "/v/a", "expected": "each key once", "found": "a duplicate"])
  }

  /// Ignores the wording of errors.
  private func check(_ example: Example, _ location: SourceLocation = #_sourceLocation) {
    let answer = ExampleServer.answer(example.sent).map { essence(of: $0) }
    #expect(answer == example.answered.map { essence(of: $0) }, sourceLocation: location)
  }

  private func essence(of text: String) -> JSON? {
    guard let json = try? JSON(parsing: text) else { return nil }
    return json.array.map { .array($0.map(essence)) } ?? essence(of: json)
  }

  private func essence(of response: JSON) -> JSON {
    guard var object = response.object, let code = response["error"]?["code"] else {
      return response
    }
    object["error"] = ["code": code]
    return .object(object)
  }

  private func error(of line: String) throws -> JSON {
    let answer = try #require(ExampleServer.answer(line))
    return try JSON(parsing: answer)["error"] ?? .null
  }

  /// A request with more members.
  private static func call(_ members: String) -> String {
    #"{"jsonrpc":"2.0","method":"get_data",\#(members)}"#
  }

  private func call(_ members: String) -> String { Self.call(members) }

  private static func refused(_ id: String, _ code: Int = -32600) -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"error":{"code":\#(code)}}"#
  }

  private static func result(_ id: String) -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"result":["hello",5]}"#
  }
}

@Suite struct RPCIDTests {
  @Test(arguments: [
    "1", "1.0", "1e2", "1E+2", "-0", "0.10", "null", #""1""#, #""\u0031""#, #""""#, #""a b""#,
    "123456789012345678901234567890", "-9007199254740993", "1e-400", #""\"\\\/""#,
    #""\ud83d\ude00""#,
    #""😀é""#, "\"e\u{301}\"", #""x\u0000y""#,
  ])
  func idsAreEchoedByteForByte(id: String) throws {
    #expect(try echoed(id) == id)
  }

  @Test(arguments: [
    ("\"a\u{2028}b\"", #""a\u2028b""#), ("\"\u{2029}\"", #""\u2029""#),
    ("\"\u{85}\"", #""\u0085""#),
  ])
  func separatorsInIDsAreEscaped(id: String, expected: String) throws {
    #expect(try echoed(id) == expected)
  }

  @Test(arguments: ["true", "false", "[]", "{}", "[1]"])
  func otherValuesAreNotIDs(value: String) throws {
    #expect(try JSONText(value).withRoot { RPCID($0) } == nil)
  }

  @Test func everySpellingIsADistinctID() throws {
    let spellings = ["1", "1.0", "1e0", #""1""#, #""\u0031""#, "null", #""null""#]
    let ids = try spellings.map { try #require(try JSONText($0).withRoot { RPCID($0) }) }
    #expect(Set(ids).count == spellings.count)
    #expect(ids[5] == .null)
  }

  private func echoed(_ id: String) throws -> String {
    let text = try JSONText(#"{"jsonrpc":"2.0","id": \#(id) ,"method":"m"}"#)
    return try text.withRoot { try RPCCall($0, line: 1).id?.text ?? "no call" }
  }
}

/// A line and the response to it.
struct Example: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let sent: String
  /// nil if nothing is written.
  let answered: String?

  init(_ name: String, _ sent: String, _ answered: String?) {
    testDescription = name
    self.sent = sent
    self.answered = answered
  }
}

/// The server of the examples in the JSON-RPC 2.0 specification, section 7.
enum ExampleServer {
  /// - Returns: nil if nothing is written.
  static func answer(_ line: String) -> String? {
    let text: JSONText
    do { text = try JSONText(line) } catch {
      return written { $0.response(to: .null, RPCError(-32700, "Parse error")) }
    }
    return text.withRoot(answer)
  }

  private static func answer(_ root: JSONView) -> String? {
    var output: [UInt8]?
    do throws(RPCInvalidRequest) {
      if root.isArray {
        let views = try RPCCall.batch(root, line: 1, longest: 100)
        let responses = views.compactMap { response(to: $0) }
        let batch = RPCBatch(expecting: responses.count) { output = $0 }
        for response in responses { batch.add(response) }
        batch.end()
      } else if let response = response(to: root) {
        output = bytes(response)
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
        return { $0.response(to: id, RPCError(-32601, "Method not found")) }
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
