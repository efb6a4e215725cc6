package import OffstageJSON

/// The ports of a screen: its inputs or its outputs.
///
/// Every stored property is a port, and its name is the name on the wire.
/// ```swift
/// struct Input: Ports {
///   let nameText = Field("")
///   let confirm = In<Trigger>()
/// }
/// ```
@CoreActor
public protocol Ports {
  init()
}

/// The base of every port: a name on the wire, and the screen that it belongs to.
@CoreActor
public class Port {
  /// Unchecked; see `CoreActor`.
  @exclusivity(unchecked) private final var declaration: PortDeclaration
  /// nil before the screen is created and after it has closed. Unchecked; see `CoreActor`.
  @exclusivity(unchecked) package private(set) unowned var node: ScreenNode?
  /// Derived outputs that have read the current value. Unchecked; see `CoreActor`.
  @exclusivity(unchecked) @usableFromInline final var dependents = Dependents()
  /// nil until a change needs it, which few ports of a screen ever do. Unchecked; see `CoreActor`.
  @exclusivity(unchecked) private final var knownPath: [UInt8]?
  /// The position among the keepers of its screen or part; -1 for a port that keeps nothing.
  final var keeperIndex: Int {
    get { Int(keeper) }
    set { keeper = Int32(newValue) }
  }
  /// Short, since a host has hundreds of thousands of ports. Unchecked; see `CoreActor`.
  @exclusivity(unchecked) private final var keeper: Int32 = -1
  /// True while the next frame is to contain a change of the port. Last, since a subclass can add what
  /// is as short beside it. Unchecked; see `CoreActor`.
  @exclusivity(unchecked) final var hasChanged = false

  init(_ meaning: Meaning = []) {
    declaration = meaning.statements.isEmpty ? .none : PortDeclaration("", meaning)
  }

  /// The name on the wire; empty before the screen is created.
  package final var name: String { declaration.name }

  final var meaning: Meaning { declaration.meaning }

  /// Identifies the port in a fault.
  final var label: String {
    node.map { "\"\($0.fullName(name))\" of screen \($0.id)" } ?? "that is not a port"
  }

  /// Takes the declaration of another instance, so that both are one in memory. What the port itself
  /// goes by stays its own.
  fileprivate final func share(_ declaration: PortDeclaration) {
    if !meaning.isForPort, !declaration.meaning.isForPort { self.declaration = declaration }
  }

  /// Reports an id that repeats in a list, whose front ends could not tell two rows apart. Debug
  /// builds only.
  @usableFromInline final func reportRepeated(_ id: some Any, _ fileID: StaticString, _ line: UInt)
  {
    #if DEBUG
      (node ?? ScreenNode.current)?.core.report(
        Fault(
          "The id \(id) repeats in the list that is set at \(fileID):\(line). Only the first of its "
            + "rows is shown: give each row an id of its own."))
    #endif
  }

  func attach(to node: ScreenNode, as name: String) {
    if name != self.name { declaration = PortDeclaration(name, meaning) }
    self.node = node
  }

  // What the port is. A cast would search the conformances of the whole program for each kind of
  // port, which is most of the time that a program takes to start.
  package var asInput: (any InputPort)? { nil }
  package var asField: (any FieldPort)? { nil }
  package var asOutput: (any OutputPort)? { nil }
  /// The type of the values of an event; nil for any other port.
  package var eventType: (any Decodable.Type)? { nil }

  /// The type of the parts that the port shows; nil for a port of values.
  package var partType: (any Part.Type)? { nil }

  /// The relay whose observers end with the port; nil for a port without one.
  var ownRelay: AnyObject? { nil }

  final var path: [UInt8] {
    if let knownPath { return knownPath }
    return findPath()
  }

  @inline(never)
  private final func findPath() -> [UInt8] {
    // Kept for long, and without room for more.
    let path = pointer.map(\.self)
    knownPath = path
    return path
  }

  /// The JSON Pointer of the value, as the bytes of a JSON string.
  var pointer: [UInt8] { node?.path(ofOutput: name) ?? [] }

  /// Called when the part of the port has another place in the document.
  final func moved() { knownPath = nil }

  /// Disconnects the port: it passes no more values, and its observers are released.
  func detach() {
    // The last frame of the screen has the change.
    if hasChanged { _ = path }
    node = nil
    dependents = Dependents()
  }

  /// Computes the value anew if it is out of date, and registers a derived output that is being
  /// evaluated.
  func read() { noteRead() }

  /// Registers a derived output that is being evaluated as a dependent.
  @usableFromInline final func noteRead() {
    if let derivation = Derivation.current { dependents.insert(derivation) }
  }

  /// Marks the derived outputs that have read the value as out of date.
  @inlinable final func noteWrite() {
    if Derivation.current != nil { stopDerivation() }
    if !dependents.isEmpty { invalidateDependents() }
  }

  /// Stops the program: a closure that computes an output has changed a port.
  @usableFromInline final func stopDerivation() {
    guard let location = Derivation.current?.location else { return }
    fatalError(
      "this closure computes an output, and must not change another one", file: location.fileID,
      line: location.line)
  }

  @usableFromInline final func invalidateDependents() {
    let stale = dependents
    dependents = Dependents()
    stale.invalidate()
  }
}

/// A port that the front end sends to.
@CoreActor
package protocol InputPort: Port {
  /// Receives a value from the wire; nil if the request has none.
  /// - Throws: `JSONMismatch` for a value of another shape. The port is then unchanged.
  func receive(_ value: JSONView?) throws(JSONMismatch)
  /// Receives the result of a screen, if that is what the input takes.
  /// - Parameter result: nil for a screen that was dismissed.
  func receive(_ result: (any Sendable)?, of route: Route)
  var valueType: any Decodable.Type { get }
}

extension InputPort {
  package func receive(_ result: (any Sendable)?, of route: Route) {}
}

/// Stands in for a secret of any length, in the document and in recordings.
package let secretMask = "••••"

extension InputPort {
  /// True for a text that others must not read: one that is declared so, or a password by its name.
  func isSecret(_ words: @autoclosure () -> [String]) -> Bool {
    meaning.isSecret
      || (valueType == String.self || valueType == String?.self) && InputStem(words()).isSecret
  }
}

/// A port that is part of the document.
@CoreActor
package protocol DocumentPort: Port {
  /// Writes the whole value, and clears the pending changes.
  func write(to writer: inout JSONWriter)
  /// Writes the changes since the last write.
  func writeChanges(to writer: inout JSONWriter)
}

extension DocumentPort {
  /// Notes a change for derived outputs, and for the frame of this turn.
  func noteChange() {
    noteWrite()
    node?.changed(self)
  }
}

/// A port that shows something.
@CoreActor
package protocol OutputPort: DocumentPort {
  /// The type of its value; an array for a list.
  var valueType: any Any.Type { get }
  /// The schema of its value. `context` names the port.
  /// - Throws: `PortError` for a value that cannot be served.
  func schema(_ catalog: SchemaCatalog, for context: @autoclosure () -> String) throws(PortError)
    -> JSON
  /// The types of the rows of a list and of their ids; nil for an output that is not a list.
  var rowTypes: (row: any Any.Type, id: any Any.Type)? { get }
  /// The window of a list that is longer than the document; nil for any other output.
  var windowPort: (any WindowPort)? { get }
}

extension OutputPort {
  package func schema(
    _ catalog: SchemaCatalog, for context: @autoclosure () -> String
  ) throws(PortError) -> JSON {
    try catalog.schema(of: valueType as! any Decodable.Type, for: context())
  }

  package var rowTypes: (row: any Any.Type, id: any Any.Type)? { nil }
  package var windowPort: (any WindowPort)? { nil }
}

/// An input whose content is part of the document.
@CoreActor
package protocol FieldPort: InputPort, DocumentPort {
  /// The JSON Schema of valid content, with the rules that it can express.
  var validity: JSONObject { get }
  var isValid: Bool { get }
  var isDirty: Bool { get }
  /// Shows the message of the first rule that is not met, without asynchronous rules.
  /// - Returns: True if it meets them all.
  func showFailure() -> Bool
  func validate() -> Bool
  /// Shows the message of the first rule that is not met, and waits for asynchronous rules.
  func validate() async throws -> Bool
  /// The message beside the field; nil for none.
  var error: String? { get set }
  func snapshot() -> SubmittedContent
  /// Sets the content to that of its property of a model.
  /// - Returns: False if it was not declared with a property of this type.
  func resetProperty<Model>(of model: Model) -> Bool
  /// Writes the content to its property of a model.
  /// - Returns: False if it was not declared with a property of this type.
  func applyProperty<Model>(to model: inout Model) -> Bool
}

extension Ports {
  /// The ports by name, in the order of their declaration.
  func named() -> [(name: String, port: Port)] {
    let type = ObjectIdentifier(Self.self)
    if let known = knownPorts[type] {
      return zip(known, objects).compactMap { declaration, object in
        guard let port = object as? Port else { return nil }
        port.share(declaration)
        return (declaration.name, port)
      }
    }
    let mirror = Mirror(reflecting: self)
    let named = mirror.children.named
    if consists(of: named.map(\.port), mirror) {
      knownPorts[type] = named.map { PortDeclaration($0.name, $0.port.meaning) }
    }
    return named
  }

  /// True for a structure of nothing but references to ports, these ones in this order.
  private func consists(of ports: [Port], _ mirror: Mirror) -> Bool {
    guard mirror.displayStyle == .struct,
      mirror.children.allSatisfy({ type(of: $0.value) is Port.Type })
    else { return false }
    let pointers = ports.map { Unmanaged.passUnretained($0).toOpaque() }
    return withUnsafeBytes(of: self) { value in
      pointers.withUnsafeBytes { value.elementsEqual($0) }
    }
  }

  /// The stored properties of a type that `consists(of:_:)` ports. Any of its values has a reference
  /// for each, in the order of their declaration. Reflection takes ten times as long, which is most
  /// of what it takes to create a screen.
  private var objects: [AnyObject] {
    withUnsafeBytes(of: self) { $0.withMemoryRebound(to: AnyObject.self) { Array($0) } }
  }
}

/// The ports of a type, as all of its instances share them: a host has thousands of screens.
@CoreActor private var knownPorts: [ObjectIdentifier: [PortDeclaration]] = [:]

/// What an author says about a port.
private final class PortDeclaration: Sendable {
  static let none = PortDeclaration("", [])

  let name: String
  let meaning: Meaning

  init(_ name: String, _ meaning: Meaning) { (self.name, self.meaning) = (name, meaning) }
}

extension Mirror.Children {
  @CoreActor
  var named: [(name: String, port: Port)] {
    compactMap { child in
      guard let name = child.label, let port = child.value as? Port else { return nil }
      return (name, port)
    }
  }
}
