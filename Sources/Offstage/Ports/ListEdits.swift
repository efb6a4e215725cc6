/// The edits of a list since the last frame, by the nodes of its tree.
///
/// It knows neither keys nor elements, so that one compiled copy serves all lists.
@usableFromInline
struct ListEdits {
  /// A change of the order. Positions are those at the time of the edit.
  enum Edit {
    case insert(node: Int32, at: Int32)
    case remove(at: Int32)
    case move(from: Int32, to: Int32)
  }

  private enum Mark: UInt8 {
    case none
    /// The edit writes the whole element, so that its later changes need no difference.
    case inserted
    case changed
  }

  private(set) var order: [Edit] = []
  /// Every element that has changed, in the order of the first changes, so that frames are
  /// deterministic. Some may have been removed since.
  private var changes: [Int32] = []
  /// What has happened to each node, as far as something has.
  private var marks: [Mark] = []
  /// The number of inserted elements that are still in the list.
  private(set) var insertedCount = 0
  /// True if edits are not recorded because the next frame contains the whole list: at first, and
  /// after too many edits.
  private(set) var isReplaced = true

  /// The number of operations that the edits take at most.
  var count: Int { order.count + changes.count }

  /// The elements that have changed and are in the list.
  var changed: some Sequence<Int32> { changes.lazy.filter { mark(of: $0) == .changed } }

  /// True if an element was inserted, and is still in the list.
  func isInserted(_ node: Int32) -> Bool { mark(of: node) == .inserted }

  private func mark(of node: Int32) -> Mark {
    Int(node) < marks.count ? marks[Int(node)] : .none
  }

  private mutating func set(_ mark: Mark, of node: Int32) {
    if Int(node) >= marks.count {
      marks.append(contentsOf: repeatElement(.none, count: Int(node) + 1 - marks.count))
    }
    marks[Int(node)] = mark
  }

  /// - Returns: True if this is the first change of an element that the front end has.
  @usableFromInline mutating func noteChange(of node: Int32) -> Bool {
    guard !isReplaced, mark(of: node) == .none else { return false }
    set(.changed, of: node)
    changes.append(node)
    return true
  }

  @usableFromInline init() {}

  // In each of these, `length` is the number of elements after the edit.

  @usableFromInline mutating func noteInsertion(of node: Int32, at position: Int, length: Int) {
    guard !isReplaced else { return }
    set(.inserted, of: node)
    insertedCount += 1
    record(.insert(node: node, at: Int32(position)), length)
  }

  @usableFromInline mutating func noteRemoval(of node: Int32, at position: Int, length: Int) {
    guard !isReplaced else { return }
    if isInserted(node) { insertedCount -= 1 }
    set(.none, of: node)
    record(.remove(at: Int32(position)), length)
  }

  @usableFromInline mutating func noteMove(from old: Int, to new: Int, length: Int) {
    guard !isReplaced else { return }
    if case .move(from: let first, to: Int32(old))? = order.last {
      // The last edit has moved the same element.
      order.removeLast()
      if first != Int32(new) { order.append(.move(from: first, to: Int32(new))) }
    } else {
      record(.move(from: Int32(old), to: Int32(new)), length)
    }
  }

  private mutating func record(_ edit: Edit, _ length: Int) {
    order.append(edit)
    // The whole list is shorter if all of it is new. And the edits would grow without bound while a
    // front end does not read.
    let isNew = insertedCount == length && order.count > 1
    guard isNew || count > 2 * length + 64 else { return }
    self = ListEdits()
  }

  /// Starts recording for the next frame.
  mutating func forget() {
    for edit in order {
      if case .insert(let node, _) = edit { marks[Int(node)] = .none }
    }
    for node in changes { marks[Int(node)] = .none }
    order.removeAll(keepingCapacity: order.count < 64)
    changes.removeAll(keepingCapacity: changes.count < 64)
    insertedCount = 0
    isReplaced = false
  }
}
