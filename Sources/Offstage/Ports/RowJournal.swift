internal import OffstageJSON

/// What has happened to a list since its last frame.
struct RowJournal<Row: Identifiable & Codable & Equatable> {
  /// A change of the order; positions hold at the time of the edit.
  private enum Edit {
    case insert(Row.ID, at: Int)
    case remove(at: Int)
    case move(from: Int, to: Int)
  }

  private var edits: [Edit] = []
  /// Rows that came since: their edit carries them as they are in the end.
  private var fresh: Set<Row.ID> = []
  /// What the document holds of the rows that were changed in place.
  private var published: [Row.ID: Row] = [:]
  /// The same rows in the order of their first change, so that frames are the same in every run.
  private var updatedOrder: [Row.ID] = []
  private var isReplaced = false

  var isEmpty: Bool { edits.isEmpty && updatedOrder.isEmpty && !isReplaced }

  mutating func updated(_ id: Row.ID, from old: Row) {
    guard !isReplaced, !fresh.contains(id), published[id] == nil else { return }
    published[id] = old
    updatedOrder.append(id)
  }

  mutating func inserted(_ id: Row.ID, at position: Int) {
    guard !isReplaced else { return }
    edits.append(.insert(id, at: position))
    fresh.insert(id)
  }

  mutating func removed(_ id: Row.ID, at position: Int) {
    guard !isReplaced else { return }
    edits.append(.remove(at: position))
    published[id] = nil
  }

  mutating func moved(from old: Int, to new: Int) {
    guard !isReplaced else { return }
    edits.append(.move(from: old, to: new))
  }

  mutating func replaceAll() {
    self = Self()
    isReplaced = true
  }

  /// Gives up on edits that have become longer than the list: a front end that reads slowly must
  /// not make the journal grow without end.
  mutating func limit(to rowCount: Int) {
    if edits.count + updatedOrder.count > 2 * rowCount + 64 { replaceAll() }
  }

  /// Writes the edits, or the whole list where that is shorter.
  func write(
    to writer: inout JSONWriter, at path: [UInt8], rows: RowTree<Row.ID, Row>,
    of port: @autoclosure () -> String, whole: (inout JSONWriter) -> Void
  ) {
    if isReplaced { return writer.replace(at: path, whole) }
    let isWorthComparing = 2 * (edits.count + updatedOrder.count) >= rows.count
    guard isWorthComparing else { return writeEdits(to: &writer, at: path, rows: rows, port) }
    writer.shorter(
      { writeEdits(to: &$0, at: path, rows: rows, port) },
      { $0.replace(at: path, whole) })
  }

  private func writeEdits(
    to writer: inout JSONWriter, at path: [UInt8], rows: RowTree<Row.ID, Row>,
    _ port: () -> String
  ) {
    for edit in edits {
      switch edit {
      case .insert(let id, let position):
        // A row that is gone again stands for itself as null until its removal, in this very patch.
        writer.add(at: path.element(position)) { $0.value(rows[id], of: port()) }
      case .remove(let position):
        writer.remove(at: path.element(position))
      case .move(let from, let to):
        writer.move(from: path.element(from), to: path.element(to))
      }
    }
    for id in updatedOrder {
      guard let old = published[id], let new = rows[id], let position = rows.position(of: id)
      else { continue }
      writer.change(at: PatchPath(path.element(position)), from: old, to: new, of: port())
    }
  }
}

extension [UInt8] {
  /// The JSON Pointer of one element of the array that this one points at.
  fileprivate func element(_ position: Int) -> [UInt8] {
    self + [UInt8(ascii: "/")] + String(position).utf8
  }
}
