/// The options with which a front end introduces itself to the core.
public struct Options: Sendable {
  /// Answers prompts of one kind. Its task is canceled if the core withdraws the prompt.
  /// - Returns: The answer.
  /// - Throws: ``PromptDismissed`` to dismiss the prompt. Any other error rejects the prompt with
  ///   the text of the error.
  public typealias PromptHandler = @MainActor @Sendable (RemotePrompt) async throws -> Value

  /// The name of the front end.
  public var client = "offstage-swift"
  /// The version of the front end.
  public var version = "0.1.0"
  /// The locale, such as `ko-KR`; nil to use that of the core's process.
  public var locale: String?
  /// The time zone, such as `Asia/Seoul`; nil to use that of the core's process.
  public var timeZone: String?
  /// The handlers of prompts, by kind. Their kinds and ``announces`` are announced to the core.
  public var handlers: [String: PromptHandler] = [:]
  /// Other kinds of prompts, which your views show and answer.
  public var announces: [String] = []
  /// True if the core may return paths of files on this machine.
  public var sharesFiles = false
  /// Called with each entry of the core's log at level `info` or higher.
  public var onLog: (@MainActor @Sendable (Value) -> Void)?

  /// Creates the options of a front end without prompt handlers.
  public init() {}

  /// Returns the params of `initialize`.
  /// - Parameter seen: The session to go on with, and the revision of the document.
  func introduction(resuming seen: (session: String, revision: Int)?) -> Value {
    let kinds = Set(handlers.keys).union(announces).sorted()
    let members: KeyValuePairs<String, Value?> = [
      "protocol": 1, "client": ["name": Value(client), "version": Value(version)],
      "capabilities": Value(kinds.map { Value($0) }), "locale": locale.map { Value($0) },
      "timeZone": timeZone.map { Value($0) }, "append": true,
      "files": sharesFiles ? true : Value?.none, "log": onLog.map { _ in "info" },
      "resume": seen.map { ["session": Value($0.session), "revision": Value($0.revision)] },
    ]
    return Value(members: members.compactMap { name, value in value.map { (name, $0) } })
  }
}

/// A core's response to the introduction of a front end.
public struct Handshake: Sendable {
  /// The name and the version of the app.
  public let app: (name: String, version: String)
  /// The id of this run of the core.
  public let session: String
  /// A hash of the app's description. Generated code with the same hash fits the app.
  public let schema: String?
  /// The whole response.
  public let value: Value

  init(_ value: Value) {
    app = (value["app"]["name"].string ?? "", value["app"]["version"].string ?? "")
    session = value["session"].string ?? ""
    schema = value["schema"].string
    self.value = value
  }

  /// Returns true if the core goes on with a session. Those of all cores on a virtual clock have the
  /// same id; a new one is at revision 1.
  func goesOn(with session: String, at seen: Int) -> Bool {
    let revision = value["revision"].int ?? 0
    let isNew = revision < seen || (value["clock"] == "virtual" && revision == 1)
    return self.session == session && !isNew
  }
}
