internal import Offstage
internal import OffstageJSON
internal import OffstageRPC

/// A method of the protocol: its name, description, and implementation.
///
/// The methods are in `Handshake` and the `…Methods` files. The OpenRPC document is made from them.
final class Method: Sendable {
  let name: String
  let summary: String
  private let makeParams: @Sendable () -> KeyValuePairs<String, JSONSchema>
  private let makeResult: @Sendable () -> JSONSchema?
  /// The error codes besides those of JSON-RPC, which any request may get.
  let errors: [ErrorCode]
  /// True if it initializes a core that is not initialized yet.
  let initializes: Bool
  /// True if a repeated request with the same key gets the earlier response. A method that only
  /// reads runs again instead.
  let keepsResponse: Bool
  let handle: @CoreActor @Sendable (Params, Session) throws(RPCError) -> MethodResult

  /// Creates a method, and its schemas only when the app is described, which most runs never do.
  init(
    _ name: String, _ summary: String,
    params: @autoclosure @escaping @Sendable () -> KeyValuePairs<String, JSONSchema> = [:],
    result: @autoclosure @escaping @Sendable () -> JSONSchema? =
      .object(["revision": .integer(from: 0)]),
    errors: [ErrorCode] = [], initializes: Bool = true, keepsResponse: Bool = false,
    handle: @escaping @CoreActor @Sendable (Params, Session) throws(RPCError) -> MethodResult
  ) {
    self.name = name
    self.summary = summary
    makeParams = params
    makeResult = result
    self.errors = errors
    self.initializes = initializes
    self.keepsResponse = keepsResponse
    self.handle = handle
  }

  var params: [JSONSchema.Member] {
    let key = JSONSchema(["type": "string", "maxLength": .int(KeyedRequest.longestKey)])
    return makeParams().map { JSONSchema.Member($0.key, $0.value) }
      + (keepsResponse ? [JSONSchema.Member("key?", key)] : [])
  }

  /// nil for a notification.
  var result: JSONSchema? { makeResult() }

  /// All methods, in the order of the specification.
  static let all = [
    initialize, input, answer, back, dismiss, popTo, selectTab, open, snapshot, settle, advance,
    readResource, discover, cancelRequest, shutdown,
  ]

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  static func named(_ name: JSONView) -> Method? {
    name.equals("input") ? input : name.string.flatMap { byName[$0] }
  }
}

/// The result of a method.
enum MethodResult {
  /// The document's revision, after the frame of the request's turn.
  case revision
  /// The revision, and the outcome of a navigation.
  case outcome(NavigationOutcome)
  /// A custom result.
  case now((inout JSONWriter) -> Void)
  /// The revision, once a condition is met.
  case once(Condition)
  /// A custom result, once an operation has finished.
  case later(@CoreActor () async -> Completion)
  case failed(RPCError)

  typealias Completion = Result<JSON, RPCError>

  enum Condition {
    /// Nothing more will happen until the user, the device, or the clock acts.
    case settled
    /// Everything that the request started has finished.
    case finished(Cause?)
    /// The clock has reached this time.
    case advanced(to: Duration)
    /// The operation has finished.
    case completed
  }
}

/// The error codes of JSON-RPC 2.0 and of this protocol.
enum ErrorCode: Int, CaseIterable {
  case parseError = -32700
  case invalidRequest = -32600
  case methodNotFound = -32601
  case invalidParams = -32602
  case internalError = -32603
  case canceled = -32800
  case noSuchScreen = 1001
  case noSuchInput = 1002
  case noSuchPrompt = 1003
  case refused = 1004
  case overloaded = 1005
  case noSuchResource = 1006

  /// The name in the description.
  var name: String { self == .canceled ? "cancelled" : "\(self)" }

  var meaning: String {
    switch self {
    case .parseError: "not JSON, or past a limit"
    case .invalidRequest: "JSON, but not a request"
    case .methodNotFound: "unknown method"
    case .invalidParams: "a param is missing or does not fit"
    case .internalError: "a bug in the app"
    case .canceled: "request canceled"
    case .noSuchScreen: "unknown screen"
    case .noSuchInput: "unknown input"
    case .noSuchPrompt: "unknown or answered prompt"
    case .refused: "refused by the navigation or the clock"
    case .overloaded: "too much is waiting; try again later"
    case .noSuchResource: "unknown resource"
    }
  }

  /// The schema of the error's data, and whether the data is always present; nil for no data.
  var data: (schema: String, isRequired: Bool)? {
    switch self {
    case .parseError: ("LinePosition", true)
    case .invalidRequest: ("LinePosition", false)
    case .invalidParams: ("Mismatch", true)
    case .overloaded: ("OverloadedData", false)
    case .noSuchScreen, .noSuchInput, .noSuchPrompt, .refused, .noSuchResource:
      (schema + "Data", true)
    case .methodNotFound, .internalError, .canceled: nil
    }
  }

  /// The name of its schema, a case of `Error`.
  var schema: String {
    switch self {
    case .canceled: "RequestCanceled"
    case .noSuchScreen: "UnknownScreen"
    case .noSuchInput: "UnknownInput"
    case .noSuchPrompt: "UnknownPrompt"
    case .noSuchResource: "UnknownResource"
    default: "\(self)".pascalCased
    }
  }
}

extension RPCError {
  init(_ code: ErrorCode, _ message: String, data: JSON? = nil) {
    self.init(code.rawValue, message, data: data)
  }
}
