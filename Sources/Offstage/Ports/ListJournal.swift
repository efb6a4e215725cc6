internal import OffstageJSON

/// The edits of a list since its last frame.
/// - Parameters:
///   - ID: The ids of the elements.
///   - Old: The state from which the difference of a changed element is computed.
struct ListJournal<ID: Hashable, Old> {
  /// A change of the order. Positions are those at the time of the edit.
  private enum Edit {
    case insert(ID, at: Int)
    case remove(at: Int)
    case move(from: Int, to: Int)
  }

  private var edits: [Edit] = []
  /// Inserted elements. Their edit writes them as they are at the end of the turn.
  private var insertedIDs: Set<ID> = []
  private var changed: [ID: Old] = [:]
  /// The same elements in the order of their first change, so that frames are deterministic.
  private var changedOrder: [ID] = []
  private var isReplaced = false

  mutating func updated(_ id: ID, from old: Old) {
    guard !isReplaced, !insertedIDs.contains(id), changed[id] == nil else { return }
    changed[id] = old
    changedOrder.append(id)
  }

  mutating func inserted(_ id: ID, at position: Int) {
    guard !isReplaced else { return }
    edits.append(.insert(id, at: position))
    insertedIDs.insert(id)
  }

  mutating func removed(_ id: ID, at position: Int) {
    guard !isReplaced else { return }
    edits.append(.remove(at: position))
    changed[id] = nil
  }

  mutating func moved(from old: Int, to new: Int) {
    guard !isReplaced else { return }
    edits.append(.move(from: old, to: new))
  }

  mutating func replaceAll() {
    self = Self()
    isReplaced = true
  }

  /// Discards the edits once they are longer than the list. Otherwise the journal would grow without
  /// bound while a front end does not read.
  mutating func limit(to count: Int) {
    if edits.count + changedOrder.count > 2 * count + 64 { replaceAll() }
  }

  /// Writes the edits, or the whole list if that is shorter. `change` writes the difference of an element
  /// at a path.
  func write<Element>(
    to writer: inout JSONWriter, at path: [UInt8], elements: OrderStatisticTree<ID, Element>,
    whole: (inout JSONWriter) -> Void, element: (Element, inout JSONWriter) -> Void,
    change: (Old, Element, [UInt8], inout JSONWriter) -> Void
  ) {
    if isReplaced { return writer.replace(at: path, whole) }
    let start = writer.bytes.count
    for edit in edits {
      switch edit {
      case .insert(let id, let position):
        writer.add(at: path.element(position)) {
          // An element that was removed again is null until its removal, later in this patch.
          if let inserted = elements[id] { element(inserted, &$0) } else { $0.null() }
        }
      case .remove(let position):
        writer.remove(at: path.element(position))
      case .move(let from, let to):
        writer.move(from: path.element(from), to: path.element(to))
      }
    }
    for id in changedOrder {
      guard let old = changed[id], let new = elements[id], let position = elements.position(of: id)
      else { continue }
      change(old, new, path.element(position), &writer)
    }
    if 2 * (edits.count + changedOrder.count) >= elements.count {
      writer.keepShorter(since: start) { $0.replace(at: path, whole) }
    }
  }
}
