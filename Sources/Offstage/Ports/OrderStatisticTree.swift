/// A sequence of keyed elements that finds, inserts, removes, and moves an element in O(log n), by
/// key or by position.
///
/// A node stands for an element as long as that is in the sequence.
///
/// Inlinable, so that it is compiled for the rows of the author's module: unspecialized, filling a list
/// takes three times as long.
@usableFromInline
struct OrderStatisticTree<Key: Hashable, Element> {
  @usableFromInline var treap: Treap
  /// The elements of the nodes; nil for a free node.
  @usableFromInline var values: [Element?]
  @usableFromInline var nodeOfKey: [Key: Int32]

  /// - Parameter positions: The positions of the elements by their keys.
  @inlinable init(_ elements: [Element] = [], _ positions: [Key: Int32] = [:]) {
    treap = Treap(count: elements.count)
    values = elements
    nodeOfKey = positions
  }

  @inlinable var count: Int { treap.count }

  @inlinable subscript(key: Key) -> Element? {
    guard let node = nodeOfKey[key] else { return nil }
    return values[Int(node)]
  }

  @inlinable func position(of key: Key) -> Int? { nodeOfKey[key].map { treap.position(of: $0) } }

  @inlinable func element(at position: Int) -> Element { values[Int(treap.node(at: position))]! }

  @inlinable var elements: [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(count)
    visit { elements.append($0) }
    return elements
  }

  @inlinable func visit(_ body: (Element) -> Void) { treap.visit { body(values[Int($0)]!) } }

  // MARK: By node

  @inlinable func node(of key: Key) -> Int32? { nodeOfKey[key] }

  @inlinable func node(at position: Int) -> Int32 { treap.node(at: position) }

  @inlinable func position(of node: Int32) -> Int { treap.position(of: node) }

  /// The nodes in the order of their elements.
  @inlinable var nodes: [Int32] {
    var nodes: [Int32] = []
    nodes.reserveCapacity(count)
    treap.visit { nodes.append($0) }
    return nodes
  }

  @inlinable subscript(node node: Int32) -> Element {
    get { values[Int(node)]! }
    _modify { yield &values[Int(node)]! }
  }

  /// Inserts an element, unless its key is known.
  /// - Returns: The node of the key, and true if it is new.
  @inlinable @discardableResult
  mutating func insert(
    _ element: Element, for key: Key, at position: Int
  ) -> (node: Int32, isNew: Bool) {
    let node = treap.next
    // One search for both, since most keys are new.
    if let known = nodeOfKey.updateValue(node, forKey: key) {
      nodeOfKey[key] = known
      return (known, false)
    }
    treap.insert(at: position)
    if Int(node) == values.count { values.append(element) } else { values[Int(node)] = element }
    return (node, true)
  }

  @inlinable mutating func remove(_ key: Key) -> Element? {
    guard let node = nodeOfKey.removeValue(forKey: key) else { return nil }
    treap.remove(node)
    return values[Int(node)].take()
  }

  /// Moves the element of a node to a position, counted after the move.
  @inlinable mutating func move(_ node: Int32, to position: Int) { treap.move(node, to: position) }

  @inlinable mutating func reserve(_ more: Int) {
    nodeOfKey.reserveCapacity(count + more)
    values.reserveCapacity(values.count + more)
  }
}

/// The shape of a tree: nodes that store the size of their subtree and their parent, in an array.
///
/// As long as the nodes are in the order of their indices, their count says as much as a tree. Most
/// lists are only filled, and a host has hundreds of thousands of lists.
///
/// Priorities come from a fixed sequence, so the shape is the same in every run. Kept apart from
/// the elements, because unspecialized generic code looks up the type of an array at each access.
@usableFromInline
struct Treap {
  /// The index of a missing node.
  private static let none: Int32 = -1

  private struct Node {
    var left: Int32 = -1
    var right: Int32 = -1
    var parent: Int32 = -1
    var size: Int32 = 1
    var priority: UInt32
  }

  /// The number of nodes while they are in the order of their indices and there is no tree.
  private var ordered: Int32 = 0
  private var nodes: [Node] = []
  private var free: [Int32] = []
  private var root: Int32 = -1
  private var random: UInt32 = 0x9E37_79B9

  /// Creates a tree of nodes in the order of their indices.
  @usableFromInline init(count: Int) { ordered = Int32(count) }

  /// Makes the tree, which other nodes can be inserted into and removed from.
  private mutating func grow() {
    nodes.reserveCapacity(Int(ordered))
    for position in 0..<Int(ordered) { insertIntoTree(at: position) }
    ordered = 0
  }

  @usableFromInline var count: Int { Int(ordered + size(root)) }

  @usableFromInline func position(of node: Int32) -> Int {
    if ordered > 0 { return Int(node) }
    var node = node
    var position = size(nodes[Int(node)].left)
    while nodes[Int(node)].parent != Self.none {
      let parent = nodes[Int(node)].parent
      if nodes[Int(parent)].right == node { position += size(nodes[Int(parent)].left) + 1 }
      node = parent
    }
    return Int(position)
  }

  @usableFromInline func node(at position: Int) -> Int32 {
    if ordered > 0 { return Int32(position) }
    var node = root
    var position = Int32(position)
    while true {
      let left = size(nodes[Int(node)].left)
      if position == left { return node }
      if position < left {
        node = nodes[Int(node)].left
      } else {
        position -= left + 1
        node = nodes[Int(node)].right
      }
    }
  }

  /// The node that is inserted next: a free one, if there is any.
  @usableFromInline var next: Int32 { free.last ?? ordered + Int32(nodes.count) }

  @usableFromInline mutating func insert(at position: Int) {
    if nodes.isEmpty, position == ordered {
      ordered += 1
    } else {
      if ordered > 0 { grow() }
      insertIntoTree(at: position)
    }
  }

  private mutating func insertIntoTree(at position: Int) {
    random ^= random << 13
    random ^= random >> 17
    random ^= random << 5
    let node = free.popLast() ?? Int32(nodes.count)
    if Int(node) == nodes.count { nodes.append(Node(priority: random)) }
    nodes[Int(node)].priority = random
    link(node, at: position)
  }

  @usableFromInline mutating func remove(_ node: Int32) {
    if ordered > 0 { grow() }
    unlink(node)
    free.append(node)
  }

  @usableFromInline mutating func move(_ node: Int32, to position: Int) {
    if ordered > 0 { grow() }
    unlink(node)
    link(node, at: position)
  }

  @usableFromInline func visit(_ body: (Int32) -> Void) {
    for node in 0..<ordered { body(node) }
    var stack: [Int32] = []
    var node = root
    while node != Self.none || !stack.isEmpty {
      while node != Self.none {
        stack.append(node)
        node = nodes[Int(node)].left
      }
      node = stack.removeLast()
      body(node)
      node = nodes[Int(node)].right
    }
  }

  private func size(_ node: Int32) -> Int32 { node == Self.none ? 0 : nodes[Int(node)].size }

  /// Adds a node that is in no tree.
  private mutating func link(_ node: Int32, at position: Int) {
    if position == size(root) { return linkLast(node) }
    let (left, right) = split(root, at: Int32(position))
    nodes[Int(node)] = Node(priority: nodes[Int(node)].priority)
    root = merge(merge(left, node), right)
    nodes[Int(root)].parent = Self.none
  }

  /// Adds a node at the end, in one descent: lists are mostly filled from front to back.
  private mutating func linkLast(_ node: Int32) {
    let priority = nodes[Int(node)].priority
    var (parent, below) = (Self.none, root)
    while below != Self.none, nodes[Int(below)].priority >= priority {
      nodes[Int(below)].size += 1
      (parent, below) = (below, nodes[Int(below)].right)
    }
    nodes[Int(node)] = Node(
      left: below, parent: parent, size: size(below) + 1, priority: priority)
    if below != Self.none { nodes[Int(below)].parent = node }
    if parent == Self.none { root = node } else { nodes[Int(parent)].right = node }
  }

  private mutating func unlink(_ node: Int32) {
    let (left, right) = (nodes[Int(node)].left, nodes[Int(node)].right)
    var ancestor = nodes[Int(node)].parent
    let rest = merge(left, right)
    if rest != Self.none { nodes[Int(rest)].parent = ancestor }
    if ancestor == Self.none {
      root = rest
    } else if nodes[Int(ancestor)].left == node {
      nodes[Int(ancestor)].left = rest
    } else {
      nodes[Int(ancestor)].right = rest
    }
    while ancestor != Self.none {
      nodes[Int(ancestor)].size -= 1
      ancestor = nodes[Int(ancestor)].parent
    }
  }

  /// Splits a tree into one of its first `position` nodes and one of the rest.
  private mutating func split(_ tree: Int32, at position: Int32) -> (Int32, Int32) {
    guard tree != Self.none else { return (Self.none, Self.none) }
    let (left, right) = (nodes[Int(tree)].left, nodes[Int(tree)].right)
    if position <= size(left) {
      let (first, second) = split(left, at: position)
      setChildren(of: tree, second, right)
      return (first, tree)
    }
    let (first, second) = split(right, at: position - size(left) - 1)
    setChildren(of: tree, left, first)
    return (tree, second)
  }

  /// Joins two trees. The root with the higher priority becomes the root.
  private mutating func merge(_ left: Int32, _ right: Int32) -> Int32 {
    if left == Self.none { return right }
    if right == Self.none { return left }
    if nodes[Int(left)].priority >= nodes[Int(right)].priority {
      setChildren(of: left, nodes[Int(left)].left, merge(nodes[Int(left)].right, right))
      return left
    }
    setChildren(of: right, merge(left, nodes[Int(right)].left), nodes[Int(right)].right)
    return right
  }

  private mutating func setChildren(of node: Int32, _ left: Int32, _ right: Int32) {
    nodes[Int(node)].left = left
    nodes[Int(node)].right = right
    nodes[Int(node)].size = size(left) + size(right) + 1
    if left != Self.none { nodes[Int(left)].parent = node }
    if right != Self.none { nodes[Int(right)].parent = node }
  }
}
