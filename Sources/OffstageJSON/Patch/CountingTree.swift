/// Counts the filled ones of many slots up to any of them (a Fenwick tree, 1994): O(log n) for a
/// count and for a change.
struct CountingTree {
  /// The node `i`, counted from one, holds the sum of the `i & -i` slots that end at it.
  private var nodes: [Int]

  init(_ slots: [Bool]) {
    nodes = [0] + slots.map { $0 ? 1 : 0 }
    for index in 1..<nodes.count {
      let parent = index + (index & -index)
      if parent < nodes.count { nodes[parent] += nodes[index] }
    }
  }

  /// How many slots before this one are filled.
  func count(before slot: Int) -> Int {
    var sum = 0
    var index = slot
    while index > 0 {
      sum += nodes[index]
      index -= index & -index
    }
    return sum
  }

  mutating func fill(_ slot: Int) { add(1, to: slot) }

  mutating func clear(_ slot: Int) { add(-1, to: slot) }

  private mutating func add(_ change: Int, to slot: Int) {
    var index = slot + 1
    while index < nodes.count {
      nodes[index] += change
      index += index & -index
    }
  }
}
