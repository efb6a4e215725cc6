package import OffstageJSON

/// A list of rows to show. It records its edits, so that the cost of a frame depends on the size of
/// the change and not on the length of the list.
///
/// A row must encode its id as a member `id`, by which front ends tell rows apart. Ids are unique
/// within a list. Finding, editing, inserting, moving, and removing a row takes logarithmic time.
///
/// A row is sent again if it differs (`==`) from the one before. Let the compiler synthesize the
/// `==` of a row: one that compares only ids hides every change.
public final class Rows<Row: Identifiable & Codable & Equatable & Sendable>: Port, OutputPort
where Row.ID: Sendable {
  private(set) var list = RecordedList<Row.ID, Row, Row>()
  private var pathBytes: [UInt8] = []
  /// Keep a derived list up to date; empty for other lists.
  private var derivations: [Derivation] = []
  /// Sends every edit to the lists that are derived from this one; nil until the first of them.
  private var edits: Relay<RowEdit<Row>>?

  /// Creates an empty list, with what it means, where its name and type do not tell.
  public init(_ meaning: Meaning = [], fileID: StaticString = #fileID, line: UInt = #line) {
    super.init(meaning, fileID, line)
  }

  /// The number of rows.
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
    if isBound { readOrigins() }
    noteRead()
  }

  // MARK: Editing

  /// Changes a row in place. Has no effect if no row has this id, or if the row stays equal (`==`).
  /// - Precondition: `change` keeps the id.
  public func update(
    _ id: Row.ID, fileID: StaticString = #fileID, line: UInt = #line, _ change: (inout Row) -> Void
  ) {
    guard let old = list.tree[id] else { return }
    var new = old
    change(&new)
    guard new != old else {
      #if DEBUG
        checkIsShownEqual(old, new)
      #endif
      return
    }
    require(
      new.id == id, "the id of a row cannot change: \(id) became \(new.id)", file: fileID,
      line: line)
    list.update(id, to: new, from: old)
    noteEdit(.row(old, isMoved: false))
  }

  #if DEBUG
    /// Reports an `==` that leaves out what a row shows: the change does not reach the front end.
    private func checkIsShownEqual(_ old: Row, _ new: Row) {
      guard let node, JSON(encoding: old) != JSON(encoding: new) else { return }
      node.core.report(
        Fault(
          "The row \(old.id) of \(label) has changed, but == of \(Row.self) calls it "
            + "equal, so it is not sent. Compare all members."))
    }
  #endif

  /// Inserts a row before the one at `position`. A row whose id is in the list is replaced in
  /// place.
  public func insert(_ row: Row, at position: Int) {
    guard list.tree[row.id] == nil else { return update(row.id) { $0 = row } }
    list.insert(row, for: row.id, at: min(max(position, 0), count))
    noteEdit(.row(row, isMoved: true))
  }

  /// Adds a row at the end. A row whose id is in the list is replaced in place.
  public func append(_ row: Row) { insert(row, at: count) }

  /// Adds rows at the end. A row whose id is in the list is replaced in place.
  public func append(contentsOf rows: some Sequence<Row>) {
    for row in rows { append(row) }
  }

  /// Removes a row.
  /// - Returns: The removed row; nil if no row has this id.
  @discardableResult
  public func remove(_ id: Row.ID) -> Row? {
    guard let row = list.remove(id) else { return nil }
    noteEdit(.row(row, isMoved: true))
    return row
  }

  /// Removes all rows.
  public func removeAll() {
    guard !isEmpty else { return }
    list = RecordedList()
    noteEdit(.all)
  }

  /// Moves a row to a position, counted after the move.
  public func move(_ id: Row.ID, to position: Int) {
    guard let row = list.tree[id], list.move(id, to: position) else { return }
    noteEdit(.row(row, isMoved: true))
  }

  /// Replaces all rows, with the fewest edits. The first of several rows with the same id counts,
  /// and a debug build reports the others.
  public func reset(
    to rows: some Sequence<Row>, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    var new: [Row.ID: Row] = [:]
    var keys: [Row.ID] = []
    for row in rows {
      guard new[row.id] == nil else {
        reportRepeated(row.id, fileID, line)
        continue
      }
      new[row.id] = row
      keys.append(row.id)
    }
    let old = values.map(\.id)
    for step in KeyedDiff.edits(from: old, to: keys) {
      switch step {
      case .remove(let position): remove(list.tree.element(at: position).id)
      case .move(let from, let to): move(list.tree.element(at: from).id, to: to)
      case .insert(let position, let index): insert(new[keys[index]]!, at: position)
      }
    }
    for id in old {
      if let row = new[id] { update(id) { $0 = row } }
    }
  }

  /// Notes an edit for the lists derived from this one, and for the frame of this turn.
  private func noteEdit(_ edit: @autoclosure () -> RowEdit<Row>) {
    if let derivation = derivations.first {
      require(
        derivations.contains(where: \.isRefreshing),
        "the list \(label) is derived here, and cannot be edited elsewhere",
        file: derivation.location.fileID, line: derivation.location.line)
    }
    if let edits { edits.send(edit()) }
    noteChange()
  }

  func follow(_ new: [Derivation]) {
    require(
      derivations.isEmpty, "the list \(label) is already derived", file: new[0].location.fileID,
      line: new[0].location.line)
    derivations = new
    for derivation in new { derivation.update() }
  }

  var rowEdits: Relay<RowEdit<Row>> {
    let relay = edits ?? Relay(ofPort: ())
    edits = relay
    return relay
  }

  // MARK: The document

  override func updatePaths() {
    if let node { pathBytes = node.path(ofOutput: name) }
  }

  override func detach() {
    super.detach()
    for derivation in derivations { derivation.end() }
    derivations = []
    edits = nil
  }

  package func write(to writer: inout JSONWriter) {
    hasChanged = false
    list.write(to: &writer) { $1.value($0, of: "The output \(label)") }
    list.forgetEdits()
  }

  package func writeChanges(to writer: inout JSONWriter) {
    hasChanged = false
    list.writeEdits(to: &writer, at: pathBytes) {
      $1.value($0, of: "The output \(label)")
    } change: { old, new, path, writer in
      writer.change(at: PatchPath(path), from: old, to: new, of: "The output \(label)")
    }
    list.forgetEdits()
  }

  package override var asOutput: (any OutputPort)? { self }

  package var valueType: any Any.Type { [Row].self }

  package func schema(
    _ catalog: SchemaCatalog, for context: @autoclosure () -> String
  ) throws(PortError) -> JSON {
    try catalog.schema(of: [Row].self, for: context())
  }

  package var rowTypes: (row: any Any.Type, id: any Any.Type)? { (Row.self, Row.ID.self) }
}
