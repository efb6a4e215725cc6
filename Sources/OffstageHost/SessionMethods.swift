internal import Offstage
internal import OffstageJSON
internal import OffstageRPC

/// The beginning, the description and the end of a session.
extension Method {
  private static let version = 1

  static let initialize = Method(
    "initialize",
    "Introduces the front end. Optional: any other first request initializes with defaults.",
    params: [
      Param(name: "protocol", schema: ["const": 1]),
      Param(
        name: "client",
        schema: [
          "type": "object",
          "properties": ["name": ["type": "string"], "version": ["type": "string"]],
        ], isRequired: false),
      Param(
        name: "capabilities", schema: ["type": "array", "items": ["type": "string"]],
        isRequired: false),
      Param(name: "locale", schema: ["type": "string"], isRequired: false),
      Param(name: "timeZone", schema: ["type": "string"], isRequired: false),
    ],
    result: [
      "type": "object",
      "properties": [
        "protocol": ["const": 1],
        "app": [
          "type": "object",
          "properties": ["name": ["type": "string"], "version": ["type": "string"]],
          "required": ["name", "version"],
        ],
        "revision": ["type": "integer"],
        "limits": [
          "type": "object",
          "properties": .object(
            JSONObject(Limits().announced.map { ($0.name, ["type": "integer"]) })),
          "required": .array(Limits().announced.map { .string($0.name) }),
        ],
      ],
      "required": ["protocol", "app", "revision", "limits"],
    ],
    initializes: false
  ) { params, session throws(RPCError) in
    let wanted = try params.int("protocol")
    guard wanted == version else {
      throw .invalidParams(
        "unsupported protocol version \(wanted); this core supports \(version)",
        data: [
          "path": "/protocol", "expected": .string("\(version)"), "found": .string("\(wanted)"),
          "versions": [1],
        ])
    }
    _ = try params.decode("client", Client.self)
    let capabilities = try params.decode("capabilities", Set<String>.self) ?? []
    let locale = try params.locale(orElse: session.core.userLocale)
    try session.initialize(capabilities: capabilities, locale: locale)
    return .now { writer in
      writer.json([
        "protocol": .number(JSONNumber(version)),
        "app": ["name": .string(session.app.name), "version": .string(session.app.version)],
        "revision": .number(JSONNumber(session.revision)),
        "limits": .object(
          JSONObject(
            session.limits.announced.map { ($0.name, .number(JSONNumber($0.value))) })),
      ])
    }
  }

  private struct Client: Decodable {
    let name: String?
    let version: String?
  }

  static let discover = Method(
    "rpc.discover", "Gives this description: an OpenRPC document.",
    result: ["type": "object"]
  ) { _, session throws(RPCError) in
    let document: JSON
    let language = session.core.userLocale.language.description
    do {
      document = try OpenRPC.document(of: session.core.app, session.app, language: language)
    } catch {
      throw .internalError("cannot describe the app: \(error)")
    }
    return .now { $0.json(document) }
  }

  static let cancelRequest = Method(
    "$/cancelRequest",
    "A notification: cancels a waiting request and what it started; it is answered with -32800.",
    params: [Param(name: "id", schema: ["type": ["string", "integer", "number"]])],
    initializes: false
  ) { params, session throws(RPCError) in
    guard let value = params.value("id") else { throw params.missing("id", "string or number") }
    guard let id = RPCID(value) else { throw params.wrong("id", "string or number", value) }
    session.cancel(id)
    return .revision
  }

  static let shutdown = Method(
    "shutdown", "Ends the core: it answers, flushes and exits with 0.", result: ["type": "null"]
  ) { _, session in
    session.shutDown()
    return .now { $0.null() }
  }
}

extension Limits {
  /// The limits that `initialize` announces.
  fileprivate var announced: [(name: String, value: Int)] {
    [
      ("line", line), ("depth", depth), ("inFlight", inFlight), ("batch", batch), ("out", out),
    ]
  }
}
