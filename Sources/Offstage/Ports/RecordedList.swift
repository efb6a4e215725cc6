internal import OffstageJSON

/// The elements of a list in the document, and their edits since the last frame.
/// - Parameters:
///   - ID: The ids of the elements.
///   - Old: The state from which the difference of a changed element is computed.
struct RecordedList<ID: Hashable, Element, Old> {
  /// A change of the order. Positions are those at the time of the edit.
  private enum Edit {
    case insert(ID, at: Int)
    case remove(at: Int)
    case move(from: Int, to: Int)
  }

  private(set) var tree: OrderStatisticTree<ID, Element>
  private var edits: [Edit] = []
  /// Changed elements as they were before; nil for an inserted one, which its edit writes in full.
  private var changed: [ID: Old?] = [:]
  /// The changed elements in the order of their first change, so that frames are deterministic.
  private var changedOrder: [ID] = []
  /// The number of inserted elements.
  private var insertedCount = 0
  /// True if edits are not recorded because the next frame contains the whole list: at first, and
  /// after too many edits.
  private var isReplaced = true

  /// - Parameter positions: The positions of the elements by their ids.
  init(_ elements: [Element] = [], _ positions: [ID: Int32] = [:]) {
    tree = OrderStatisticTree(elements, positions)
  }

  /// Replaces an element.
  mutating func update(_ id: ID, to element: Element, from old: Old) {
    tree.update(id, to: element)
    noteChange(of: id, from: old)
  }

  /// Records a change within an element.
  mutating func noteChange(of id: ID, from old: Old) {
    guard !isReplaced, changed[id] == nil else { return }
    changed[id] = .some(old)
    changedOrder.append(id)
  }

  mutating func insert(_ element: Element, for id: ID, at position: Int) {
    tree.insert(element, for: id, at: position)
    guard !isReplaced else { return }
    changed[id] = .some(nil)
    insertedCount += 1
    record(.insert(id, at: position))
  }

  mutating func remove(_ id: ID) -> Element? {
    guard let position = tree.position(of: id), let removed = tree.remove(id) else { return nil }
    if case .some(nil) = changed.removeValue(forKey: id) { insertedCount -= 1 }
    record(.remove(at: position))
    return removed
  }

  /// Moves an element to a position, clamped to the bounds of the list.
  /// - Returns: False if the element is already there, or if no element has this id.
  mutating func move(_ id: ID, to position: Int) -> Bool {
    guard let old = tree.position(of: id) else { return false }
    let new = min(max(position, 0), tree.count - 1)
    guard new != old else { return false }
    tree.move(id, to: new)
    if case .move(from: let first, to: old)? = edits.last {
      // The last edit has moved the same element.
      edits.removeLast()
      if first != new { edits.append(.move(from: first, to: new)) }
    } else {
      record(.move(from: old, to: new))
    }
    return true
  }

  private mutating func record(_ edit: Edit) {
    guard !isReplaced else { return }
    edits.append(edit)
    // The whole list is shorter if all of it is new. And the edits would grow without bound while a
    // front end does not read.
    let isNew = insertedCount == tree.count && edits.count > 1
    guard isNew || edits.count + changedOrder.count > 2 * tree.count + 64 else { return }
    forgetEdits()
    isReplaced = true
  }

  /// Starts recording for the next frame.
  mutating func forgetEdits() {
    edits = []
    changed = [:]
    changedOrder = []
    insertedCount = 0
    isReplaced = false
  }

  /// Writes the edits, or the whole list if that is shorter.
  /// - Parameters:
  ///   - whole: Writes all elements.
  ///   - element: Writes an element.
  ///   - change: Writes the difference of an element at a path.
  func writeEdits(
    to writer: inout JSONWriter, at path: [UInt8], whole: (inout JSONWriter) -> Void,
    element: (Element, inout JSONWriter) -> Void,
    change: (Old, Element, [UInt8], inout JSONWriter) -> Void
  ) {
    if isReplaced { return writer.replace(at: path, whole) }
    if edits.isEmpty, changedOrder.isEmpty { return }
    let start = writer.bytes.count
    for edit in edits {
      switch edit {
      case .insert(let id, let position):
        writer.add(at: path.element(position)) {
          // An element that was removed again is null until its removal, later in this patch.
          if let inserted = tree[id] { element(inserted, &$0) } else { $0.null() }
        }
      case .remove(let position):
        writer.remove(at: path.element(position))
      case .move(let from, let to):
        writer.move(from: path.element(from), to: path.element(to))
      }
    }
    for id in changedOrder {
      guard case .some(let old?) = changed[id], let new = tree[id] else { continue }
      change(old, new, path.element(tree.position(of: id)!), &writer)
    }
    if 2 * (edits.count + changedOrder.count) >= tree.count {
      writer.keepShorter(since: start) { $0.replace(at: path, whole) }
    }
  }
}
