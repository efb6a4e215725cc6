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
      if port.valueType == Bool?.self { schema = schema.adding(["enum": [true, false, .null]]) }
      let role = try InputRole(of: port, named: name, designation, screenOutputs)
      if role.kind != .toggle, role.enabledBy == nil, let output = screenOutputs.lookalike(name) {
        let stem = InputStem(name).subject.map(\.pascalCased).joined()
        throw PortError(
          "the output \"\(output)\" of \(designation) does not enable the input \"\(name)\": call it "
            + "\"is\(stem)Enabled\" or \"can\(stem)\", or declare the input with .enabled(by:)")
      }
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
        if let rows = output.rowTypes?.row as? any Decodable.Type {
          try check.check(rows, of: name, catalog)
        } else if let list = output.valueType as? any RowArray.Type, output.rowTypes == nil {
          throw PortError(
            "the output \"\(name)\" of \(designation) is a list whose elements have ids: declare it as "
              + "Rows<\(list.element)>()")
        }
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

/// Finds the mistakes in the declaration of a screen or part that the compiler cannot find.
@CoreActor
struct PortCheck {
  /// The screen or part in error messages.
  let owner: String

  /// The inputs and outputs by name.
  func ports(
    of input: some Ports, _ output: some Ports
  ) throws(PortError) -> (
    inputs: [(name: String, port: Port)], outputs: [(name: String, port: Port)]
  ) {
    let (inputs, outputs) = (try ports(of: input), try ports(of: output))
    for (name, port) in inputs where port.asInput == nil {
      throw PortError("the \(port.noun) \"\(name)\" of \(owner) is in Input: declare it in Output")
    }
    for (name, port) in outputs where port.asInput != nil {
      throw PortError("the \(port.noun) \"\(name)\" of \(owner) is in Output: declare it in Input")
    }
    var names: [ObjectIdentifier: String] = [:]
    for (name, port) in inputs + outputs {
      guard let other = names.updateValue(name, forKey: ObjectIdentifier(port)) else { continue }
      throw PortError(
        "\"\(other)\" and \"\(name)\" of \(owner) are one port: create one for each name")
    }
    if outputs.contains(where: { $0.name == "finished" && $0.port.asEvent != nil }) {
      throw PortError(
        "the event \"finished\" of \(owner) has a reserved name, that of the event that carries the "
          + "result of a screen: rename it, or send its value with finish(_:)")
    }
    return (inputs, outputs)
  }

  /// Refuses a property that is not a port.
  private func ports(of ports: some Ports) throws(PortError) -> [(name: String, port: Port)] {
    let properties = Mirror(reflecting: ports).children
    let named = properties.named
    guard named.count < properties.count else { return named }
    for child in properties where !(child.value is Port) {
      let property = "the property \"\(child.label ?? "")\" in the \(type(of: ports)) of \(owner)"
      guard child.value is any Ports else {
        throw PortError(
          "\(property) is not a port: declare it as In or Field in Input, as Out, Event, Rows, Child, or "
            + "Children in Output, or as a property of the screen")
      }
      throw PortError(
        "\(property) holds ports of its own: declare them in \(type(of: ports)), or make it a Part "
          + "and show it with Child or Children")
    }
    return named
  }

  /// Refuses a part that an output cannot show.
  func check<P: Part>(_ part: P.Type) throws(PortError) {
    guard !(part is any Screen.Type) else {
      throw PortError(
        "\(P.designation) is shown as a part of \(owner): declare it as a Part, without a kind")
    }
    let reserved = (P.idType == nil ? [] : ["id"]) + ["fields"]
    for (name, port) in P.Output().named() where port.asOutput != nil && reserved.contains(name) {
      throw PortError(
        "the output \"\(name)\" of \(P.designation) has a reserved name, that of the member for the "
          + "\(name) of a part: rename it")
    }
  }

  /// Refuses rows whose schema has no member `id`.
  func check(_ rows: any Decodable.Type, of output: String, _ catalog: SchemaCatalog)
    throws(PortError)
  {
    guard catalog.lacksMember("id", of: rows) else { return }
    throw PortError(
      "the rows of the output \"\(output)\" of \(owner) are not encoded with their id, by which "
        + "front ends tell them apart: add a stored property \"id\" to \(rows)")
  }
}

/// An array that belongs in ``Rows``.
private protocol RowArray {
  static var element: any Any.Type { get }
}

extension Array: RowArray where Element: Identifiable {
  fileprivate static var element: any Any.Type { Element.self }
}

/// A mistake in the declaration of the ports of a screen or part.
package struct PortError: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

extension Port {
  fileprivate var noun: String {
    asInput != nil ? "input" : asEvent != nil ? "event" : "output"
  }
}
