internal import Offstage
internal import OffstageJSON
internal import OffstageRPC

extension Method {
  private static let version = 1

  /// Introduces the front end and the core to each other and shows the app.
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
          "properties": [
            "line": ["type": "integer"], "depth": ["type": "integer"],
            "inFlight": ["type": "integer"],
          ],
          "required": ["line", "depth", "inFlight"],
        ],
      ],
      "required": ["protocol", "app", "revision", "limits"],
    ],
    initializes: false
  ) { params, session throws(RPCError) in
    let wanted = try params.int("protocol")
    guard wanted == version else {
      throw .invalidParams(
        "This core speaks version \(version) of the protocol only.",
        data: [
          "path": "/protocol", "expected": .string("\(version)"), "found": .string("\(wanted)"),
          "versions": [1],
        ])
    }
    _ = try params.decode("client", Client.self)
    let capabilities = try params.decode("capabilities", Set<String>.self) ?? []
    // Nothing in the core speaks a language or knows a place yet; what is sent must be right all the
    // same, so that it can be used one day.
    _ = try params.optionalString("locale")
    _ = try params.optionalString("timeZone")
    try session.initialize(capabilities: capabilities)
    return .now { writer in
      writer.beginObject()
      writer.key("protocol")
      writer.int(version)
      writer.key("app")
      writer.json(["name": .string(session.app.name), "version": .string(session.app.version)])
      writer.key("revision")
      writer.int(session.revision)
      writer.key("limits")
      writer.raw(
        """
        {"line":\(session.limits.line),"depth":\(session.limits.depth),\
        "inFlight":\(session.limits.inFlight)}
        """)
      writer.endObject()
    }
  }

  private struct Client: Decodable {
    let name: String?
    let version: String?
  }
}
