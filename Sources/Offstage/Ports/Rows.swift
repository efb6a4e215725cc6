package import OffstageJSON

/// A list of rows to show. It records its edits, so that the cost of a frame depends on the size of
/// the change and not on the length of the list.
///
/// Edit it row by row, `reset` it to an array, or `derive` it. If the list is longer than anybody looks
/// at, create it with ``windowed(_:fromEnd:)``, and `load` it from a ``RowProvider``. If each element
/// has inputs, work, or state of its own, use ``Children``; for a few texts or numbers, an ``Out`` of an
/// array.
///
/// A row must encode its id as a member `id`, by which front ends tell rows apart. Ids are unique
/// within a list. Finding, editing, inserting, moving, and removing a row takes logarithmic time.
///
/// A row is sent again if it differs (`==`) from the one before. Let the compiler synthesize the
/// `==` of a row: one that compares only ids hides every change.
public final class Rows<Row: Identifiable & Codable & Equatable & Sendable>: Port, OutputPort
where Row.ID: Sendable {
  @usableFromInline var list = RecordedList<Row.ID, Row, Row>()
  /// Keep a derived list up to date; empty for other lists.
  private var derivations: [Derivation] = []
  /// Sends the id of every edited row to the lists that are derived from this one, and nil if all
  /// rows are replaced; nil until there is such a list.
  @usableFromInline var editedRows: Relay<Row.ID?>?
  /// The JSON Pointers of members that grow, from their row; nil for a member that is written
  /// otherwise.
  var memberPaths: [PartialKeyPath<Row>: [UInt8]?] = [:]
  /// Fills the list if it is a window of a longer one; nil for other lists.
  var source: Window<Row>?

  /// Creates an empty list, with what it means, where its name and type do not tell.
  public override init(_ meaning: Meaning = []) {
    super.init(meaning)
  }

  /// The number of rows; of a windowed list, those in the window.
  public var count: Int {
    noteUse()
    return list.tree.count
  }
  /// True if the list has no rows.
  public var isEmpty: Bool { count == 0 }

  /// All rows in order.
  /// - Complexity: O(n)
  public var values: [Row] {
    noteUse()
    return list.tree.elements
  }

  /// The row with an id.
  public subscript(id: Row.ID) -> Row? {
    noteUse()
    return list.tree[id]
  }

  /// The row at a position.
  /// - Precondition: `position` is within the list.
  public func row(at position: Int, fileID: StaticString = #fileID, line: UInt = #line) -> Row {
    require(
      (0..<count).contains(position), "position \(position) of a list of \(count) rows",
      file: fileID, line: line)
    return list.tree.element(at: position)
  }

  /// The position of the row with an id.
  public func position(of id: Row.ID) -> Int? {
    noteUse()
    return list.tree.position(of: id)
  }

  /// Brings a derived list up to date, and registers the derived output that is being evaluated.
  private func noteUse() {
    for derivation in derivations { derivation.update() }
    noteRead()
  }

  // MARK: Editing

  /// Changes a row in place. Has no effect if no row has this id, or if the row stays equal (`==`).
  /// - Precondition: `change` keeps the id.
  @inlinable public func update(
    _ id: Row.ID, fileID: StaticString = #fileID, line: UInt = #line, _ change: (inout Row) -> Void
  ) {
    guard let node = list.tree.node(of: id) else { return }
    var new = list.tree[node: node]
    change(&new)
    require(
      new.id == id, "the id of a row cannot change: \(id) became \(new.id)", file: fileID,
      line: line)
    replace(node, with: new)
  }

  /// Replaces the row of a node, unless it stays equal.
  @inlinable func replace(_ node: Int32, with new: Row) {
    let old = list.tree[node: node]
    guard new != old else {
      #if DEBUG
        checkIsShownEqual(old, new)
      #endif
      return
    }
    list.update(node, to: new)
    noteContent(of: new.id)
  }

  #if DEBUG
    /// Reports an `==` that leaves out what a row shows: the change does not reach the front end.
    @usableFromInline func checkIsShownEqual(_ old: Row, _ new: Row) {
      guard let node, JSON(encoding: old) != JSON(encoding: new) else { return }
      node.core.report(
        Fault(
          "The row \(old.id) of \(label) has changed, but == of \(Row.self) calls it "
            + "equal, so it is not sent. Compare all members."))
    }
  #endif

  /// Inserts a row before the one at `position`. A row whose id is in the list is replaced in
  /// place.
  @inlinable public func insert(_ row: Row, at position: Int) {
    let id = row.id
    let position = min(max(position, 0), list.tree.count)
    if let node = list.insert(row, for: id, at: position) { return replace(node, with: row) }
    noteEdit(of: id)
  }

  /// Adds a row at the end. A row whose id is in the list is replaced in place.
  @inlinable public func append(_ row: Row) { insert(row, at: list.tree.count) }

  /// Adds rows at the end. A row whose id is in the list is replaced in place.
  @inlinable public func append(contentsOf rows: some Sequence<Row>) {
    // Making room copies the list, so only many rows are worth it.
    if rows.underestimatedCount > list.tree.count / 4 {
      list.tree.reserve(rows.underestimatedCount)
    }
    for row in rows { append(row) }
  }

  /// Removes a row.
  /// - Returns: The removed row; nil if no row has this id.
  @discardableResult
  @inlinable public func remove(_ id: Row.ID) -> Row? {
    guard let row = list.remove(id) else { return nil }
    noteEdit(of: id)
    return row
  }

  /// Removes all rows.
  @inlinable public func removeAll() { replace(with: [], [:]) }

  /// Moves a row to a position, counted after the move.
  @inlinable public func move(_ id: Row.ID, to position: Int) {
    guard let node = list.tree.node(of: id), list.move(node, to: position) else { return }
    noteEdit(of: id)
  }

  /// Replaces all rows, with the fewest edits. The first of several rows with the same id counts,
  /// and a debug build reports the others.
  @inlinable public func reset(
    to rows: some Sequence<Row>, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    let new = NewRows(rows, in: list.tree) { reportRepeated($0, fileID, line) }
    let old = list.tree.nodes
    // A single edit is shorter than the whole list.
    if old.count + new.rows.count > 1, new.added.count == new.rows.count {
      return replace(with: new.rows, new.added)
    }
    edit(from: old, to: new)
    for (index, node) in new.nodes.enumerated() where node >= 0 {
      replace(node, with: new.rows[index])
    }
  }

  @usableFromInline func edit(from old: [Int32], to new: NewRows<Row>) {
    for step in KeyedDiff.edits(from: old, to: new.nodes) {
      switch step {
      case .remove(let position): remove(list.tree.element(at: position).id)
      case .move(let from, let to):
        let node = list.tree.node(at: from)
        if list.move(node, to: to) { noteEdit(of: list.tree[node: node].id) }
      case .insert(let position, let index): insert(new.rows[index], at: position)
      }
    }
  }

  /// Replaces all rows.
  @inlinable func replace(with rows: [Row], _ positions: [Row.ID: Int32]) {
    guard !rows.isEmpty || list.tree.count > 0 else { return }
    list = RecordedList(rows, positions)
    noteEdit(of: nil)
  }

  /// Notes an edit for the lists derived from this one, and for the frame of this turn.
  @inlinable func noteEdit(of id: @autoclosure () -> Row.ID?) {
    noteEdit()
    editedRows?.send(id())
  }

  /// Notes a change of a row in its place.
  @inlinable func noteContent(of id: @autoclosure () -> Row.ID?) {
    noteContent()
    editedRows?.send(id())
  }

  /// Stops the program if the rows come from elsewhere.
  @usableFromInline func noteEdit() {
    require(
      source?.isFilling ?? true,
      "the rows of the list \(label) come from its provider, and can only be changed in place: have "
        + "the provider send the change")
    noteContent()
  }

  @usableFromInline func noteContent() {
    noteChange()
    source?.noteContent()
    guard let derivation = derivations.first else { return }
    require(
      derivations.contains(where: \.isRefreshing),
      "the list \(label) is derived here, and cannot be edited elsewhere",
      file: derivation.location.fileID, line: derivation.location.line)
  }

  func follow(_ new: [Derivation]) {
    require(
      derivations.isEmpty, "the list \(label) is already derived", file: new[0].location.fileID,
      line: new[0].location.line)
    derivations = new
    for derivation in new { derivation.update() }
  }

  // MARK: The document

  override var pointer: [UInt8] { source == nil ? super.pointer : super.pointer.member("rows") }

  override func detach() {
    super.detach()
    for derivation in derivations { derivation.end() }
    derivations = []
    editedRows = nil
    source?.end()
  }

  package func write(to writer: inout JSONWriter) {
    hasChanged = false
    if let source {
      source.write(to: &writer, rows: writeAll)
    } else {
      writeAll(to: &writer)
    }
    list.forgetEdits()
  }

  private func writeAll(to writer: inout JSONWriter) {
    writer.array(of: "The output \(label)") { list.tree.visit($0) }
  }

  package func writeChanges(to writer: inout JSONWriter) {
    hasChanged = false
    if let source {
      source.writeChanges(to: &writer, at: path.dropLast("/rows".utf8.count))
    }
    list.writeEdits(
      to: &writer, at: path, whole: writeAll,
      element: { JSONWriter.writer(of: Row.self, of: "The output \(label)") },
      change: { old, new, path, writer in
        writer.change(at: path, from: old, to: new, of: "The output \(label)")
      })
    list.forgetEdits()
  }

  package override var asOutput: (any OutputPort)? { self }

  package var valueType: any Any.Type { [Row].self }

  package var rowTypes: (row: any Any.Type, id: any Any.Type)? { (Row.self, Row.ID.self) }

  package var windowPort: (any WindowPort)? { source }
}
