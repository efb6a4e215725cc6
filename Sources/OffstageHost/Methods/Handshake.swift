internal import Offstage
internal import OffstageJSON
internal import OffstageRPC

/// The limits that bound the memory and the work of a session.
struct Limits: Hashable, Sendable {
  /// Bytes of one line from the front end.
  var line = 16 << 20
  /// Levels of nested arrays and objects.
  var depth = 512
  /// The greatest depth that a command line can set.
  static let deepest = 4096
  /// Requests that may wait for their responses.
  var inFlight = 1024
  /// Requests in one batch.
  var batch = 65_536
  /// Bytes of output that one batch may cause.
  var out = 16 << 20
  /// Bytes of events and other changes that wait for a slow reader.
  var backlog = 16 << 20
  /// Effects that are queued behind others.
  var queuedEffects = 16_384
  /// Screens that may be open or queued.
  var screens = Core.mostScreens
  /// Timers that one `clock/advance` may fire.
  var timers = 100_000
  /// Bytes of a resource that one `resource/read` returns.
  var resource = 4 << 20
  /// Bytes of sent frames that are kept for a front end that reconnects.
  var frames = 256 << 10
  /// The time that running work has left after the end of the input.
  var drain = Duration.seconds(5)

  fileprivate var announced: [(name: String, value: Int)] {
    [
      ("line", line), ("depth", depth), ("inFlight", inFlight), ("batch", batch), ("out", out),
      ("queuedEffects", queuedEffects), ("screens", screens), ("timers", timers),
      ("keys", KeyedRequest.limit), ("resource", resource), ("frames", frames),
    ]
  }
}

struct FrontEnd {
  /// The kinds of prompts that it can answer, besides the built-in ones.
  var supportedPrompts: Set<String> = []
  var locale: UserLocale
  /// True if it can open files on this machine.
  var sharesFiles = false
  /// True if it knows the operation `append` of a patch.
  var appends = false
  /// The least important level of log lines to send; nil for none.
  var logLevel: LogLevel?
}

/// The place where a front end left off.
struct Resumption: Decodable {
  let session: String
  let revision: Int
  /// True if the front end knows the revision, but has no document.
  var whole: Bool?

  /// The revision of the document that the front end has; nil for none.
  var seen: Int? { whole == true ? nil : revision }
}

extension Method {
  /// The versions of the protocol that this core supports.
  private static let versions = [1]
  /// The parts of the protocol that an older core may lack.
  private static let capabilities = ["fields", "keys", "log", "resources", "resume"]

  static let initialize = Method(
    "initialize",
    "Introduces the front end. Optional: any other first request initializes with defaults.",
    Description(
      "Send it first. The response follows the first frame, which has the whole document. Later, it "
        + "is accepted with `resume` only.",
      params: [
        "protocol": JSONSchema([
          "oneOf": [
            ["const": 1],
            ["type": "array", "items": ["type": "integer"], "contains": ["const": 1]],
          ]
        ]).described("The versions that the front end speaks, in order of preference."),
        "client?": .object(["name?": .string, "version?": .string])
          .described("The name and the version of the front end, for the log."),
        "capabilities?": .array(.string)
          .described("The kinds of prompts that the front end answers, besides the built-in ones."),
        "locale?": .string.described("The user's language, as a BCP 47 tag."),
        "timeZone?": .string.described("The user's time zone, from the IANA database."),
        "files?": .boolean
          .described("True if the front end can read the files of the core's machine."),
        "append?": .boolean
          .described("True if the front end knows the operation `append` of a patch."),
        "log?": .string(oneOf: LogLevel.allCases.map(\.rawValue))
          .described("The least important level of `log` notifications; none without it."),
        "token?": .string.described("What a host wants to know of a front end."),
        "visitor?": .string.described("Whose session it is, for a host."),
        "resume?": .object(["session": .string, "revision": .integer(from: 0), "whole?": .boolean])
          .described(
            "The session and the revision of the document that the front end has; `whole` is true if it "
              + "has had it, and needs all of it again."),
      ],
      result: NamedSchema("InitializeResult", resultSchema),
      example: (
        ["protocol": 1, "capabilities": ["location.current"], "locale": "ko-KR"], exampleResult
      )),
    initializes: false
  ) { params, session throws(RPCError) in
    let version = try version(params)
    let client = try params.decode("client", Client.self)
    let frontEnd = FrontEnd(
      supportedPrompts: try params.decode("capabilities", Set<String>.self) ?? [],
      locale: try params.locale(orElse: session.core.frontEndLocale),
      sharesFiles: try params.decode("files", Bool.self) ?? false,
      appends: try params.decode("append", Bool.self) ?? false,
      logLevel: try params.decode("log", LogLevel.self))
    let resumption = try params.decode("resume", Resumption.self)
    if let revision = resumption?.revision, revision < 0 {
      throw Params.invalid(
        "/resume/revision",
        JSONMismatch(
          path: "", expected: "integer from 0", found: "number", value: "\(revision)"))
    }
    try session.initialize(frontEnd, resuming: resumption)
    if let name = client?.name {
      let version = client?.version.map { " \($0)" } ?? ""
      session.publisher.write(LogRecord(level: .info, message: "front end: \(name)\(version)"))
    }
    return .now { $0.json(handshake(session, version)) }
  }

  private struct Client: Decodable {
    let name: String?
    let version: String?
  }

  /// Returns the first of the front end's versions that this core supports.
  private static func version(_ params: Params) throws(RPCError) -> Int {
    let expected = "integer or array"
    guard let value = params.value("protocol") else { throw params.missing("protocol", expected) }
    guard value.isArray || value.kind == .number else {
      throw params.wrong("protocol", expected, value)
    }
    let wanted =
      value.isArray
      ? try params.decode("protocol", [Int].self)! : [try params.decode("protocol", Int.self)!]
    if let version = wanted.first(where: versions.contains) { return version }
    let spoken = versions.map { JSON.int($0) }
    throw RPCError(
      .invalidParams,
      "unsupported protocol version \(value.json); this core supports "
        + spoken.map(\.description).joined(separator: ", "),
      data: [
        "path": "/protocol", "expected": .string(JSONMismatch.expected(oneOf: spoken)),
        "found": .string(value.kind.name), "value": value.json,
        "protocols": .array(spoken),
      ])
  }

  private static let resultSchema = JSONSchema.object([
    "protocol": .const(1),
    "app": .object(["name": .string, "version": .string]),
    "revision": .integer(from: 0), "session": .string, "schema": .types("string", "null"),
    "language": .string, "capabilities": .array(.string),
    "clock": .string(oneOf: ["virtual", "real"]),
    "links": .array(.object(["pattern": .string, "tab?": .string, "screen?": .string])),
    "prompts": .array(.string),
    "limits": JSONSchema(
      Schema.object(JSONObject(Limits().announced.map { ($0.name, ["type": "integer"]) }))),
  ])

  private static let exampleResult: JSON = [
    "protocol": 1, "app": ["name": "todo", "version": "1.0"], "revision": 1,
    "session": "5b1f09c2a4d37e860c9d41f7be25a813", "schema": "9d2c6b0f3a1e4875",
    "language": "ko-KR", "capabilities": .array(capabilities.map { .string($0) }), "clock": "real",
    "links": [["pattern": "todo://items/:id", "screen": "item"]],
    "prompts": ["alert", "confirmationDialog", "location.current"],
    "limits": .object(JSONObject(Limits().announced.map { ($0.name, .int($0.value)) })),
  ]

  @CoreActor
  private static func handshake(_ session: Session, _ version: Int) -> JSON {
    let app = session.core.app
    return [
      "protocol": .int(version),
      "app": ["name": .string(session.app.name), "version": .string(session.app.version)],
      "revision": .int(session.publisher.revision),
      "session": .string(session.id),
      "schema": session.publisher.schemaHash.map { .string($0) } ?? .null,
      "language": .string(session.core.userLocale.language.description),
      "capabilities": .array(capabilities.map { .string($0) }),
      "clock": session.core.clock.isVirtual ? "virtual" : "real",
      "links": .array(app.links.map { $0.json }),
      "prompts": .array((PromptDescription.builtIn + app.prompts).map { .string($0.kind) }),
      "limits": .object(
        JSONObject(session.limits.announced.map { ($0.name, .int($0.value)) })),
    ]
  }
}

extension Link {
  @CoreActor fileprivate var json: JSON {
    var object: JSONObject = ["pattern": .string(pattern)]
    if let tab { object["tab"] = .string(tab) }
    if let screen { object["screen"] = .string(screen) }
    return .object(object)
  }
}
