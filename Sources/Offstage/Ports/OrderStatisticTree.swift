/// A sequence of keyed elements that finds, inserts, removes, and moves an element in O(log n), by
/// key or by position.
///
/// It is a treap whose nodes store the size of their subtree and their parent. The nodes are kept in
/// arrays, with a dictionary from keys to nodes. Priorities come from a fixed sequence, so the shape
/// is the same in every run.
struct OrderStatisticTree<Key: Hashable, Element> {
  /// The index of a missing node.
  private static var none: Int32 { -1 }

  private struct Node {
    var left: Int32 = -1
    var right: Int32 = -1
    var parent: Int32 = -1
    var size: Int32 = 1
    var priority: UInt32
  }

  private var nodes: [Node] = []
  /// Kept apart from the nodes, so that walking up the tree touches less memory.
  private var elements: [Element?] = []
  private var nodeOfKey: [Key: Int32] = [:]
  private var free: [Int32] = []
  private var root: Int32 = -1
  private var random: UInt32 = 0x9E37_79B9

  var count: Int { nodeOfKey.count }

  subscript(key: Key) -> Element? {
    guard let node = nodeOfKey[key] else { return nil }
    return elements[Int(node)]
  }

  /// Replaces the element of a key. Has no effect if the key is missing.
  mutating func update(_ key: Key, to element: Element) {
    guard let node = nodeOfKey[key] else { return }
    elements[Int(node)] = element
  }

  /// The position of a key.
  func position(of key: Key) -> Int? {
    guard var node = nodeOfKey[key] else { return nil }
    var position = size(nodes[Int(node)].left)
    while nodes[Int(node)].parent != Self.none {
      let parent = nodes[Int(node)].parent
      if nodes[Int(parent)].right == node { position += size(nodes[Int(parent)].left) + 1 }
      node = parent
    }
    return Int(position)
  }

  func element(at position: Int) -> Element { elements[Int(node(at: position))]! }

  /// Inserts before the element at `position`.
  mutating func insert(_ element: Element, for key: Key, at position: Int) {
    let node = makeNode(element)
    nodeOfKey[key] = node
    link(node, at: position)
  }

  mutating func remove(_ key: Key) -> Element? {
    guard let node = nodeOfKey.removeValue(forKey: key) else { return nil }
    unlink(node)
    free.append(node)
    return elements[Int(node)].take()
  }

  /// Moves the element of a key, which is at `position` afterwards.
  mutating func move(_ key: Key, to position: Int) {
    guard let node = nodeOfKey[key] else { return }
    unlink(node)
    link(node, at: position)
  }

  /// Calls `body` with all elements in order.
  func visit(_ body: (Element) -> Void) {
    var stack: [Int32] = []
    var node = root
    while node != Self.none || !stack.isEmpty {
      while node != Self.none {
        stack.append(node)
        node = nodes[Int(node)].left
      }
      node = stack.removeLast()
      body(elements[Int(node)]!)
      node = nodes[Int(node)].right
    }
  }

  // MARK: Nodes

  private func size(_ node: Int32) -> Int32 { node == Self.none ? 0 : nodes[Int(node)].size }

  private func node(at position: Int) -> Int32 {
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

  private mutating func makeNode(_ element: Element) -> Int32 {
    random ^= random << 13
    random ^= random >> 17
    random ^= random << 5
    if let node = free.popLast() {
      nodes[Int(node)] = Node(priority: random)
      elements[Int(node)] = element
      return node
    }
    nodes.append(Node(priority: random))
    elements.append(element)
    return Int32(nodes.count - 1)
  }

  // MARK: Linking

  /// Adds a node as a leaf, then rotates it up until the priorities are in order.
  private mutating func link(_ node: Int32, at position: Int) {
    nodes[Int(node)] = Node(priority: nodes[Int(node)].priority)
    guard root != Self.none else {
      root = node
      return
    }
    var parent = root
    var position = Int32(position)
    while true {
      nodes[Int(parent)].size += 1
      let left = size(nodes[Int(parent)].left)
      if position <= left {
        guard nodes[Int(parent)].left != Self.none else {
          nodes[Int(parent)].left = node
          break
        }
        parent = nodes[Int(parent)].left
      } else {
        position -= left + 1
        guard nodes[Int(parent)].right != Self.none else {
          nodes[Int(parent)].right = node
          break
        }
        parent = nodes[Int(parent)].right
      }
    }
    nodes[Int(node)].parent = parent
    while nodes[Int(node)].parent != Self.none,
      nodes[Int(nodes[Int(node)].parent)].priority < nodes[Int(node)].priority
    {
      rotateUp(node)
    }
  }

  /// Rotates a node down until it has at most one child, then removes it.
  private mutating func unlink(_ node: Int32) {
    while true {
      let left = nodes[Int(node)].left
      let right = nodes[Int(node)].right
      guard left != Self.none, right != Self.none else { break }
      rotateUp(nodes[Int(left)].priority > nodes[Int(right)].priority ? left : right)
    }
    let left = nodes[Int(node)].left
    let child = left == Self.none ? nodes[Int(node)].right : left
    let parent = nodes[Int(node)].parent
    replace(node, by: child, under: parent)
    var ancestor = parent
    while ancestor != Self.none {
      nodes[Int(ancestor)].size -= 1
      ancestor = nodes[Int(ancestor)].parent
    }
  }

  /// Swaps a node and its parent, keeping the order of the elements.
  private mutating func rotateUp(_ node: Int32) {
    let parent = nodes[Int(node)].parent
    let grandparent = nodes[Int(parent)].parent
    let inner: Int32
    if nodes[Int(parent)].left == node {
      inner = nodes[Int(node)].right
      nodes[Int(parent)].left = inner
      nodes[Int(node)].right = parent
    } else {
      inner = nodes[Int(node)].left
      nodes[Int(parent)].right = inner
      nodes[Int(node)].left = parent
    }
    if inner != Self.none { nodes[Int(inner)].parent = parent }
    replace(parent, by: node, under: grandparent)
    nodes[Int(parent)].parent = node
    nodes[Int(node)].size = nodes[Int(parent)].size
    nodes[Int(parent)].size =
      size(nodes[Int(parent)].left) + size(nodes[Int(parent)].right) + 1
  }

  private mutating func replace(_ old: Int32, by new: Int32, under parent: Int32) {
    if parent == Self.none {
      root = new
    } else if nodes[Int(parent)].left == old {
      nodes[Int(parent)].left = new
    } else {
      nodes[Int(parent)].right = new
    }
    if new != Self.none { nodes[Int(new)].parent = parent }
  }
}
