package import OffstageJSON

/// The ports of a kind of screen, as JSON Schemas.
package struct ScreenDescription {
  /// A port, and what stands beside its schema.
  package struct Member {
    package let name: String
    package let schema: JSON
    package var keywords: JSONObject = [:]
  }

  package let kind: String
  package let argument: JSON
  package let result: JSON
  package var inputs: [Member] = []
  /// The inputs whose content is in the document.
  package var fields: [Member] = []
  package var outputs: [Member] = []
  package var events: [Member] = []

  /// - Throws: `SchemaError` for a port whose type has no schema.
  @CoreActor
  init<S: Screen>(_ screen: S.Type, _ catalog: SchemaCatalog) throws {
    let screen = "the screen \"\(S.kind)\""
    func schema(_ type: any Decodable.Type, _ place: String) throws -> JSON {
      try SchemaError.locate("\(place) of \(screen)") { try catalog.schema(of: type) }
    }
    kind = S.kind
    argument = try schema(S.Argument.self, "the argument")
    result = try schema(S.Result.self, "the result")
    let (input, output) = (S.Input(), S.Output())
    let roles = try InputRoles(S.self, input, output)
    for (name, port) in input.named() + output.named() {
      switch port {
      case let port as any InputPort:
        var type = try schema(port.valueType, "the input \"\(name)\"")
        if port.valueType == Bool?.self { type = type.adding(["enum": [true, false, nil]]) }
        var member = Member(name: name, schema: type, keywords: roles[name].keywords)
        if let field = port as? any FieldPort {
          if !field.validity.isEmpty { member.keywords["x-valid"] = .object(field.validity) }
          fields.append(member)
        }
        inputs.append(member)
      case let port as any OutputPort:
        let type = try schema(port.valueType, "the output \"\(name)\"")
        outputs.append(Member(name: name, schema: type.adding(port.meaning?.keywords ?? [:])))
      case let port as any EventPort:
        events.append(
          Member(name: name, schema: try schema(port.valueType, "the event \"\(name)\"")))
      default: break
      }
    }
  }
}
