package import OffstageJSON

/// An output that shows one part of a screen, with ports of its own.
///
/// The part is an object in the document, such as `/screens/1/output/header`, and null without a
/// part. Its outputs are members of the object, its fields are in the member `fields`. Front ends
/// send to its inputs by their path from the screen: `header/refresh`.
/// ```swift
/// struct Output: Ports { let header = Child<Header>() }
///
/// init(store: any Store) {
///   output.header.show { Header(store) }
/// }
/// ```
public final class Child<Element: Part>: Port, ChildPort {
  private var child: (part: Element, node: ScreenNode)?
  /// The part in the document.
  private var published: ScreenNode?
  private let owner = ScreenNode.current
  /// The state of the part before the restart, until it is shown again.
  private var saved: JSON?

  /// Creates an output without a part, with what it means, where its name and type do not tell.
  public override init(_ meaning: Meaning = []) {
    super.init(meaning)
    saved = owner?.saved(for: self)
  }

  /// The part; nil while none is shown.
  public var value: Element? {
    noteRead()
    return child?.part
  }

  /// Creates a part and shows it in place of the previous one, which ends. What `make` observes
  /// ends with it.
  ///
  /// Has no effect once the screen has closed.
  public func show(
    fileID: StaticString = #fileID, line: UInt = #line, _ make: () throws -> Element
  ) rethrows {
    let owner = owner ?? ScreenNode.beingCreated(for: "show(_:)", fileID, line)
    guard let made = try owner.makePart(in: self, saved: saved, make) else { return }
    saved = nil
    replace(by: made)
    if owner.hasPart { made.node.goOn() }
  }

  /// Ends the part.
  public func remove() {
    if child != nil { replace(by: nil) }
  }

  private func replace(by new: (part: Element, node: ScreenNode)?) {
    let old = child
    child = new
    old?.node.end()
    noteChange()
  }

  // MARK: The document

  override func detach() {
    super.detach()
    child = nil
    published = nil
  }

  package func write(to writer: inout JSONWriter) {
    hasChanged = false
    published = child?.node
    if let child { child.node.writePart(to: &writer) } else { writer.null() }
  }

  package func writeChanges(to writer: inout JSONWriter) {
    hasChanged = false
    if published !== child?.node {
      writer.replace(at: path) { write(to: &$0) }
    } else {
      published?.writeChanges(to: &writer, at: path)
    }
  }

  package func schema(
    _ catalog: SchemaCatalog, for context: @autoclosure () -> String
  ) throws(PortError) -> JSON {
    Schema.nullable(Schema.reference(try catalog.part(Element.self)))
  }

  package override var asOutput: (any OutputPort)? { self }

  package override var partType: (any Part.Type)? { Element.self }

  package var nodes: [ScreenNode] { child.map { [$0.node] } ?? [] }

  package func changed(_ child: ScreenNode) { node?.changedInDocument(self) }

  package func path(of child: ScreenNode) -> String { name }

  package func keptPath(of child: ScreenNode) -> String? { self.child?.node === child ? "" : nil }

  package func popNode(from path: inout Substring.UTF8View) -> ScreenNode? { child?.node }
}

extension Child: Keeper {
  var keptName: String? { node == nil ? nil : "output/\(name)" }

  func writeKept(to writer: inout JSONWriter) {
    if let state = child.map({ .object($0.node.state) }) ?? saved { writer.json(state) }
  }
}

@CoreActor
package protocol ChildPort: OutputPort {
  associatedtype Element: Part
  var nodes: [ScreenNode] { get }
  /// Called when a part has changes for the next frame.
  func changed(_ child: ScreenNode)
  /// The path of a part from the node of this port, for names on the wire.
  func path(of child: ScreenNode) -> String
  /// The path of a part from the value that the port keeps; nil if it is not in there.
  func keptPath(of child: ScreenNode) -> String?
  /// Removes the name of a part from a path that starts after the name of this port.
  func popNode(from path: inout Substring.UTF8View) -> ScreenNode?
}

extension ChildPort {
  package var valueType: any Any.Type { Element.self }
}

extension Substring.UTF8View {
  /// Removes everything up to the first slash, and the slash.
  /// - Returns: nil for a path without a slash, which stays as it is.
  mutating func popSegment() -> Substring.UTF8View? {
    guard let slash = firstIndex(of: UInt8(ascii: "/")) else { return nil }
    defer { self = self[index(after: slash)...] }
    return self[..<slash]
  }
}
