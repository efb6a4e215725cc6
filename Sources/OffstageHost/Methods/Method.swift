internal import Offstage
internal import OffstageJSON
internal import OffstageRPC

/// One method of the protocol: what it is called, takes and gives, and what it does.
///
/// Each stands in a file of its own, and the description of the whole is made from them.
final class Method: Sendable {
  struct Param: Sendable {
    let name: String
    let schema: JSON
    var isRequired = true
  }

  let name: String
  let summary: String
  let params: [Param]
  let result: JSON
  /// The codes that it may answer beside those of JSON-RPC itself.
  let errors: [ErrorCode]
  /// Whether it initializes a core that nobody has initialized yet.
  let initializes: Bool
  let handle: @CoreActor @Sendable (Params, Session) throws(RPCError) -> Answer

  init(
    _ name: String, _ summary: String, params: [Param] = [], result: JSON = revisionSchema,
    errors: [ErrorCode] = [], initializes: Bool = true,
    handle: @escaping @CoreActor @Sendable (Params, Session) throws(RPCError) -> Answer
  ) {
    self.name = name
    self.summary = summary
    self.params = params
    self.result = result
    self.errors = errors
    self.initializes = initializes
    self.handle = handle
  }

  /// All methods, in the order of the specification.
  static let all = [
    initialize, input, answer, back, dismiss, popTo, selectTab, open, snapshot, settle, advance,
    discover, cancelRequest, shutdown,
  ]

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  static func named(_ name: JSONView) -> Method? {
    name.equals("input") ? input : name.string.flatMap { byName[$0] }
  }

  /// The schema of `{"revision": 3}`, which most methods answer.
  static let revisionSchema: JSON = [
    "type": "object",
    "properties": ["revision": ["type": "integer", "minimum": 0]],
    "required": ["revision"],
  ]
}

/// The codes of this protocol, beside those of JSON-RPC 2.0.
enum ErrorCode: Int, CaseIterable {
  case cancelled = -32800
  case noSuchScreen = 1001
  case noSuchInput = 1002
  case noSuchPrompt = 1003
  case refused = 1004
  case overloaded = 1005

  var meaning: String {
    switch self {
    case .cancelled: "The request was cancelled"
    case .noSuchScreen: "There is no such screen"
    case .noSuchInput: "The screen has no such input"
    case .noSuchPrompt: "There is no such prompt, or it is answered already"
    case .refused: "The navigation or the clock refuses"
    case .overloaded: "Too much waits already; try again later"
    }
  }
}

extension RPCError {
  init(_ code: ErrorCode, _ message: String, data: JSON? = nil) {
    self.init(code.rawValue, message, data: data)
  }
}

extension Session {
  /// The screen that a request names.
  func screen(_ params: Params) throws(RPCError) -> ScreenNode {
    let value = try params.value("screen", .string)
    if let id = ScreenID(value), let screen = core.screen(id) { return screen }
    let text = value.string ?? ""
    throw RPCError(
      .noSuchScreen, "There is no screen \"\(text)\". It may have closed.",
      data: ["screen": .string(text)])
  }
}
