internal import Offstage
internal import OffstageJSON
internal import OffstageRPC

/// A method of the protocol: its name, description, and implementation.
///
/// The methods are in `Handshake` and the `…Methods` files. The OpenRPC document is made from them.
final class Method: Sendable {
  let name: String
  let summary: String
  private let makeDescription: @Sendable () -> Description
  /// The error codes besides those of JSON-RPC, which any request may get.
  let errors: [ErrorCode]
  let initializes: Bool
  /// True if a repeated request with the same key gets the earlier response. A method that only
  /// reads runs again instead.
  let keepsResponse: Bool
  let handle: @CoreActor @Sendable (Params, Session) throws(RPCError) -> MethodResult

  /// The params, the result, and an example, for front ends.
  struct Description {
    let text: String
    var params: [JSONSchema.Member]
    /// Params of which exactly one must be present.
    let choice: [JSON]
    /// nil for a notification.
    let result: NamedSchema?
    /// The result is nil for a notification, and if it depends on the app.
    let example: (params: JSONObject, result: JSON?)

    /// - Parameters:
    ///   - params: By name; as in TypeScript, one that ends in `?` is optional.
    ///   - example: Params that fit the schemas, and the result.
    init(
      _ text: String, params: KeyValuePairs<String, JSONSchema> = [:],
      exactlyOneOf choice: [JSON] = [], result: NamedSchema? = .revision,
      example: (params: JSONObject, result: JSON?)
    ) {
      self.text = text
      self.params = params.map { JSONSchema.Member($0.key, $0.value) }
      (self.choice, self.result, self.example) = (choice, result, example)
    }
  }

  /// Creates a method, and its description only when the app is described, which most runs never do.
  init(
    _ name: String, _ summary: String,
    _ description: @autoclosure @escaping @Sendable () -> Description,
    errors: [ErrorCode] = [], initializes: Bool = true, keepsResponse: Bool = false,
    handle: @escaping @CoreActor @Sendable (Params, Session) throws(RPCError) -> MethodResult
  ) {
    self.name = name
    self.summary = summary
    makeDescription = description
    self.errors = errors
    self.initializes = initializes
    self.keepsResponse = keepsResponse
    self.handle = handle
  }

  var description: Description {
    var description = makeDescription()
    if keepsResponse {
      let key = JSONSchema(["type": "string", "maxLength": .int(KeyedRequest.longestKey)])
      description.params.append(
        JSONSchema.Member(
          "key?", key.described("A request with a key that the core knows is not performed again."))
      )
    }
    return description
  }

  /// The name of the schema of its params, such as `StateSettleParams`.
  var paramsName: String { name.pascalCased + "Params" }

  /// All methods, in the order of the specification.
  static let all = [
    initialize, input, check, window, answer, back, dismiss, popTo, selectTab, open, snapshot,
    settle,
    advance, readResource, discover, cancelRequest, shutdown,
  ]

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  static func named(_ name: JSONView) -> Method? {
    name.equals("input") ? input : name.string.flatMap { byName[$0] }
  }
}

enum MethodResult {
  /// The document's revision, after the frame of the request's turn.
  case revision
  /// The revision, and more members.
  case revisionWith(JSONObject)
  case now((inout JSONWriter) -> Void)
  /// The revision, once a condition is met.
  case once(Condition)
  /// A custom result, once an operation has finished.
  case later(@CoreActor () async -> Completion)
  case failed(RPCError)

  typealias Completion = Result<JSON, RPCError>

  enum Condition {
    /// Nothing more will happen until the user, the device, or the clock acts.
    /// Canceling the request cancels the work of the cause.
    case settled(Cause?)
    case advanced(to: Duration)
    case completed
  }
}

extension NamedSchema {
  /// The result of most methods.
  static var revision: Self {
    Self(
      "RevisionResult",
      .object([
        "revision": .integer(from: 0).described(
          "The revision of the document, with everything that the request has changed so far.")
      ]))
  }
}

/// The error codes of JSON-RPC 2.0 and of this protocol.
enum ErrorCode: Int, CaseIterable {
  case parseError = -32700
  case invalidRequest = -32600
  case unknownMethod = -32601
  case invalidParams = -32602
  case internalError = -32603
  case requestCanceled = -32800
  case unknownScreen = 1001
  case unknownInput = 1002
  case unknownPrompt = 1003
  case refused = 1004
  case overloaded = 1005
  case unknownResource = 1006

  var meaning: String {
    switch self {
    case .parseError: "not JSON, or past a limit"
    case .invalidRequest: "JSON, but not a request"
    case .unknownMethod: "unknown method"
    case .invalidParams: "a param is missing or does not fit"
    case .internalError: "a bug in the app"
    case .requestCanceled: "request canceled"
    case .unknownScreen: "unknown screen"
    case .unknownInput: "unknown input"
    case .unknownPrompt: "unknown or answered prompt"
    case .refused: "refused by the navigation or the clock"
    case .overloaded: "too much is waiting; try again later"
    case .unknownResource: "unknown resource"
    }
  }

  /// The schema of the error's data, and whether the data is always present; nil for no data.
  var data: (schema: String, isRequired: Bool)? {
    switch self {
    case .parseError: ("LinePosition", true)
    case .invalidRequest: ("LinePosition", false)
    case .invalidParams: ("Mismatch", true)
    case .overloaded: ("OverloadedData", false)
    case .unknownScreen, .unknownInput, .unknownPrompt, .refused, .unknownResource:
      (schema + "Data", true)
    case .unknownMethod, .internalError, .requestCanceled: nil
    }
  }

  /// The name of its schema, a case of `Error`, and of the error among `components.errors`.
  var schema: String { "\(self)".pascalCased }
}

extension RPCError {
  init(_ code: ErrorCode, _ message: String, data: JSON? = nil) {
    self.init(code.rawValue, message, data: data)
  }
}
