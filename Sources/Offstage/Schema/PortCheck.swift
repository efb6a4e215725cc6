internal import OffstageJSON

/// Checks the declaration of a screen and its parts for mistakes that the compiler cannot find.
@CoreActor
package struct PortCheck {
  private let catalog: SchemaCatalog
  /// The screen or part in error messages.
  private var screen = ""
  /// The parts that were checked: a part may contain itself.
  private var checked: Set<ObjectIdentifier> = []

  /// - Throws: `PortError`
  package static func check<P: Part>(
    _ part: P.Type, _ designation: String, _ catalog: SchemaCatalog
  ) throws {
    var check = Self(catalog: catalog)
    try check.check(part, designation)
  }

  private mutating func check<P: Part>(_ part: P.Type, _ designation: String) throws {
    guard checked.insert(ObjectIdentifier(part)).inserted else { return }
    let outer = screen
    screen = designation
    defer { screen = outer }
    let (input, output) = (P.Input(), P.Output())
    let (inputs, outputs) = (try ports(of: input), try ports(of: output))
    try checkPlacement(inputs, outputs)
    for (name, port) in inputs + outputs { try checkType(name, port) }
    try checkOutputs(outputs)
    _ = try InputRole.all(of: part, input, output, catalog)
    for (_, port) in outputs {
      if let part = port.partType { try checkPart(part) }
    }
  }

  private mutating func checkPart<P: Part>(_ part: P.Type) throws {
    guard !(part is any Screen.Type) else {
      throw PortError(
        "\(P.designation) is shown as a part of \(screen): declare it as a Part, without a kind")
    }
    let reserved = (P.idType == nil ? [] : ["id"]) + ["fields"]
    for (name, port) in P.Output().named() where port.asOutput != nil && reserved.contains(name) {
      throw PortError(
        "the output \"\(name)\" of \(P.designation) has the name of the member of a part that holds its "
          + "\(name): rename it")
    }
    try check(part, P.designation)
  }

  /// The ports by name. Refuses a property that is not a port.
  private func ports(of ports: some Ports) throws(PortError) -> [(name: String, port: Port)] {
    let named = ports.named()
    let properties = Mirror(reflecting: ports).children
    guard named.count < properties.count else { return named }
    for child in properties where !(child.value is Port) {
      let property = "the property \"\(child.label ?? "")\" in the \(type(of: ports)) of \(screen)"
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

  /// Refuses a port in the wrong struct, and one with two names.
  private func checkPlacement(
    _ inputs: [(name: String, port: Port)], _ outputs: [(name: String, port: Port)]
  ) throws(PortError) {
    for (name, port) in inputs where port.asInput == nil {
      throw PortError("the \(port.noun) \"\(name)\" of \(screen) is in Input: declare it in Output")
    }
    for (name, port) in outputs where port.asInput != nil {
      throw PortError("the \(port.noun) \"\(name)\" of \(screen) is in Output: declare it in Input")
    }
    var names: [ObjectIdentifier: String] = [:]
    for (name, port) in inputs + outputs {
      guard let other = names.updateValue(name, forKey: ObjectIdentifier(port)) else { continue }
      throw PortError(
        "\"\(other)\" and \"\(name)\" of \(screen) are one port: create one for each name")
    }
  }

  /// Refuses dictionaries and unions that are not objects in JSON. Other types without a schema are
  /// served.
  private func checkType(_ name: String, _ port: Port) throws {
    do {
      try SchemaError.adding(context: "the \(port.noun) \"\(name)\" of \(screen)") {
        if let row = port.asOutput?.identifiedRowType {
          _ = try catalog.schema(of: row)
        } else if let type = port.type {
          try catalog.check(type)
        }
      }
    } catch let error as SchemaError {
      if error.isFatal { throw PortError("\(error)") }
    }
  }

  private func checkOutputs(_ outputs: [(name: String, port: Port)]) throws(PortError) {
    for (name, port) in outputs {
      if name == "finished", port.asEvent != nil {
        throw PortError(
          "the event \"finished\" of \(screen) has the name of the event that carries the result of "
            + "a screen: rename it, or send its value with finish(_:)")
      }
      guard let row = port.asOutput?.identifiedRowType, !isEncodingID(row) else { continue }
      throw PortError(
        "the rows of the output \"\(name)\" of \(screen) are not encoded with their id, by which "
          + "front ends tell them apart: add a stored property \"id\" to \(row)")
    }
  }

  /// True for a type without a schema, too.
  private func isEncodingID(_ row: any Decodable.Type) -> Bool {
    guard let schema = try? catalog.schema(of: row) else { return true }
    return catalog.hasMember("id", schema)
  }
}

/// A screen whose ports cannot work.
package struct PortError: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

extension Port {
  fileprivate var noun: String {
    asInput != nil ? "input" : asEvent != nil ? "event" : "output"
  }

  /// The type of its values, or of the parts that it shows.
  fileprivate var type: (any Any.Type)? {
    asInput.map { $0.valueType } ?? asEvent.map { $0.valueType } ?? asOutput.map { $0.valueType }
  }
}

extension SchemaCatalog {
  /// True if all values of a schema may have a member.
  fileprivate func hasMember(_ name: String, _ schema: JSON) -> Bool {
    if let reference = schema["$ref"]?.string, let key = reference.split(separator: "/").last {
      return schemas[String(key)].map { hasMember(name, $0) } ?? true
    }
    if let alternatives = schema["oneOf"]?.array {
      return alternatives.allSatisfy { hasMember(name, $0) }
    }
    return schema["properties"]?.object.map { $0[name] != nil } ?? true
  }
}
