package import OffstageJSON

/// The ports of a kind of screen, as JSON Schemas.
package struct ScreenDescription {
  /// A port: its schema, and the keywords beside it.
  package struct Member {
    package let name: String
    package let schema: JSON
    package var keywords: JSONObject = [:]
    /// True for an input that acts on a row.
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

  /// - Throws: `PortError` for a mistake in the declaration of the ports.
  @CoreActor
  init<S: Screen>(_ screen: S.Type, _ catalog: SchemaCatalog) throws(PortError) {
    try self.init(screen, named: S.kind, S.designation, catalog)
    argument = try catalog.schema(of: S.Argument.self, for: "the argument of \(S.designation)")
    result = try catalog.schema(of: S.Result.self, for: "the result of \(S.designation)")
  }

  /// - Throws: `PortError` for a mistake in the declaration of the ports.
  @CoreActor
  package init<P: Part>(
    _ part: P.Type, named name: String, _ designation: String, _ catalog: SchemaCatalog
  ) throws(PortError) {
    kind = name
    let (input, output) = (P.Input(), P.Output())
    let check = PortCheck(owner: designation)
    let ports = try check.ports(of: input, output)
    let screenOutputs = ScreenOutputs(output, ports.outputs, catalog)
    for (name, port) in ports.inputs {
      guard let port = port.asInput else { continue }
      var schema = try catalog.schema(
        of: port.valueType, for: "the input \"\(name)\" of \(designation)")
      if port.valueType == Bool?.self { schema = schema.adding(["enum": [true, false, nil]]) }
      let role = try InputRole(of: port, named: name, designation, screenOutputs)
      var member = Member(name: name, schema: schema, keywords: role.keywords)
      member.takesRow = [.row, .move].contains(role.kind)
      if let field = port.asField {
        if !field.validity.isEmpty { member.keywords["x-valid"] = .object(field.validity) }
        fields.append(member)
      }
      inputs.append(member)
    }
    for (name, port) in ports.outputs {
      if let event = port.asEvent {
        let schema = try catalog.schema(
          of: event.valueType, for: "the event \"\(name)\" of \(designation)")
        events.append(Member(name: name, schema: schema))
      } else if let output = port.asOutput {
        if let part = port.partType {
          try check.check(part)
          children.append((name, try catalog.part(part)))
        }
        let schema = try output.schema(
          catalog, for: "the output \"\(name)\" of \(designation)")
        if let rows = output.identifiedRowType { try check.check(rows, of: name, catalog) }
        outputs.append(Member(name: name, schema: schema.adding(output.meaning?.keywords ?? [:])))
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
