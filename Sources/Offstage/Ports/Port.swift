package import OffstageJSON

/// A struct of ports: what a screen takes in, or what it puts out.
///
/// Every stored property is a port, and its name is its name on the wire.
/// ```swift
/// struct Input: Ports {
///   let nameText = In<String?>(nil)
///   let confirm = In<Trigger>()
/// }
/// ```
@CoreActor
public protocol Ports {
  init()
}

/// What `In`, `Out`, `Event` and `Rows` have in common: a name on the wire and a screen they are of.
@CoreActor
public class Port {
  package private(set) var name = ""
  /// Nil before the screen is there and after it has closed.
  @exclusivity(unchecked) package private(set) unowned var node: ScreenNode?

  package init() {}

  /// Its name and where it is, for whoever reads of a fault.
  final var label: String { "\"\(name)\" of screen \(node?.id.description ?? "?")" }

  func attach(to node: ScreenNode, as name: String) {
    self.name = name
    self.node = node
  }

  /// Cuts the port off: nothing passes it any more, and whatever its observers captured is let go.
  func detach() { node = nil }
}

/// A port that the front end sends to.
@CoreActor
package protocol InputPort: Port {
  /// Takes a value from the wire; nil when the request had none.
  /// - Throws: `JSONMismatch` for a value of the wrong shape; the port is then unchanged.
  func receive(_ value: JSONView?) throws(JSONMismatch)
  /// The JSON Schema of what it takes.
  var schema: JSON { get throws }
}

/// A port that is part of the document.
@CoreActor
package protocol OutputPort: Port {
  /// Writes the whole value, and forgets what has changed until now.
  func write(to writer: inout JSONWriter)
  /// Writes what has changed since the last write.
  func writeChanges(to writer: inout JSONWriter)
  var schema: JSON { get throws }
}

/// A port whose values are told once and not kept.
@CoreActor
package protocol EventPort: Port {
  var schema: JSON { get throws }
}

extension Ports {
  /// Its ports by name, in the order in which they are declared.
  func named() -> [(name: String, port: Port)] {
    Mirror(reflecting: self).children.compactMap { child in
      guard let name = child.label, let port = child.value as? Port else { return nil }
      return (name, port)
    }
  }
}
