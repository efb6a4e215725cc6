internal import Offstage
internal import OffstageJSON

/// The schemas of the document, its frames, and errors, together with the types of an app.
struct ProtocolSchemas {
  /// All schemas by name: first those of the protocol, then those of the app.
  private(set) var all = JSONObject()
  private(set) var screens: [ScreenDescription] = []
  /// The app as a whole; nil if it has no scope.
  private(set) var scope: ScreenDescription?
  /// The parts of screens.
  private(set) var parts: [ScreenDescription] = []
  /// The schemas of the params and answers of each kind of prompt.
  private(set) var prompts = JSONObject()

  /// - Parameters:
  ///   - app: The app to describe.
  ///   - labels: The titles of cases; nil to leave them out.
  /// - Throws: `SchemaError` for a type of a port that cannot be described.
  @CoreActor
  init(of app: App, _ labels: LocalizedLabels?) throws {
    for (name, schema) in Self.fixed.members { all[name] = schema }
    let kinds = app.screens.map(\.kind)
    let catalog = SchemaCatalog(labels: labels, reserved: Self.reserved(kinds))
    screens = try app.screens.map { try $0.describe(catalog) }
    scope = try app.scope?.describe(catalog)
    parts = catalog.parts
    try catalog.describeNavigation()
    for prompt in PromptDescription.builtIn + app.prompts {
      let params = try prompt.params(catalog)
      prompts[prompt.kind] = ["params": params, "answer": try prompt.answer(catalog)]
      add(
        Schema.object([
          "kind": Self.constant(prompt.kind), "screen": ["type": "string"], "params": params,
        ]), as: prompt.kind.pascalCased + "Prompt")
    }
    all["Prompt"] = Self.union(of: prompts.members.map(\.key), "Prompt")
    for screen in screens { addScreen(screen) }
    if let scope { addScope(scope) }
    all["Screen"] = Self.union(of: kinds, "Screen")
    for (name, schema) in catalog.schemas.members { all[name] = schema }
  }

  private mutating func add(_ schema: JSON, as name: String) { all[name] = schema }

  /// Adds a screen as the document holds it.
  private mutating func addScreen(_ screen: ScreenDescription) {
    var members: JSONObject = ["kind": Self.constant(screen.kind)]
    for (name, schema) in ports(of: screen).members { members[name] = schema }
    add(Schema.object(members), as: screen.kind.pascalCased + "Screen")
  }

  /// Adds the scope of the app as the member `app` of the document.
  private mutating func addScope(_ scope: ScreenDescription) {
    let name = scope.kind.pascalCased + "Scope"
    add(Schema.object(ports(of: scope)), as: name)
    guard var members = all["Document"]?["properties"]?.object else { return }
    members["app"] = Schema.reference(name)
    all["Document"] = Schema.object(members)
  }

  /// Adds the outputs and fields of a screen.
  /// - Returns: References to them, as members of the screen.
  private mutating func ports(of screen: ScreenDescription) -> JSONObject {
    let name = screen.kind.pascalCased
    var members: JSONObject = ["output": Schema.reference(name + "Output")]
    add(
      Schema.object(JSONObject(screen.outputs.map { ($0.name, $0.schema) })), as: name + "Output")
    if let fields = screen.fieldsSchema {
      members["fields"] = Schema.reference(name + "Fields")
      add(fields, as: name + "Fields")
    }
    return members
  }

  private static func constant(_ value: String) -> JSON {
    ["type": "string", "const": .string(value)]
  }

  private static func union(of kinds: [String], _ suffix: String) -> JSON {
    Schema.union("kind", kinds.map { ($0, Schema.reference($0.pascalCased + suffix)) })
  }

  /// The names that no type of the app may take.
  private static func reserved(_ kinds: [String]) -> [String] {
    let screens = (kinds + ["app"]).flatMap { kind in
      ["Screen", "Output", "Fields", "Scope"].map { kind.pascalCased + $0 }
    }
    return fixed.members.map(\.key) + ["Screen", "Prompt"] + screens
  }

  /// The schemas that are the same for every app.
  private static let fixed: JSONObject = {
    do {
      var schemas = try JSON(parsing: text).object ?? [:]
      for code in ErrorCode.allCases { schemas[code.schema] = schema(of: code) }
      // The constant `code` tells the cases apart. A `discriminator` takes strings only.
      schemas["Error"] = [
        "oneOf": .array(ErrorCode.allCases.map { Schema.reference($0.schema) })
      ]
      return schemas
    } catch { fatalError("\(error)") }
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

  private static let text = """
    {
      "Document": {"type": "object", "properties": {
        "navigation": {"$ref": "#/components/schemas/Navigation"},
        "screens": {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/Screen"}},
        "prompts": {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/Prompt"}}
      }, "required": ["navigation", "screens", "prompts"]},

      "Navigation": {"type": "object", "properties": {
        "root": {"$ref": "#/components/schemas/NavigationRoot"},
        "presented": {"type": "array", "items": {"$ref": "#/components/schemas/Presentation"}},
        "modals": {"type": "array", "items": {"$ref": "#/components/schemas/Modal"}}
      }, "required": ["root", "presented", "modals"]},
      "NavigationRoot": {
        "oneOf": [{"$ref": "#/components/schemas/StackRoot"}, {"$ref": "#/components/schemas/TabsRoot"}],
        "discriminator": {"propertyName": "type", "mapping": {
          "stack": "#/components/schemas/StackRoot", "tabs": "#/components/schemas/TabsRoot"}}},
      "StackRoot": {"type": "object", "properties": {
        "type": {"type": "string", "const": "stack"},
        "screens": {"$ref": "#/components/schemas/ScreenIDs"}
      }, "required": ["type", "screens"]},
      "TabsRoot": {"type": "object", "properties": {
        "type": {"type": "string", "const": "tabs"}, "selected": {"type": "string"},
        "tabs": {"type": "array", "items": {"$ref": "#/components/schemas/NavigationTab"}}
      }, "required": ["type", "selected", "tabs"]},
      "NavigationTab": {"type": "object", "properties": {
        "id": {"type": "string"}, "title": {"type": "string"}, "icon": {"type": "string"},
        "badge": {"type": ["string", "null"]},
        "screens": {"$ref": "#/components/schemas/ScreenIDs"}
      }, "required": ["id", "title", "icon", "screens"]},
      "Presentation": {
        "oneOf": [{"$ref": "#/components/schemas/SheetPresentation"}, {"$ref": "#/components/schemas/CoverPresentation"}],
        "discriminator": {"propertyName": "style", "mapping": {
          "sheet": "#/components/schemas/SheetPresentation",
          "fullScreenCover": "#/components/schemas/CoverPresentation"}}},
      "SheetPresentation": {"type": "object", "properties": {
        "id": {"type": "string"}, "style": {"type": "string", "const": "sheet"},
        "detents": {"type": "array", "items": {"type": "string", "enum": ["medium", "large"]}},
        "screens": {"$ref": "#/components/schemas/ScreenIDs"}
      }, "required": ["id", "style", "detents", "screens"]},
      "CoverPresentation": {"type": "object", "properties": {
        "id": {"type": "string"}, "style": {"type": "string", "const": "fullScreenCover"},
        "screens": {"$ref": "#/components/schemas/ScreenIDs"}
      }, "required": ["id", "style", "screens"]},
      "Modal": {"type": "object", "properties": {
        "id": {"type": "string"}, "screen": {"type": "string"},
        "background": {"$ref": "#/components/schemas/ModalBackground"}
      }, "required": ["id", "screen", "background"]},
      "ScreenIDs": {"type": "array", "items": {"type": "string"}},

      "NavigationCommand": {"type": "object", "properties": {
        "type": {"$ref": "#/components/schemas/NavigationCommandType"},
        "screens": {"$ref": "#/components/schemas/ScreenIDs"},
        "tab": {"type": "string"}, "presentation": {"type": "string"}, "modal": {"type": "string"},
        "transition": {"$ref": "#/components/schemas/Transition"}
      }, "required": ["type", "screens"]},
      "NavigationCommandType": {"type": "string", "enum": ["setRoot", "selectTab", "push", "pop",
        "popTo", "moveToTop", "present", "dismiss", "showModal", "dismissModal"]},

      "Frame": {"type": "object", "properties": {
        "revision": {"type": "integer", "minimum": 1},
        "cause": {"$ref": "#/components/schemas/RequestID"},
        "patch": {"type": "array", "items": {"$ref": "#/components/schemas/PatchOperation"}},
        "navigation": {"type": "array", "items": {"$ref": "#/components/schemas/NavigationCommand"}},
        "events": {"type": "array", "items": {"$ref": "#/components/schemas/FrameEvent"}},
        "schema": {"type": "string"}
      }, "required": ["revision"]},
      "FrameEvent": {"type": "object", "properties": {
        "screen": {"type": "string"}, "name": {"type": "string"}, "value": {}
      }, "required": ["screen", "name", "value"]},
      "LogRecord": {"type": "object", "properties": {
        "level": {"type": "string", "enum": ["debug", "info", "warning", "error"]},
        "message": {"type": "string"},
        "data": {"type": "object", "additionalProperties": {"type": "string"}},
        "cause": {"$ref": "#/components/schemas/RequestID"}, "screen": {"type": "string"}
      }, "required": ["level", "message"]},
      "RequestID": {"type": ["string", "integer", "number", "null"]},

      "PatchOperation": {
        "oneOf": [{"$ref": "#/components/schemas/AddOperation"}, {"$ref": "#/components/schemas/RemoveOperation"},
          {"$ref": "#/components/schemas/ReplaceOperation"}, {"$ref": "#/components/schemas/MoveOperation"}],
        "discriminator": {"propertyName": "op", "mapping": {
          "add": "#/components/schemas/AddOperation", "remove": "#/components/schemas/RemoveOperation",
          "replace": "#/components/schemas/ReplaceOperation", "move": "#/components/schemas/MoveOperation"}}},
      "AddOperation": {"type": "object", "properties": {
        "op": {"type": "string", "const": "add"}, "path": {"$ref": "#/components/schemas/Pointer"},
        "value": {}}, "required": ["op", "path", "value"]},
      "RemoveOperation": {"type": "object", "properties": {
        "op": {"type": "string", "const": "remove"}, "path": {"$ref": "#/components/schemas/Pointer"}
      }, "required": ["op", "path"]},
      "ReplaceOperation": {"type": "object", "properties": {
        "op": {"type": "string", "const": "replace"}, "path": {"$ref": "#/components/schemas/Pointer"},
        "value": {}}, "required": ["op", "path", "value"]},
      "MoveOperation": {"type": "object", "properties": {
        "op": {"type": "string", "const": "move"}, "path": {"$ref": "#/components/schemas/Pointer"},
        "from": {"$ref": "#/components/schemas/Pointer"}}, "required": ["op", "path", "from"]},
      "Pointer": {"type": "string", "format": "json-pointer"},

      "LinePosition": {"type": "object", "properties": {
        "line": {"type": "integer", "minimum": 1}, "offset": {"type": "integer", "minimum": 0}
      }, "required": ["line"]},
      "Mismatch": {"type": "object", "properties": {
        "path": {"$ref": "#/components/schemas/Pointer"}, "expected": {"type": "string"},
        "found": {"type": "string"}, "value": {},
        "protocols": {"type": "array", "items": {"type": "integer"}}
      }, "required": ["path", "expected", "found"]},
      "UnknownScreenData": {"type": "object", "properties": {"screen": {"type": "string"}},
        "required": ["screen"]},
      "UnknownInputData": {"type": "object", "properties": {
        "screen": {"type": "string"}, "inputs": {"type": "array", "items": {"type": "string"}}
      }, "required": ["screen", "inputs"]},
      "UnknownPromptData": {"type": "object", "properties": {"prompt": {"type": "string"}},
        "required": ["prompt"]},
      "RefusedData": {"type": "object", "properties": {
        "screen": {"type": "string"}, "presentation": {"type": "string"}, "tab": {"type": "string"},
        "url": {"type": "string"}, "milliseconds": {"type": "integer"}}},
      "OverloadedData": {"type": "object", "properties": {
        "events": {"type": "integer", "minimum": 0}, "errors": {"type": "integer", "minimum": 0}
      }, "required": ["events", "errors"]},
      "UnknownResourceData": {"type": "object", "properties": {"uri": {"type": "string"}},
        "required": ["uri"]}
    }
    """
}

extension SchemaCatalog {
  /// Adds the types of the navigation that authors use.
  fileprivate func describeNavigation() throws {
    _ = try schema(of: ModalBackground.self)
    _ = try schema(of: Transition.self)
  }
}
