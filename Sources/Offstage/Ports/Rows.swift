package import OffstageJSON

/// A list to show, whose rows have an id: it journals its edits, so that a change costs what the
/// change costs, and not what the list does.
///
/// A row has to encode its id as a member `id`: front ends tell rows apart by it. Each id stands in
/// the list once. Finding, editing, inserting, moving and removing a row takes
/// logarithmic time.
public final class Rows<Row: Identifiable & Codable & Equatable & Sendable>: Port, OutputPort
where Row.ID: Sendable {
  private var tree = RowTree<Row.ID, Row>()
  private var journal = RowJournal<Row>()
  private var pathBytes: [UInt8] = []

  /// An empty list.
  public override init() { super.init() }

  /// How many rows there are.
  public var count: Int { tree.count }
  /// Whether there is no row.
  public var isEmpty: Bool { tree.count == 0 }

  /// All rows in order; takes time in proportion to the list.
  public var values: [Row] {
    var rows: [Row] = []
    rows.reserveCapacity(count)
    tree.visit { rows.append($0) }
    return rows
  }

  /// The row of an id, or nil where there is none.
  public subscript(id: Row.ID) -> Row? { tree[id] }

  /// The row at a position.
  /// - Precondition: `position` is within the list.
  public func row(at position: Int) -> Row {
    precondition((0..<count).contains(position), "there is no row \(position) of \(count)")
    return tree.element(at: position)
  }

  /// Where a row stands.
  public func position(of id: Row.ID) -> Int? { tree.position(of: id) }

  // MARK: Editing

  /// Changes a row in place; its id stays. Does nothing where there is none, and says nothing where
  /// the row is equal to what it was, by its own `==`.
  public func update(_ id: Row.ID, _ change: (inout Row) -> Void) {
    guard let old = tree[id] else { return }
    var new = old
    change(&new)
    guard new != old else { return }
    precondition(new.id == id, "the id of a row cannot change: \(id) became \(new.id)")
    tree.update(id, to: new)
    edit { $0.updated(id, from: old) }
  }

  /// Inserts a row before the one at `position`; a row whose id is there already is replaced where
  /// it stands.
  public func insert(_ row: Row, at position: Int) {
    guard tree[row.id] == nil else { return update(row.id) { $0 = row } }
    let position = min(max(position, 0), count)
    tree.insert(row, for: row.id, at: position)
    edit { $0.inserted(row.id, at: position) }
  }

  /// Adds a row at the end; one whose id is there already is replaced where it stands.
  public func append(_ row: Row) { insert(row, at: count) }

  /// Adds rows at the end, each as `append(_:)` does.
  public func append(contentsOf rows: some Sequence<Row>) {
    for row in rows { append(row) }
  }

  /// Takes a row out.
  /// - Returns: the row, or nil where there is none of this id.
  @discardableResult
  public func remove(_ id: Row.ID) -> Row? {
    guard let position = tree.position(of: id) else { return nil }
    let row = tree.remove(id)
    edit { $0.removed(id, at: position) }
    return row
  }

  /// Empties the list.
  public func removeAll() {
    guard !isEmpty else { return }
    tree = RowTree()
    edit { $0.replaceAll() }
  }

  /// Moves a row so that it ends up at `position`.
  public func move(_ id: Row.ID, to position: Int) {
    guard let old = tree.position(of: id) else { return }
    let new = min(max(position, 0), count - 1)
    guard new != old else { return }
    tree.move(id, to: new)
    edit { $0.moved(from: old, to: new) }
  }

  /// Makes the list show just `rows`, by the fewest edits; of rows with the same id the first counts.
  public func reset(to rows: some Sequence<Row>) {
    var new: [Row.ID: Row] = [:]
    var keys: [Row.ID] = []
    for row in rows where new[row.id] == nil {
      new[row.id] = row
      keys.append(row.id)
    }
    let old = values.map(\.id)
    for step in KeyedDiff.edits(from: old, to: keys) {
      switch step {
      case .remove(let position): remove(tree.element(at: position).id)
      case .move(let from, let to): move(tree.element(at: from).id, to: to)
      case .insert(let position, let index): insert(new[keys[index]]!, at: position)
      }
    }
    for id in old {
      if let row = new[id] { update(id) { $0 = row } }
    }
  }

  /// Notes an edit and has it told in this turn's frame.
  private func edit(_ note: (inout RowJournal<Row>) -> Void) {
    guard let node, node.isPublished else { return }
    if journal.isEmpty { node.core.changed(self) } else { node.core.changedAgain() }
    note(&journal)
    journal.limit(to: count)
  }

  // MARK: The document

  override func attach(to node: ScreenNode, as name: String) {
    super.attach(to: node, as: name)
    pathBytes = node.path(ofOutput: name)
  }

  package func write(to writer: inout JSONWriter) {
    journal = RowJournal()
    writer.beginArray()
    tree.visit { writer.value($0, of: "The output \(label)") }
    writer.endArray()
  }

  package func writeChanges(to writer: inout JSONWriter) {
    let journal = self.journal
    guard !journal.isEmpty else { return }
    self.journal = RowJournal()
    journal.write(to: &writer, at: pathBytes, rows: tree, of: "The output \(label)") {
      self.write(to: &$0)
    }
  }

  package var schema: JSON { get throws { Schema.array(of: try Schema.of(Row.self)) } }
}
