extension Rows {
  /// Sets the rows to the current and every later value of a source, with the fewest edits.
  public func bind(
    _ source: some Source<[Row]>, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    source.observe(fileID: fileID, line: line) { self.reset(to: $0, fileID: fileID, line: line) }
  }

  /// Shows the rows of another list that pass a filter, mapped and sorted.
  ///
  /// An edit of the other list costs only as much as the edit. When a port that the closures have
  /// read changes, such as the text of a search, the whole list is computed again, and only the
  /// difference is sent. Both happen at the end of the turn, or when the list is read.
  /// ```swift
  /// output.open.derive(
  ///   from: store.issues, where: { [input] in !$0.isClosed && $0.matches(input.searchText.value) },
  ///   sortedBy: { $0.due < $1.due }
  /// ) { IssueRow($0) }
  /// ```
  /// The derived list cannot be edited directly. Rows of equal rank keep the order of the other
  /// list.
  /// - Precondition: `map` keeps the id.
  public func derive<Origin>(
    from origin: Rows<Origin>, where isIncluded: @escaping (Origin) -> Bool = { _ in true },
    sortedBy areInIncreasingOrder: ((Origin, Origin) -> Bool)? = nil,
    fileID: StaticString = #fileID, line: UInt = #line, map: @escaping (Origin) -> Row
  ) where Origin.ID == Row.ID {
    require(derivation == nil, "the list \(label) is already derived", file: fileID, line: line)
    let derived = DerivedRows(
      rows: self, origin: origin, isIncluded: isIncluded, order: areInIncreasingOrder,
      fileID: fileID, line: line
    ) { row in
      let shown = map(row)
      require(
        shown.id == row.id, "Rows.derive must keep the id of a row: \(row.id) became \(shown.id)",
        file: fileID, line: line)
      return shown
    }
    origin.rowEdits.observe { [weak derived] in derived?.note($0) }
    derivation = derived
    derived.update()
  }

  /// Shows the rows of another list that pass a filter, sorted.
  public func derive(
    from origin: Rows<Row>, where isIncluded: @escaping (Row) -> Bool = { _ in true },
    sortedBy areInIncreasingOrder: ((Row, Row) -> Bool)? = nil, fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    derive(
      from: origin, where: isIncluded, sortedBy: areInIncreasingOrder, fileID: fileID, line: line
    ) { $0 }
  }
}

/// An edit of a list, for the lists derived from it.
enum RowEdit<Row> {
  /// A row as it was before it was changed, moved, or removed, or as it was inserted.
  case row(Row, isMoved: Bool)
  /// The removal of all rows.
  case all
}

/// Brings a list up to date with what it is derived from.
@CoreActor
protocol RowsDerivation: AnyObject {
  var isUpdating: Bool { get }
  /// The call of `derive`, for errors.
  var location: (fileID: StaticString, line: UInt) { get }
  func update()
  func end()
}

/// Keeps a list in step with the one that it is derived from.
///
/// Collects the edits of the origin, and applies them together.
@CoreActor
private final class DerivedRows<Origin, Row>: RowsDerivation
where
  Origin: Identifiable & Codable & Equatable & Sendable, Origin.ID: Sendable,
  Row: Identifiable & Codable & Equatable & Sendable, Row.ID == Origin.ID
{
  private struct Edit {
    /// The row before the first of its edits.
    let old: Origin
    var isMoved: Bool
  }

  private unowned let rows: Rows<Row>
  private let origin: Rows<Origin>
  private let isIncluded: (Origin) -> Bool
  private let order: ((Origin, Origin) -> Bool)?
  private let map: (Origin) -> Row

  private var edits: [Origin.ID: Edit] = [:]
  /// The ids of the edited rows, in the order of their first edit.
  private var edited: [Origin.ID] = []
  /// Out of date after a change of a port that the closures have read.
  private var whole: Derivation!
  /// Out of date after an edit of the origin.
  private var part: Derivation!

  init(
    rows: Rows<Row>, origin: Rows<Origin>, isIncluded: @escaping (Origin) -> Bool,
    order: ((Origin, Origin) -> Bool)?, fileID: StaticString, line: UInt,
    map: @escaping (Origin) -> Row
  ) {
    self.rows = rows
    self.origin = origin
    self.isIncluded = isIncluded
    self.order = order
    self.map = map
    whole = Derivation(of: rows, fileID: fileID, line: line) { [unowned self] _ in computeAll() }
    part = Derivation(of: rows, fileID: fileID, line: line) { [unowned self] _ in
      // The edits are relative to a list that is otherwise up to date.
      whole.update()
      applyEdits()
    }
  }

  var isUpdating: Bool { whole.isRefreshing || part.isRefreshing }

  var location: (fileID: StaticString, line: UInt) { whole.location }

  func update() {
    whole.update()
    part.update()
  }

  func end() {
    whole.end()
    part.end()
  }

  func note(_ edit: RowEdit<Origin>) {
    guard case .row(let row, let isMoved) = edit else { return whole.invalidate() }
    if edits[row.id] == nil {
      edits[row.id] = Edit(old: row, isMoved: isMoved)
      edited.append(row.id)
    } else if isMoved {
      edits[row.id]?.isMoved = true
    }
  }

  /// Evaluates closures of the author. A change of a port that they read recomputes the list.
  private func evaluate<Value>(_ body: () -> Value) -> Value { Derivation.track(whole, body) }

  private func computeAll() {
    // The origin may be derived, too.
    Derivation.track(part) { _ = origin.count }
    edits = [:]
    edited = []
    var included: [Origin] = []
    let shown = evaluate {
      origin.list.tree.visit { if isIncluded($0) { included.append($0) } }
      if order != nil { included.sort(by: precedes) }
      return included.map(map)
    }
    rows.reset(to: shown)
  }

  private func applyEdits() {
    Derivation.track(part) { _ = origin.count }
    let (edits, edited) = (self.edits, self.edited)
    guard edits.count * 4 < origin.list.tree.count + 64 else { return computeAll() }
    self.edits = [:]
    self.edited = []
    var unplaced: [(position: Int, row: Row)] = []
    for id in edited {
      guard let edit = edits[id], let new = origin.list.tree[id], evaluate({ isIncluded(new) })
      else {
        rows.remove(id)
        continue
      }
      let row = evaluate { map(new) }
      if rows.list.tree[id] != nil, !edit.isMoved, evaluate({ isRankEqual(edit.old, new) }) {
        rows.update(id) { $0 = row }
      } else {
        unplaced.append((origin.list.tree.position(of: id)!, row))
      }
    }
    place(unplaced.sorted { $0.position < $1.position }.map(\.row))
  }

  private func place(_ unplaced: [Row]) {
    if unplaced.count == 1, let row = unplaced.first, let old = rows.list.tree.position(of: row.id)
    {
      rows.update(row.id) { $0 = row }
      return rows.move(row.id, to: position(of: row.id, without: old))
    }
    for row in unplaced { rows.remove(row.id) }
    for row in unplaced { rows.insert(row, at: position(of: row.id, without: nil)) }
  }

  /// The position where a row belongs.
  /// - Parameter old: Its present position, which does not count.
  private func position(of id: Origin.ID, without old: Int?) -> Int {
    let row = origin.list.tree[id]!
    return (0..<rows.list.tree.count - (old == nil ? 0 : 1)).partitioningIndex { position in
      let index = if let old, position >= old { position + 1 } else { position }
      let other = origin.list.tree[rows.list.tree.element(at: index).id]!
      return !evaluate { precedes(other, row) }
    }
  }

  private func precedes(_ a: Origin, _ b: Origin) -> Bool {
    if let order {
      if order(a, b) { return true }
      if order(b, a) { return false }
    }
    return origin.list.tree.position(of: a.id)! < origin.list.tree.position(of: b.id)!
  }

  private func isRankEqual(_ a: Origin, _ b: Origin) -> Bool {
    guard let order else { return true }
    return !order(a, b) && !order(b, a)
  }
}
