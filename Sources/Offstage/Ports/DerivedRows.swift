extension Rows {
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
    let edits = origin.editedRows ?? Relay()
    origin.editedRows = edits
    edits.observe { [weak derived] in derived?.note($0) }
    follow([whole, part])
  }
}

/// Keeps a list in step with the one that it is derived from.
@CoreActor
private final class DerivedRows<Origin, Row>
where
  Origin: Identifiable & Codable & Equatable & Sendable, Origin.ID: Sendable,
  Row: Identifiable & Codable & Equatable & Sendable, Row.ID == Origin.ID
{
  private unowned let rows: Rows<Row>
  private let origin: Rows<Origin>
  private let isIncluded: (Origin) -> Bool
  private let order: ((Origin, Origin) -> Bool)?
  private let map: (Origin) -> Row

  /// The ids of the rows of the origin that were edited since the last update; nil for so many that
  /// all rows are computed.
  private var edited: [Origin.ID]? = []
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

  func note(_ id: Origin.ID?) {
    guard let id, let count = edited?.count, count * 4 < origin.list.tree.count + 64 else {
      edited = nil
      return
    }
    edited?.append(id)
  }

  /// Evaluates closures of the author. A change of a port that they read recomputes the list.
  private func evaluate<Value>(_ body: () -> Value) -> Value { Derivation.track(whole, body) }

  func computeAll() {
    // The origin may be derived, too.
    Derivation.track(part) { _ = origin.count }
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
    guard let edited else { return computeAll() }
    self.edited = []
    var (rest, shown, arrivals) = (Set(edited), [Row.ID](), [Row]())
    for id in edited where rest.remove(id) != nil {
      guard let new = origin.list.tree[id], evaluate({ isIncluded(new) }) else {
        rows.remove(id)
        continue
      }
      let row = evaluate { map(new) }
      if rows.list.tree[id] == nil {
        arrivals.append(row)
      } else {
        rows.update(id) { $0 = row }
        shown.append(id)
      }
    }
    for position in moveMisplaced(shown)..<rows.list.tree.count {
      let id = rows.list.tree.element(at: position).id
      rows.move(id, to: place(of: id, before: position))
    }
    for row in arrivals { rows.insert(row, at: place(of: row.id, before: rows.list.tree.count)) }
  }

  /// Moves the rows that are out of order to the end of the list. Only a row among the suspects, or
  /// next to one, can be.
  /// - Returns: The position of the first of them.
  private func moveMisplaced(_ suspects: [Row.ID]) -> Int {
    var suspects = suspects
    var end = rows.list.tree.count
    var index = 0
    while index < suspects.count {
      let id = suspects[index]
      index += 1
      guard let position = rows.list.tree.position(of: id), position < end else { continue }
      let pairs = max(position, 1)..<min(position + 2, end)
      if pairs.allSatisfy({ precedes($0 - 1, source(at: $0)) }) { continue }
      // Its neighbors meet.
      for neighbor in [position - 1, position + 1] where (0..<end).contains(neighbor) {
        suspects.append(rows.list.tree.element(at: neighbor).id)
      }
      end -= 1
      rows.move(id, to: rows.list.tree.count)
    }
    return end
  }

  /// Returns the position where a row belongs among the first ones, which are in order.
  private func place(of id: Row.ID, before end: Int) -> Int {
    let row = origin.list.tree[id]!
    return (0..<end).partitioningIndex { !precedes($0, row) }
  }

  private func precedes(_ position: Int, _ row: Origin) -> Bool {
    evaluate { precedes(source(at: position), row) }
  }

  /// The row of the origin that is shown at a position.
  private func source(at position: Int) -> Origin {
    origin.list.tree[rows.list.tree.element(at: position).id]!
  }

  private func precedes(_ a: Origin, _ b: Origin) -> Bool {
    if let order {
      if order(a, b) { return true }
      if order(b, a) { return false }
    }
    return origin.list.tree.position(of: a.id)! < origin.list.tree.position(of: b.id)!
  }
}
