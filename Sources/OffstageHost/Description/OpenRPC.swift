package import Offstage
package import OffstageJSON

/// The description of an app and its protocol: an OpenRPC 1.3 document.
///
/// The methods are the same for every app. `x-screens` and `x-parts` describe its own ports.
package enum OpenRPC {
  /// - Throws: `PortError` for a mistake in the declaration of a port, or a type without a schema.
  @CoreActor
  package static func document(
    of app: App, _ info: AppInfo, language: LanguageTag = "en"
  ) throws -> JSON {
    let labels = LocalizedLabels(app.labels, language: language)
    let schemas = try ProtocolSchemas(of: app, labels)
    var document: JSONObject = [
      "openrpc": "1.3.2",
      "info": ["title": .string(info.name), "version": .string(info.version)],
      "methods": .array(Method.all.map(describe)),
      "components": ["schemas": .object(schemas.all), "errors": errors(schemas.all)],
      "x-notifications": [
        "frame": Schema.reference("Frame"), "error": Schema.reference("Error"),
        "log": Schema.reference("LogRecord"),
      ],
      "x-screens": .object(
        JSONObject(schemas.screens.map { ($0.kind, describe($0, labels)) })),
      "x-prompts": .object(schemas.prompts),
    ]
    document["x-app"] = schemas.scope.map { describe($0, labels) }
    if !schemas.parts.isEmpty {
      document["x-parts"] = .object(
        JSONObject(schemas.parts.map { ($0.kind, describe($0, labels)) }))
    }
    document["x-state"] = StateSchema.file.json
    document["x-language"] = .string(language.description)
    document["x-schema"] = try SchemaHash.of(app).map { .string($0) }
    return .object(document)
  }

  private static func describe(_ screen: ScreenDescription, _ labels: LocalizedLabels) -> JSON {
    func members(_ ports: [ScreenDescription.Member]) -> JSON {
      var object = JSONObject()
      for port in ports {
        let label = labels.label(
          "\(screen.kind).\(port.name)", derivedFrom: port.name, isAction: port.takesRow)
        object[port.name] = port.schema.adding(label.keywords).adding(port.keywords)
      }
      return .object(object)
    }
    let label = labels.label(screen.kind, derivedFrom: screen.kind)
    var object = label.keywords
    object["argument"] = screen.argument
    object["inputs"] = members(screen.inputs)
    object["fields"] = members(screen.fields)
    object["outputs"] = members(screen.outputs)
    object["events"] = members(screen.events)
    object["result"] = screen.result
    if !screen.children.isEmpty {
      object["children"] = .object(
        JSONObject(screen.children.map { ($0.name, .string($0.part)) }))
    }
    return .object(object)
  }

  private static func describe(_ method: Method) -> JSON {
    let description = method.description
    var object: JSONObject = [
      "name": .string(method.name),
      "summary": .string(method.summary),
      "description": .string(description.text),
      "paramStructure": "by-name",
      "params": .array(
        description.params.map { param in
          [
            "name": .string(param.name), "required": .bool(param.isRequired),
            "schema": param.schema,
          ]
        }),
      // OpenRPC has no place for a rule about several params, such as "exactly one of these".
      "x-params": Schema.reference(method.paramsName),
    ]
    var example: JSONObject = [
      "name": "example",
      "params": .array(
        description.example.params.members.map { ["name": .string($0.key), "value": $0.value] }),
    ]
    if let result = description.result {
      object["result"] = ["name": .string(result.name), "schema": Schema.reference(result.name)]
      example["result"] = description.example.result.map {
        ["name": .string(result.name), "value": $0]
      }
    }
    object["errors"] = .array(
      method.errors.map { ["$ref": .string("#/components/errors/\($0.schema)")] })
    object["examples"] = [.object(example)]
    return .object(object)
  }

  private static func errors(_ schemas: JSONObject) -> JSON {
    var errors = JSONObject()
    for code in ErrorCode.allCases {
      var error: JSONObject = [
        "code": .int(code.rawValue), "message": .string(code.meaning),
      ]
      error["data"] = schemas[code.schema]?["properties"]?["data"]
      errors[code.schema] = .object(error)
    }
    return .object(errors)
  }
}

extension Label {
  var keywords: JSONObject {
    var keywords: JSONObject = ["title": .string(title)]
    keywords["description"] = description.map { .string($0) }
    keywords["placeholder"] = placeholder.map { .string($0) }
    return keywords
  }
}
