/// Finds the mistakes in the declaration of a screen or part that the compiler cannot find.
@CoreActor
struct PortCheck {
  let owner: String

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
    if outputs.contains(where: { $0.name == "finished" && $0.port.eventType != nil }) {
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
protocol RowArray {
  static var element: any Any.Type { get }
}

extension Array: RowArray where Element: Identifiable {
  static var element: any Any.Type { Element.self }
}

/// A mistake in the declaration of the ports of a screen or part.
package struct PortError: Error, CustomStringConvertible {
  package let description: String

  init(_ message: String) { description = message }

  /// The error with the place where the author lists the screen.
  func located(at fileID: StaticString, _ line: UInt) -> Self {
    Self("\(fileID):\(line): \(description)")
  }
}

extension Port {
  var noun: String {
    asInput != nil ? "input" : eventType != nil ? "event" : "output"
  }
}
