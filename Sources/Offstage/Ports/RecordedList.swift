internal import OffstageJSON

/// The elements of a list in the document, and their edits since the last frame.
/// - Parameters:
///   - ID: The ids of the elements.
///   - Old: The state from which the difference of a changed element is computed.
@usableFromInline
struct RecordedList<ID: Hashable, Element, Old> {
  @usableFromInline var tree: OrderStatisticTree<ID, Element>
  @usableFromInline var edits = ListEdits()
  /// The changed elements as they were before, by their nodes.
  @usableFromInline var before: [Int32: Before] = [:]

  @usableFromInline
  enum Before {
    case value(Old)
    /// The element without the additions.
    case shorter([Growth<Element>])
  }

  /// - Parameter positions: The positions of the elements by their ids.
  @inlinable init(_ elements: [Element] = [], _ positions: [ID: Int32] = [:]) {
    tree = OrderStatisticTree(elements, positions)
  }

  @inlinable mutating func noteChange(of node: Int32, from old: Old) {
    if edits.noteChange(of: node) { before[node] = .value(old) }
  }

  /// - Returns: The node of the element that has this id already, and stays as it is; nil if there is
  ///   none.
  @inlinable @discardableResult
  mutating func insert(_ element: Element, for id: ID, at position: Int) -> Int32? {
    let (node, isNew) = tree.insert(element, for: id, at: position)
    guard isNew else { return node }
    edits.noteInsertion(of: node, at: position, length: tree.count)
    return nil
  }

  @inlinable mutating func remove(_ id: ID) -> Element? {
    guard let node = tree.node(of: id) else { return nil }
    let position = tree.position(of: node)
    let removed = tree.remove(id)
    before[node] = nil
    edits.noteRemoval(of: node, at: position, length: tree.count)
    return removed
  }

  /// Moves an element to a position, clamped to the bounds of the list.
  /// - Returns: False if the element is already there.
  @inlinable mutating func move(_ node: Int32, to position: Int) -> Bool {
    let old = tree.position(of: node)
    let new = min(max(position, 0), tree.count - 1)
    guard new != old else { return false }
    tree.move(node, to: new)
    edits.noteMove(from: old, to: new, length: tree.count)
    return true
  }

  mutating func forgetEdits() {
    edits.forget()
    if !before.isEmpty { before = [:] }
  }

  /// Writes the edits, or the whole list if that is shorter.
  /// - Parameters:
  ///   - whole: Writes all elements.
  ///   - element: Returns a function that writes an element.
  ///   - change: Writes the difference of an element at a path.
  func writeEdits(
    to writer: inout JSONWriter, at path: [UInt8], whole: (inout JSONWriter) -> Void,
    element: () -> (Element, inout JSONWriter) -> Void,
    change: (Old, Element, [UInt8], inout JSONWriter) -> Void
  ) {
    if edits.isReplaced { return writer.replace(at: path, whole) }
    if edits.count == 0 { return }
    let start = writer.bytes.count
    let write = edits.insertedCount > 0 ? element() : nil
    for edit in edits.order {
      switch edit {
      case .insert(let node, let position):
        writer.insert(in: path, at: Int(position)) {
          // An element that was removed again is null until its removal, later in this patch.
          if edits.isInserted(node) { write?(tree[node: node], &$0) } else { $0.null() }
        }
      case .remove(let position):
        writer.remove(from: path, at: Int(position))
      case .move(let from, let to):
        writer.move(in: path, from: Int(from), to: Int(to))
      }
    }
    let orderBytes = writer.bytes.count - start
    // Additions are part of the whole list, too, so they do not make it shorter.
    var replaceable = edits.order.count
    for node in edits.changed {
      let path = path.element(tree.position(of: node))
      switch before[node]! {
      case .value(let old):
        replaceable += 1
        change(old, tree[node: node], path, &writer)
      case .shorter(let growths):
        for growth in growths { growth.write(tree[node: node], path, &writer) }
      }
    }
    if tree.count > 1_000, edits.insertedCount > 0 {
      // The new elements tell how long an element is, and so that the whole list is longer, without
      // writing it. An operation takes less than 48 bytes besides its path and its element.
      let elements = orderBytes - edits.order.count * (path.count + 48)
      let whole = elements / edits.insertedCount * tree.count
      if whole > writer.bytes.count - start { return }
    }
    if replaceable > 0, 2 * replaceable >= tree.count {
      writer.keepShorter(since: start) { $0.replace(at: path, whole) }
    }
  }
}

extension RecordedList where Old == Element {
  @inlinable mutating func update(_ node: Int32, to element: Element) {
    var old = tree[node: node]
    tree[node: node] = element
    if case .shorter(let growths)? = before[node] {
      for growth in growths { growth.undo(&old) }
      before[node] = .value(old)
    } else {
      noteChange(of: node, from: old)
    }
  }

  /// Adds to the end of a member of an element, in place.
  mutating func grow<Addition>(
    _ node: Int32, _ member: WritableKeyPath<Element, [Addition]>, by addition: Addition,
    growth: (Int) -> Growth<Element>
  ) {
    let count = tree[node: node][keyPath: member].count
    if edits.noteChange(of: node) {
      before[node] = .shorter([growth(count)])
    } else if case .shorter(let growths)? = before[node],
      !growths.contains(where: { $0.member == member })
    {
      before[node] = .shorter(growths + [growth(count)])
    }
    tree[node: node][keyPath: member].append(addition)
  }
}
