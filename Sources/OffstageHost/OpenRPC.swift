package import Offstage
package import OffstageJSON

/// The description of an app and its protocol: an OpenRPC 1.3 document.
///
/// The methods are the same for every app. The extension `x-screens` describes the app's own inputs and
/// outputs, screen by screen.
package enum OpenRPC {
  /// - Throws: `SchemaError` for a type of a port that cannot be described.
  @CoreActor
  package static func document(
    of app: App, _ info: AppInfo, language: String = "en"
  ) throws -> JSON {
    let words = Words(labels: app.labels, language: language)
    var screens = JSONObject()
    for factory in app.screens { screens[factory.kind] = try describe(factory.describe(), words) }
    var prompts = JSONObject()
    for prompt in PromptDescription.everywhere + app.prompts {
      prompts[prompt.kind] = ["params": try prompt.params(), "answer": try prompt.answer()]
    }
    var document: JSONObject = [
      "openrpc": "1.3.2",
      "info": ["title": .string(info.name), "version": .string(info.version)],
      "methods": .array(Method.all.map(describe)),
      "components": ["errors": errors],
      "x-notifications": notifications,
      "x-screens": .object(screens),
      "x-prompts": .object(prompts),
    ]
    if let scope = app.scope { document["x-app"] = try describe(scope.describe(), words) }
    document["x-schema"] = .string(SchemaHash.of(.object(document)))
    return .object(document)
  }

  private static func describe(_ screen: ScreenDescription, _ words: Words) -> JSON {
    func members(_ ports: [(name: String, schema: JSON)]) -> JSON {
      var object = JSONObject()
      for (name, schema) in ports {
        object[name] = words.label(schema, "\(screen.kind).\(name)", name)
      }
      return .object(object)
    }
    return words.label(
      [
        "argument": screen.argument,
        "inputs": members(screen.inputs),
        "outputs": members(screen.outputs),
        "events": members(screen.events),
        "result": screen.result,
      ], screen.kind, screen.kind)
  }

  /// The words of an app in one language.
  private struct Words {
    let labels: Labels
    let language: String

    /// Adds the words of `key`, or else a title derived from `name`.
    func label(_ schema: JSON, _ key: String, _ name: String) -> JSON {
      guard case .object(var object) = schema else { return schema }
      let label = labels(key, language) ?? Label(derivedFrom: name)
      object["title"] = .string(label.title)
      if let description = label.description { object["description"] = .string(description) }
      if let placeholder = label.placeholder { object["placeholder"] = .string(placeholder) }
      return .object(object)
    }
  }

  private static func describe(_ method: Method) -> JSON {
    [
      "name": .string(method.name),
      "summary": .string(method.summary),
      "paramStructure": "by-name",
      "params": .array(
        method.params.map { param in
          [
            "name": .string(param.name), "required": .bool(param.isRequired),
            "schema": param.schema,
          ]
        }),
      "result": ["name": "result", "schema": method.result],
      "errors": .array(
        method.errors.map { ["$ref": .string("#/components/errors/\($0)")] }),
    ]
  }

  private static var errors: JSON {
    var object = JSONObject()
    for code in ErrorCode.allCases {
      object["\(code)"] = [
        "code": .number(JSONNumber(code.rawValue)), "message": .string(code.meaning),
      ]
    }
    return .object(object)
  }

  private static let notifications: JSON = [
    "frame": [
      "type": "object",
      "properties": [
        "revision": ["type": "integer", "minimum": 1],
        "patch": ["type": "array", "items": ["type": "object"]],
        "navigation": ["type": "array", "items": ["type": "object"]],
        "events": ["type": "array", "items": ["type": "object"]],
        "cause": [:],
      ],
      "required": ["revision"],
    ],
    "error": [
      "type": "object",
      "properties": ["code": ["type": "integer"], "message": ["type": "string"], "data": [:]],
      "required": ["code", "message"],
    ],
  ]
}
