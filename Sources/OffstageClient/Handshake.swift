/// The introduction of a front end.
public struct Options: Sendable {
  /// Answers prompts of a kind. It is canceled if the core takes the prompt back.
  /// - Returns: The answer.
  /// - Throws: ``PromptDismissed`` to dismiss the prompt; another error rejects it with its text.
  public typealias PromptHandler = @MainActor @Sendable (Prompt) async throws -> Value

  /// The name of the front end.
  public var client = "offstage-swift"
  /// The version of the front end.
  public var version = "0.1.0"
  /// Such as `ko-KR`; nil for that of the core's process.
  public var locale: String?
  /// Such as `Asia/Seoul`; nil for that of the core's process.
  public var timeZone: String?
  /// Answers prompts by itself, by kind. Only these kinds and ``announces`` are announced to the core.
  public var handlers: [String: PromptHandler] = [:]
  /// Further kinds of prompts, which your views show and answer.
  public var announces: [String] = []
  /// Sends the inputs of the role `lifecycle` when screens appear and disappear.
  public var sendsLifecycle = true
  /// True if the core may hand out paths of files on this machine.
  public var sharesFiles = false
  /// Called with the lines of the core's log, from `info` on.
  public var onLog: (@MainActor @Sendable (Value) -> Void)?

  /// A front end that answers no prompts.
  public init() {}

  /// The params of `initialize`.
  var introduction: Value {
    let kinds = Set(handlers.keys).union(announces).sorted()
    var members: [(name: String, value: Value)] = [
      ("protocol", 1), ("client", ["name": Value(client), "version": Value(version)]),
      ("capabilities", Value(kinds.map { Value($0) })),
    ]
    if let locale { members.append(("locale", Value(locale))) }
    if let timeZone { members.append(("timeZone", Value(timeZone))) }
    if sharesFiles { members.append(("files", true)) }
    if onLog != nil { members.append(("log", "info")) }
    return Value(members: members)
  }
}

/// The introduction of a core.
public struct Handshake: Sendable {
  /// The name and the version of the app.
  public let app: (name: String, version: String)
  /// The id of this run of the core.
  public let session: String
  /// A hash of the description; generated code with the same hash fits.
  public let schema: String?
  /// All of it.
  public let value: Value

  init(_ value: Value) {
    app = (value["app"]["name"].string ?? "", value["app"]["version"].string ?? "")
    session = value["session"].string ?? ""
    schema = value["schema"].string
    self.value = value
  }
}
