extension Rows {
  /// Sets the rows to the current and every later value of a source, with the fewest edits. If that
  /// is derived, reading the list computes it.
  public func bind(
    _ source: some Source<[Row]>, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    let signal = source.signal
    signal.observe(fileID: fileID, line: line) { self.reset(to: $0, fileID: fileID, line: line) }
    follow(signal.origins)
  }

  /// Computes the rows from other ports: now, and whenever a port that `evaluate` has read changes.
  /// It works as ``Out/derive(fileID:line:_:)`` does, and sends the fewest edits.
  public func derive(
    fileID: StaticString = #fileID, line: UInt = #line, _ evaluate: @escaping () -> [Row]
  ) {
    let derivation = Derivation(of: self, fileID: fileID, line: line) { [unowned self] in
      reset(to: Derivation.track($0, evaluate), fileID: fileID, line: line)
    }
    #if DEBUG
      derivation.isCurrent = { [unowned self] in list.tree.elements == evaluate() }
    #endif
    follow([derivation])
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
    let derived = DerivedRows(self, origin, isIncluded, areInIncreasingOrder) { row in
      let shown = map(row)
      require(
        shown.id == row.id, "Rows.derive must keep the id of a row: \(row.id) became \(shown.id)",
        file: fileID, line: line)
      return shown
    }
    let whole = Derivation(of: self, fileID: fileID, line: line) { _ in derived.computeAll() }
    #if DEBUG
      whole.isCurrent = { [unowned self] in
        origin.list.tree.count > 100 || list.tree.elements == derived.evaluateAll()
      }
    #endif
    let part = Derivation(of: self, fileID: fileID, line: line) { _ in
      // The edits are relative to a list that is otherwise up to date.
      whole.update()
      derived.applyEdits()
    }
    (derived.whole, derived.part) = (whole, part)
    origin.rowEdits.observe { [weak derived] in derived?.note($0) }
    follow([whole, part])
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

/// Keeps a list in step with the one that it is derived from.
///
/// Collects the edits of the origin, and applies them together.
@CoreActor
private final class DerivedRows<Origin, Row>
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
  /// Out of date after a change of a port that the closures have read. Both keep this object.
  unowned var whole: Derivation!
  /// Out of date after an edit of the origin.
  unowned var part: Derivation!

  init(
    _ rows: Rows<Row>, _ origin: Rows<Origin>, _ isIncluded: @escaping (Origin) -> Bool,
    _ order: ((Origin, Origin) -> Bool)?, _ map: @escaping (Origin) -> Row
  ) {
    self.rows = rows
    self.origin = origin
    self.isIncluded = isIncluded
    self.order = order
    self.map = map
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

  func computeAll() {
    // The origin may be derived, too.
    Derivation.track(part) { _ = origin.count }
    edits = [:]
    edited = []
    rows.reset(to: evaluate(evaluateAll))
  }

  func evaluateAll() -> [Row] {
    var included: [Origin] = []
    origin.list.tree.visit { if isIncluded($0) { included.append($0) } }
    if order != nil { included.sort(by: precedes) }
    return included.map(map)
  }

  func applyEdits() {
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
