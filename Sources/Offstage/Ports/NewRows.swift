/// Rows that replace those of a list.
@usableFromInline
struct NewRows<Row: Identifiable> {
  /// The rows, without those that have the id of an earlier one.
  @usableFromInline var rows: [Row] = []
  /// The nodes of the rows that the list has; a negative number of its own for each other row.
  @usableFromInline var nodes: [Int32] = []
  /// The positions of the rows that the list does not have.
  @usableFromInline var added: [Row.ID: Int32] = [:]

  /// - Parameter reportRepeated: Receives the id of each row that is left out.
  @inlinable init(
    _ all: some Sequence<Row>, in tree: OrderStatisticTree<Row.ID, Row>,
    reportRepeated: (Row.ID) -> Void
  ) {
    rows.reserveCapacity(all.underestimatedCount)
    nodes.reserveCapacity(all.underestimatedCount)
    if tree.count == 0 { added.reserveCapacity(all.underestimatedCount) }
    var seen: Set<Int32> = []
    for row in all {
      let id = row.id
      let position = Int32(rows.count)
      let node = tree.node(of: id)
      let isNew =
        if let node { seen.insert(node).inserted } else { added.note(id, at: position) }
      guard isNew else {
        reportRepeated(id)
        continue
      }
      rows.append(row)
      nodes.append(node ?? -1 - position)
    }
  }
}

extension Dictionary where Value == Int32 {
  /// - Returns: False if the key is known.
  @inlinable mutating func note(_ key: Key, at position: Int32) -> Bool {
    guard let known = updateValue(position, forKey: key) else { return true }
    self[key] = known
    return false
  }
}
