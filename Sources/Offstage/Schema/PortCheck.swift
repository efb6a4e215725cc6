internal import OffstageJSON

/// Checks the declaration of a screen for mistakes that the compiler cannot find.
@CoreActor
package struct PortCheck {
  /// The screen in error messages.
  private let screen: String
  /// The types of the app that were seen so far.
  private let catalog: SchemaCatalog

  /// - Throws: `PortError`, or `RoleError` for an input whose role refers to something that is not
  ///   there.
  package static func check<S: Screen>(_ screen: S.Type, _ catalog: SchemaCatalog) throws {
    let (input, output) = (S.Input(), S.Output())
    let check = Self(screen: "the screen \"\(S.kind)\"", catalog: catalog)
    try check.properties(of: input)
    try check.properties(of: output)
    try check.outputs(output)
    _ = try InputRoles(screen, input, output)
  }

  private func properties(of ports: some Ports) throws(PortError) {
    for child in Mirror(reflecting: ports).children where !(child.value is Port) {
      let property = "the property \"\(child.label ?? "")\" in the \(type(of: ports)) of \(screen)"
      guard child.value is any Ports else {
        throw PortError("\(property) is not a port: declare it as In, Field, Out, Event, or Rows")
      }
      throw PortError("\(property) holds ports of its own: declare them in \(type(of: ports))")
    }
  }

  private func outputs(_ output: some Ports) throws(PortError) {
    for (name, port) in output.named() {
      if name == "finished", port is any EventPort {
        throw PortError(
          "the event \"finished\" of \(screen) has the name of the event that carries the result of "
            + "a screen: rename it, or send its value with finish(_:)")
      }
      guard let list = port as? any List, !isEncodingID(list.rowType) else { continue }
      throw PortError(
        "the rows of the output \"\(name)\" of \(screen) are not encoded with their id, by which "
          + "front ends tell them apart: add a stored property \"id\" to \(list.rowType)")
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

@CoreActor
private protocol List {
  var rowType: any Decodable.Type { get }
}

extension Rows: List {
  fileprivate var rowType: any Decodable.Type { Row.self }
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
