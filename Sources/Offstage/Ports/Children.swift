package import OffstageJSON

/// An output that shows a list of parts of a screen, each with ports of its own.
///
/// The list is an array in the document. Each part is an object with its `id`, its outputs as
/// members, and its fields in the member `fields`. Front ends send to its inputs by their path from
/// the screen: `lines/7/remove` for the part with the id 7.
/// ```swift
/// struct Output: Ports { let lines = Children<CartLine>() }
///
/// init(cart: Cart) {
///   cart.products.observe { [output] products in
///     output.lines.reset(to: products) { product in
///       let line = CartLine(product)
///       line.input.remove.observe { output.lines.remove(product.id) }
///       return line
///     }
///   }
/// }
/// ```
/// Ids are unique within a list. A part ends when it is removed. The cost of a change within a part
/// does not depend on the length of the list.
public final class Children<Element: Part & Identifiable>: Port, ChildPort
where Element.ID: Codable & Sendable {
  private typealias Entry = (part: Element, node: ScreenNode)

  private var list = RecordedList<Element.ID, Entry, Void>()
  /// The ids by their spelling in names on the wire.
  private var ids: [String: Element.ID] = [:]
  private let owner = ScreenNode.current
  /// The states of the parts before the restart that are not shown again yet, in order.
  private var saved: [JSON] = []

  /// Creates an empty list, with what it means, where its name and type do not tell.
  public override init(_ meaning: Meaning = []) {
    super.init(meaning)
    saved = owner?.saved(for: self)?.array ?? []
  }

  /// The number of parts.
  public var count: Int {
    noteRead()
    return list.tree.count
  }

  /// All parts in order.
  /// - Complexity: O(n)
  public var values: [Element] {
    noteRead()
    return list.tree.elements.map { $0.part }
  }

  /// The part with an id.
  public subscript(id: Element.ID) -> Element? {
    noteRead()
    return list.tree[id]?.part
  }

  // MARK: Editing

  /// Creates a part and inserts it before the one at `position`. It replaces a part with the same
  /// id, which ends. What `make` observes ends with the part.
  ///
  /// Has no effect once the screen has closed.
  public func insert(
    at position: Int, fileID: StaticString = #fileID, line: UInt = #line,
    _ make: () throws -> Element
  ) rethrows {
    let owner = owner ?? ScreenNode.beingCreated(for: "insert(at:_:)", fileID, line)
    guard let entry = try makePart(saved.first, of: owner, make) else { return }
    let isBefore = list.tree.position(of: entry.part.id).map { $0 < position } ?? false
    let old = take(entry.part.id)
    insert(entry, at: min(max(isBefore ? position - 1 : position, 0), list.tree.count))
    old?.end()
    if owner.hasPart { entry.node.goOn() }
  }

  /// Creates a part with what it had kept. Its id is known only then, so creates it again if it is
  /// not the expected one.
  private func makePart(
    _ expected: JSON?, of owner: ScreenNode, _ make: () throws -> Element
  ) rethrows -> Entry? {
    guard var entry = try owner.makePart(in: self, saved: expected, make) else { return nil }
    guard !saved.isEmpty else { return entry }
    let id = entry.node.partID
    let found = saved.firstIndex { $0["id"] == id }
    if expected?["id"] != (found == nil ? nil : id) {
      entry.node.end()
      let state = found.map { saved[$0] }
      guard let again = try owner.makePart(in: self, saved: state, make) else { return nil }
      entry = again
    }
    if let found { saved.remove(at: found) }
    return entry
  }

  private func insert(_ entry: Entry, at position: Int) {
    list.insert(entry, for: entry.part.id, at: position)
    ids[Self.spelling(of: entry.node)] = entry.part.id
    noteChange()
  }

  /// Creates a part and adds it at the end. It replaces a part with the same id, which ends.
  public func append(
    fileID: StaticString = #fileID, line: UInt = #line, _ make: () throws -> Element
  ) rethrows {
    try insert(at: list.tree.count, fileID: fileID, line: line, make)
  }

  /// Ends a part. Has no effect if no part has this id.
  public func remove(_ id: Element.ID) { take(id)?.end() }

  /// Removes a part from the list.
  /// - Returns: Its node, to end after all edits: an observer of the end may edit the list, too.
  private func take(_ id: Element.ID) -> ScreenNode? {
    guard let removed = list.remove(id) else { return nil }
    ids[Self.spelling(of: removed.node)] = nil
    noteChange()
    return removed.node
  }

  /// Moves a part to a position, counted after the move.
  public func move(_ id: Element.ID, to position: Int) {
    if let node = list.tree.node(of: id), list.move(node, to: position) { noteChange() }
  }

  /// Shows one part for each value, in the order of the values, with the fewest edits. A part with
  /// the id of a value stays as it is; the others end. If several values have the same id, the
  /// first one counts, and a debug build reports the others. If `make` throws, the list stays as it
  /// is.
  /// - Precondition: `make` returns a part with the id of the value.
  public func reset<Value: Identifiable>(
    to values: some Sequence<Value>, fileID: StaticString = #fileID, line: UInt = #line,
    _ make: (Value) throws -> Element
  ) rethrows where Value.ID == Element.ID {
    let owner = owner ?? ScreenNode.beingCreated(for: "reset(to:_:)", fileID, line)
    var keys: [Element.ID] = []
    var seen: Set<Element.ID> = []
    var made: [Element.ID: Entry] = [:]
    do {
      for value in values {
        guard seen.insert(value.id).inserted else {
          reportRepeated(value.id, fileID, line)
          continue
        }
        keys.append(value.id)
        guard list.tree[value.id] == nil else { continue }
        let state = saved.isEmpty ? nil : saved.first { $0["id"] == JSON(encoding: value.id) }
        guard let entry = try makePart(state, of: owner, { try make(value) }) else { return }
        require(
          entry.part.id == value.id,
          "the part of the value \(value.id) has the id \(entry.part.id)", file: fileID, line: line)
        made[value.id] = entry
      }
    } catch {
      for key in keys { made[key]?.node.end() }
      throw error
    }
    var removed: [ScreenNode?] = []
    for step in KeyedDiff.edits(from: self.values.map { $0.id }, to: keys) {
      switch step {
      case .remove(let position): removed.append(take(list.tree.element(at: position).part.id))
      case .move(let from, let to): move(list.tree.element(at: from).part.id, to: to)
      case .insert(let position, let index): insert(made[keys[index]]!, at: position)
      }
    }
    for node in removed { node?.end() }
    if owner.hasPart { for key in keys { made[key]?.node.goOn() } }
  }

  // MARK: The document

  override func detach() {
    super.detach()
    list = RecordedList()
    ids = [:]
  }

  package func write(to writer: inout JSONWriter) {
    hasChanged = false
    writeAll(to: &writer)
    list.forgetEdits()
  }

  private func writeAll(to writer: inout JSONWriter) {
    writer.beginArray()
    list.tree.visit { $0.node.writePart(to: &writer) }
    writer.endArray()
  }

  package func writeChanges(to writer: inout JSONWriter) {
    hasChanged = false
    // The last frame of the screen leaves out the parts, which have ended.
    guard node != nil else { return }
    list.writeEdits(
      to: &writer, at: path, whole: writeAll,
      element: { { $0.node.writePart(to: &$1) } },
      change: { _, entry, path, writer in entry.node.writeChanges(to: &writer, at: path) })
    list.forgetEdits()
  }

  package func schema(
    _ catalog: SchemaCatalog, for context: @autoclosure () -> String
  ) throws(PortError) -> JSON {
    Schema.array(of: Schema.reference(try catalog.part(Element.self)))
  }

  package var rowTypes: (row: any Any.Type, id: any Any.Type)? { (Element.self, Element.ID.self) }

  package override var asOutput: (any OutputPort)? { self }

  package override var partType: (any Part.Type)? { Element.self }

  package var nodes: [ScreenNode] { list.tree.elements.map { $0.node } }

  package func changed(_ child: ScreenNode) {
    guard let id = (child.part as? Element)?.id, let position = list.tree.node(of: id) else {
      return
    }
    list.noteChange(of: position, from: ())
    node?.changedInDocument(self)
  }

  package func path(of child: ScreenNode) -> String { "\(name)/\(Self.spelling(of: child))" }

  package func keptPath(of child: ScreenNode) -> String? {
    (child.part as? Element).flatMap { list.tree.position(of: $0.id) }.map { "/\($0)" }
  }

  package func popNode(from path: inout Substring.UTF8View) -> ScreenNode? {
    guard let spelling = path.popSegment() else { return nil }
    return ids[String(Substring(spelling))].flatMap { list.tree[$0]?.node }
  }

  /// The id of a part as a token of a JSON Pointer.
  private static func spelling(of node: ScreenNode) -> String {
    let id = node.partID ?? .null
    return JSONPointer.escape(id.string ?? id.description)
  }
}

extension Children: Keeper {
  var keptName: String? { node == nil ? nil : "output/\(name)" }

  func writeKept(to writer: inout JSONWriter) {
    writer.json(.array(list.tree.elements.map { .object($0.node.state) } + saved))
  }
}
