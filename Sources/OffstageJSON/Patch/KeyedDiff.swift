/// The fewest edits from one list of keyed elements to another.
///
/// Takes O(n log n), and little more than comparing the keys if only one stretch has changed. Keys
/// should be distinct. Later occurrences of a repeated key are removed and inserted, never moved.
package enum KeyedDiff {
  /// One step. Its indices count after all earlier steps.
  package enum Edit: Hashable, Sendable {
    case remove(at: Int)
    /// Removes and then inserts, like `move` in RFC 6902: `to` counts without the element.
    case move(from: Int, to: Int)
    /// Inserts the element at `newIndex` of the new list.
    case insert(at: Int, newIndex: Int)
  }

  /// Returns removals from the end, then moves and insertions from the start.
  #if compiler(>=6.3)
    @specialized(where Key == Int32)
  #endif
  package static func edits<Key: Hashable>(
    from oldKeys: [Key], to newKeys: [Key]
  ) -> [Edit] {
    let (prefix, suffix) = equalEnds(oldKeys, newKeys)
    return edits(
      from: oldKeys[prefix..<oldKeys.count - suffix], to: newKeys[prefix..<newKeys.count - suffix])
  }

  /// Returns the number of equal elements at the start and, without overlap, the end of two lists.
  static func equalEnds<Element: Equatable>(
    _ old: [Element], _ new: [Element]
  ) -> (prefix: Int, suffix: Int) {
    let shorter = min(old.count, new.count)
    var prefix = 0
    while prefix < shorter, old[prefix] == new[prefix] { prefix += 1 }
    var suffix = 0
    while suffix < shorter - prefix, old[old.count - 1 - suffix] == new[new.count - 1 - suffix] {
      suffix += 1
    }
    return (prefix, suffix)
  }

  /// Returns the edits of a stretch that starts at the same index in both lists.
  private static func edits<Key: Hashable>(
    from oldKeys: ArraySlice<Key>, to newKeys: ArraySlice<Key>
  ) -> [Edit] {
    var wanted = [Key: Int](minimumCapacity: newKeys.count)
    for index in newKeys.indices.reversed() { wanted[newKeys[index]] = index }

    // The elements that stay in the list, by their new indices and in their old order.
    var kept: [Int] = []
    var edits: [Edit] = []
    for index in oldKeys.indices {
      if let target = wanted.removeValue(forKey: oldKeys[index]) {
        kept.append(target)
      } else {
        edits.append(.remove(at: index))
      }
    }
    edits.reverse()
    return edits + arrivals(kept, in: newKeys.indices)
  }

  /// Returns the moves and insertions, after all removals.
  ///
  /// Every place that an element has or will have gets a slot in one fixed order: an element that
  /// is not moved has one slot, a moved element has one for its old place and one for its new
  /// place. The index of a slot at any time is then the number of filled slots before it.
  private static func arrivals(_ kept: [Int], in indices: Range<Int>) -> [Edit] {
    if kept.isEmpty { return indices.map { .insert(at: $0, newIndex: $0) } }
    let still = longestIncreasingSubsequence(of: kept)
    if still.count == indices.count { return [] }

    var oldSlots = [Int](repeating: -1, count: indices.count)
    var newSlots = [Int](repeating: -1, count: indices.count)
    var filled: [Bool] = []
    var (old, new) = (0, indices.lowerBound)
    for place in still + [kept.count] {
      let end = place < kept.count ? kept[place] : indices.upperBound
      for index in new..<end {
        newSlots[index - indices.lowerBound] = filled.count
        filled.append(false)
      }
      for mover in old..<place {
        oldSlots[kept[mover] - indices.lowerBound] = filled.count
        filled.append(true)
      }
      if place < kept.count { filled.append(true) }
      (old, new) = (place + 1, end + 1)
    }

    var tree = FenwickTree(filled)
    var edits: [Edit] = []
    for (offset, slot) in newSlots.enumerated() where slot >= 0 {
      if oldSlots[offset] >= 0 {
        let from = tree.count(before: oldSlots[offset])
        tree.add(-1, to: oldSlots[offset])
        let to = tree.count(before: slot)
        edits.append(.move(from: indices.lowerBound + from, to: indices.lowerBound + to))
      } else {
        let at = indices.lowerBound + tree.count(before: slot)
        edits.append(.insert(at: at, newIndex: indices.lowerBound + offset))
      }
      tree.add(1, to: slot)
    }
    return edits
  }

  /// Returns the positions of a longest increasing subsequence of distinct numbers, by patience
  /// sorting.
  private static func longestIncreasingSubsequence(of numbers: [Int]) -> [Int] {
    var ends: [Int] = []
    var previous = [Int](repeating: -1, count: numbers.count)
    for (position, number) in numbers.enumerated() {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[position] = ends[low - 1] }
      if low == ends.count { ends.append(position) } else { ends[low] = position }
    }
    var subsequence: [Int] = []
    var position = ends.last ?? -1
    while position >= 0 {
      subsequence.append(position)
      position = previous[position]
    }
    return subsequence.reversed()
  }
}

/// Counts the filled slots before any slot. A count and a change each take O(log n).
private struct FenwickTree {
  /// Node `i`, counted from 1, holds the number of filled ones among the `i & -i` slots ending at
  /// it.
  private var nodes: [Int]

  init(_ slots: [Bool]) {
    nodes = [0] + slots.map { $0 ? 1 : 0 }
    for index in 1..<nodes.count {
      let parent = index + (index & -index)
      if parent < nodes.count { nodes[parent] += nodes[index] }
    }
  }

  func count(before slot: Int) -> Int {
    var sum = 0
    var index = slot
    while index > 0 {
      sum += nodes[index]
      index -= index & -index
    }
    return sum
  }

  /// - Parameter change: 1 to fill the slot, -1 to clear it.
  mutating func add(_ change: Int, to slot: Int) {
    var index = slot + 1
    while index < nodes.count {
      nodes[index] += change
      index += index & -index
    }
  }
}
