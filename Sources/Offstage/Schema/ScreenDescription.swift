package import OffstageJSON

/// The ports of a kind of screen, as JSON Schemas.
package struct ScreenDescription {
  /// A port, and what stands beside its schema.
  package struct Member {
    package let name: String
    package let schema: JSON
    package var keywords: JSONObject = [:]
    /// True for an input that does something to a row.
    package var takesRow = false
  }

  /// The kind of the screen, or the name of the part.
  package let kind: String
  /// nil for a part of a screen.
  package var argument: JSON?
  /// nil for a part of a screen.
  package var result: JSON?
  package var inputs: [Member] = []
  /// The inputs whose content is in the document.
  package var fields: [Member] = []
  package var outputs: [Member] = []
  package var events: [Member] = []
  /// The names of the parts that outputs show, by the names of these outputs.
  package var children: [(name: String, part: String)] = []

  /// - Throws: `SchemaError` for a port whose type has no schema.
  @CoreActor
  init<S: Screen>(_ screen: S.Type, _ catalog: SchemaCatalog) throws {
    try self.init(screen, named: S.kind, S.designation, catalog)
    argument = try Self.schema(of: S.Argument.self, "the argument of \(S.designation)", catalog)
    result = try Self.schema(of: S.Result.self, "the result of \(S.designation)", catalog)
  }

  private static func schema(
    of type: any Decodable.Type, _ context: String, _ catalog: SchemaCatalog
  ) throws -> JSON {
    try SchemaError.adding(context: context) { try catalog.schema(of: type) }
  }

  /// - Throws: `SchemaError` for a port whose type has no schema.
  @CoreActor
  init<P: Part>(
    _ part: P.Type, named name: String, _ designation: String, _ catalog: SchemaCatalog
  ) throws {
    func schema(_ type: any Decodable.Type, _ context: String) throws -> JSON {
      try Self.schema(of: type, "\(context) of \(designation)", catalog)
    }
    kind = name
    let (input, output) = (P.Input(), P.Output())
    let roles = try InputRole.all(of: part, input, output, catalog)
    for (name, port) in input.named() + output.named() {
      if let port = port.asInput {
        var type = try schema(port.valueType, "the input \"\(name)\"")
        if port.valueType == Bool?.self { type = type.adding(["enum": [true, false, nil]]) }
        let role = roles[name]!
        var member = Member(name: name, schema: type, keywords: role.keywords)
        member.takesRow = [.row, .move].contains(role.kind)
        if let field = port.asField {
          if !field.validity.isEmpty { member.keywords["x-valid"] = .object(field.validity) }
          fields.append(member)
        }
        inputs.append(member)
      } else if let port = port.asOutput {
        let type = try SchemaError.adding(context: "the output \"\(name)\" of \(designation)") {
          try port.schema(catalog)
        }
        if let part = port.partType { children.append((name, try catalog.part(part))) }
        outputs.append(Member(name: name, schema: type.adding(port.meaning?.keywords ?? [:])))
      } else if let port = port.asEvent {
        events.append(
          Member(name: name, schema: try schema(port.valueType, "the event \"\(name)\"")))
      }
    }
  }

  /// The schemas of the fields in the document; nil for a screen without fields.
  package var fieldsSchema: JSON? {
    guard !fields.isEmpty else { return nil }
    return Schema.object(
      JSONObject(
        fields.map { field in
          (
            field.name,
            Schema.object(["value": field.schema, "error": ["type": ["string", "null"]]])
          )
        }))
  }

  func partSchema(id: JSON?) -> JSON {
    var members: JSONObject = [:]
    members["id"] = id
    for output in outputs { members[output.name] = output.schema }
    members["fields"] = fieldsSchema
    return Schema.object(members)
  }
}
