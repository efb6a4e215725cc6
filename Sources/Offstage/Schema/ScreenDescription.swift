package import OffstageJSON

/// The ports of a kind of screen, as JSON Schemas.
package struct ScreenDescription {
  /// A port: its schema, and the keywords beside it.
  package struct Member {
    package let name: String
    package var schema: JSON
    package var keywords: JSONObject = [:]
    /// True for an input that acts on a row.
    package var takesRow = false
  }

  /// The kind of the screen, or the name of the part.
  package let kind: String
  /// nil for a screen without an argument, and for a part of one.
  package var argument: JSON?
  /// nil for a screen without a result, and for a part of one.
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
    if S.Argument.self != Empty.self {
      argument = try catalog.schema(of: S.Argument.self, for: "the argument of \(S.designation)")
    }
    if S.Result.self != Empty.self {
      result = try catalog.schema(of: S.Result.self, for: "the result of \(S.designation)")
    }
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
    let isScreen = part is any Screen.Type
    var screen = ScreenPorts(
      owner: designation, input: input, output: output, catalog: catalog,
      isScreen: isScreen, isRow: !isScreen && part.idType != nil)
    for (name, port) in ports.inputs {
      guard let input = port.asInput else { continue }
      var schema = try catalog.schema(
        of: input.valueType, for: "the input \"\(name)\" of \(designation)")
      if input.valueType == Trigger.self { schema = ["type": "null"] }
      if input.valueType == Bool?.self {
        schema = schema.adding(catalog.choiceOfThree(titledBy: "\(kind).\(name)"))
      }
      screen.add(port, name, schema, to: \.inputs)
    }
    for (name, port) in ports.outputs {
      if let type = port.eventType {
        let schema = try catalog.schema(
          of: type, for: "the event \"\(name)\" of \(designation)")
        screen.add(port, name, schema, to: \.outputs)
      } else if let output = port.asOutput {
        if let part = port.partType {
          try check.check(part)
          children.append((name, try catalog.part(part)))
        }
        let schema = try output.schema(
          catalog, for: "the output \"\(name)\" of \(designation)")
        if let rows = output.rowTypes?.row as? any Decodable.Type {
          try check.check(rows, of: name, catalog)
        } else if let list = output.valueType as? any RowArray.Type, output.rowTypes == nil {
          throw PortError(
            "the output \"\(name)\" of \(designation) is a list whose elements have ids: declare it as "
              + "Rows<\(list.element)>()")
        }
        screen.add(port, name, schema, to: \.outputs)
      }
    }
    try screen.findRoles()
    for port in screen.inputs {
      var member = Member(name: port.name, schema: port.schema, keywords: port.keywords)
      member.takesRow = [InputRole.row, .move].contains { $0.rawValue == port.role }
      if let field = port.port.asField {
        if !field.validity.isEmpty { member.keywords["x-valid"] = .object(field.validity) }
        fields.append(member)
      }
      inputs.append(member)
    }
    for port in screen.outputs {
      var member = Member(name: port.name, schema: port.schema, keywords: port.keywords)
      if let window = port.port.asOutput?.windowPort {
        member.schema = catalog.window(type(of: window), of: port.schema)
        member.keywords["x-window"] = true
        if window.isFromEnd { member.keywords["x-from"] = "end" }
      }
      if port.port.eventType != nil { events.append(member) } else { outputs.append(member) }
    }
  }

  /// The schemas of the fields in the document; nil for a screen without fields.
  package var fieldsSchema: JSON? {
    guard !fields.isEmpty else { return nil }
    return Schema.object(
      JSONObject(
        fields.map { field in
          var schema = Schema.object([
            "value": field.schema, "error": ["type": ["string", "null"]],
          ])
          schema["properties"]?["isChecking"] = ["const": true]
          return (field.name, schema)
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
