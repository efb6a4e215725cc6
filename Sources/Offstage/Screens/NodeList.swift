/// The parts of a screen or part, in the order of their creation.
///
/// Removing one takes constant time, so that a long list of parts can be emptied one by one.
@CoreActor
struct NodeList {
  /// nil for a part that has ended.
  private var slots: [ScreenNode?] = []
  private var emptySlots = 0

  var isEmpty: Bool { slots.count == emptySlots }

  var nodes: [ScreenNode] { slots.compactMap(\.self) }

  mutating func append(_ node: ScreenNode) {
    node.position = slots.count
    slots.append(node)
  }

  /// Removes a node. Has no effect if the list does not contain it.
  mutating func remove(_ node: ScreenNode) {
    guard slots.indices.contains(node.position), slots[node.position] === node else { return }
    slots[node.position] = nil
    emptySlots += 1
    if emptySlots > 8, emptySlots * 2 > slots.count { compact() }
  }

  private mutating func compact() {
    let nodes = nodes
    slots = []
    emptySlots = 0
    for node in nodes { append(node) }
  }
}
