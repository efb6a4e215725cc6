internal import Offstage
internal import OffstageJSON

/// The schemas of the document, its frames, and errors, together with the types of an app.
struct ProtocolSchemas {
  /// All schemas by name: first those of the protocol, then those of the app.
  private(set) var all = JSONObject()
  private(set) var screens: [ScreenDescription] = []
  /// The app as a whole; nil if it has no scope.
  private(set) var scope: ScreenDescription?
  private(set) var parts: [ScreenDescription] = []
  /// The labels of each kind of prompt, with the schemas of its params and answers.
  private(set) var prompts = JSONObject()

  /// - Throws: `PortError` for a mistake in the declaration of a port, or a type without a schema.
  @CoreActor
  init(of app: App, _ labels: LocalizedLabels) throws {
    for (name, schema) in Self.fixed.members { all[name] = schema }
    let kinds = app.screens.map(\.kind)
    let catalog = SchemaCatalog(labels: labels, reserved: Self.reserved(kinds, app.prompts))
    (screens, scope) = try app.describe(catalog)
    parts = catalog.parts
    for type in [ModalBackground.self, Transition.self] as [any Decodable.Type] {
      _ = try catalog.schema(of: type)
    }
    for prompt in PromptDescription.builtIn + app.prompts {
      let (name, params) = (prompt.kind.pascalCased + "Prompt", try prompt.params(catalog))
      var keywords = labels.label(name, of: prompt).keywords
      keywords["params"] = params
      keywords["answer"] = try prompt.answer(catalog)
      prompts[prompt.kind] = .object(keywords)
      all[name] = Schema.object([
        "kind": JSONSchema.literal(prompt.kind).json, "screen": ["type": "string"],
        "params": params,
      ])
    }
    all["Prompt"] = Self.union(of: prompts.members.map(\.key), "Prompt")
    for screen in screens {
      var members: JSONObject = ["kind": JSONSchema.literal(screen.kind).json]
      for (name, schema) in ports(of: screen).members { members[name] = schema }
      var schema = Schema.object(members)
      schema["properties"]?["url"] = ["type": "string", "format": "uri"]
      all[screen.kind.pascalCased + "Screen"] = schema
    }
    if let scope {
      let name = scope.kind.pascalCased + "Scope"
      all[name] = Schema.object(ports(of: scope))
      var document = all["Document"] ?? .null
      document["properties"]?["app"] = Schema.reference(name)
      document["required"] = .array((document["required"]?.array ?? []) + ["app"])
      all["Document"] = document
    }
    all["Screen"] = Self.union(of: kinds, "Screen")
    for (name, schema) in catalog.schemas.members { all[name] = schema }
    if let failure = catalog.failure { throw failure }
  }

  /// Adds the outputs and fields of a screen, and returns references to them as its members.
  private mutating func ports(of screen: ScreenDescription) -> JSONObject {
    let name = screen.kind.pascalCased
    var members: JSONObject = ["output": Schema.reference(name + "Output")]
    all[name + "Output"] = Schema.object(JSONObject(screen.outputs.map { ($0.name, $0.schema) }))
    if let fields = screen.fieldsSchema {
      members["fields"] = Schema.reference(name + "Fields")
      all[name + "Fields"] = fields
    }
    return members
  }

  private static func union(of kinds: [String], _ suffix: String) -> JSON {
    Schema.union("kind", kinds.map { ($0, Schema.reference($0.pascalCased + suffix)) })
  }

  /// Returns the names that no type of the app may use.
  private static func reserved(_ kinds: [String], _ prompts: [PromptDescription]) -> [String] {
    let screens = (kinds + ["app"]).flatMap { kind in
      ["Screen", "Output", "Fields", "Scope"].map { kind.pascalCased + $0 }
    }
    let prompts = (PromptDescription.builtIn + prompts).map { $0.kind.pascalCased + "Prompt" }
    return fixed.members.map(\.key) + ["Screen", "Prompt"] + screens + prompts
  }

  /// The schemas that are the same for every app.
  private static let fixed: JSONObject = {
    var schemas = JSONObject(shared.map { ($0.key, $0.value.json) })
    for method in Method.all {
      let description = method.description
      schemas[method.paramsName] =
        JSONSchema.object(description.params, exactlyOneOf: description.choice).json
      if let result = description.result { schemas[result.name] = result.schema.json }
    }
    for code in ErrorCode.allCases { schemas[code.schema] = schema(of: code) }
    // The constant `code` identifies the case. A `discriminator` would have to be a string.
    schemas["Error"] = ["oneOf": .array(ErrorCode.allCases.map { Schema.reference($0.schema) })]
    return schemas
  }()

  private static func schema(of code: ErrorCode) -> JSON {
    var schema = Schema.object([
      "code": ["type": "integer", "const": .int(code.rawValue)], "message": ["type": "string"],
    ])
    guard let (data, isRequired) = code.data else { return schema }
    schema["properties"]?["data"] = Schema.reference(data)
    if isRequired { schema["required"] = ["code", "message", "data"] }
    return schema
  }

  private static let shared: KeyValuePairs<String, JSONSchema> = [
    "Document": .object([
      "navigation": "Navigation", "display?": "Display", "screens": .map("Screen"),
      "prompts": .map("Prompt"),
    ]),
    "Display": .object([
      "language": .types("string", "null"),
      "appearance": JSONSchema(
        ["enum": .array(Appearance.allCases.map { .string($0.rawValue) } + [.null])]),
    ]),

    "Navigation": .object([
      "root": "NavigationRoot", "presented": .array("Presentation"), "modals": .array("Modal"),
    ]),
    "NavigationRoot": .union("type", ["stack": "StackRoot", "tabs": "TabsRoot"]),
    "StackRoot": .object(["type": .literal("stack"), "screens": "ScreenIDs"]),
    "TabsRoot": .object([
      "type": .literal("tabs"), "selected": .string, "tabs": .array("NavigationTab"),
    ]),
    "NavigationTab": .object([
      "id": .string, "title": .string, "icon": .string, "badge?": .types("string", "null"),
      "screens": "ScreenIDs",
    ]),
    "Presentation": .union(
      "style", ["sheet": "SheetPresentation", "fullScreenCover": "CoverPresentation"]),
    "SheetPresentation": .object([
      "id": .string, "style": .literal("sheet"),
      "detents": .array(.string(oneOf: PresentationStyle.Detent.allCases.map(\.rawValue))),
      "screens": "ScreenIDs",
    ]),
    "CoverPresentation": .object([
      "id": .string, "style": .literal("fullScreenCover"), "screens": "ScreenIDs",
    ]),
    "Modal": .object(["id": .string, "screen": .string, "background": "ModalBackground"]),
    "ScreenIDs": .array(.string),

    "NavigationCommand": .object([
      "type": "NavigationCommandType", "screens": "ScreenIDs", "tab?": .string,
      "presentation?": .string, "modal?": .string, "transition?": "Transition",
    ]),
    "NavigationCommandType": .string(oneOf: NavigationCommand.Kind.allCases.map(\.rawValue)),

    "Frame": .object([
      "revision": .integer(from: 1), "cause?": "RequestID", "patch?": .array("PatchOperation"),
      "navigation?": .array("NavigationCommand"), "events?": .array("FrameEvent"),
      "schema?": .string,
    ]),
    "FrameEvent": .object(["screen": .string, "name": .string, "value": .any]),
    "LogRecord": .object([
      "level": .string(oneOf: LogLevel.allCases.map(\.rawValue)), "message": .string,
      "data?": .map(.string), "cause?": "RequestID", "screen?": .string,
    ]),
    "RequestID": .requestID,
    "PromptFailure": .object(["message": .string.described("Why there is no answer.")]),

    "PatchOperation": .union(
      "op",
      [
        "add": "AddOperation", "remove": "RemoveOperation", "replace": "ReplaceOperation",
        "move": "MoveOperation", "append": "AppendOperation",
      ]),
    "AddOperation": .object(["op": .literal("add"), "path": "Pointer", "value": .any]),
    "RemoveOperation": .object(["op": .literal("remove"), "path": "Pointer"]),
    "ReplaceOperation": .object(["op": .literal("replace"), "path": "Pointer", "value": .any]),
    "MoveOperation": .object(["op": .literal("move"), "path": "Pointer", "from": "Pointer"]),
    "AppendOperation": .object(["op": .literal("append"), "path": "Pointer", "value": .string]),
    "Pointer": JSONSchema(["type": "string", "format": "json-pointer"]),

    "LinePosition": .object(["line": .integer(from: 1), "offset?": .integer(from: 0)]),
    "Mismatch": .object([
      "path": "Pointer", "expected": .string, "found": .string, "value?": .any,
      "protocols?": .array(.integer),
    ]),
    "UnknownScreenData": .object(["screen": .string]),
    "UnknownInputData": .object(["screen": .string, "inputs": .array(.string)]),
    "UnknownPromptData": .object(["prompt": .string]),
    "RefusedData": .object([
      "screen?": .string, "presentation?": .string, "tab?": .string, "url?": .string,
      "milliseconds?": .integer,
    ]),
    "OverloadedData": .object(["events": .integer(from: 0), "errors": .integer(from: 0)]),
    "UnknownResourceData": .object(["uri": .string]),
  ]
}
