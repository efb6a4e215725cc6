/// The way from one list of keyed things to another, in as few edits as there can be.
///
/// It takes O(n log n) for any two lists and hardly more than a comparison of the keys where only a
/// stretch has changed. Keys should be distinct; where one is not, its later places are removed and
/// inserted and never moved.
package enum KeyedDiff {
  /// One step. Indices are those at the time of the step, with all earlier ones already taken.
  package enum Edit: Hashable, Sendable {
    case remove(at: Int)
    /// Removes first and inserts then, as `move` of RFC 6902 does: `to` is counted without the thing.
    case move(from: Int, to: Int)
    /// Takes the thing at `newIndex` of the new list.
    case insert(at: Int, newIndex: Int)
  }

  /// The edits that make `newKeys` of `oldKeys`: removals from the end, then the rest from the start.
  package static func edits<Key: Hashable>(
    from oldKeys: [Key], to newKeys: [Key]
  ) -> [Edit] {
    let shorter = min(oldKeys.count, newKeys.count)
    var prefix = 0
    while prefix < shorter, oldKeys[prefix] == newKeys[prefix] { prefix += 1 }
    var suffix = 0
    while suffix < shorter - prefix,
      oldKeys[oldKeys.count - 1 - suffix] == newKeys[newKeys.count - 1 - suffix]
    { suffix += 1 }
    return edits(
      from: oldKeys[prefix..<oldKeys.count - suffix], to: newKeys[prefix..<newKeys.count - suffix])
  }

  /// The edits of a stretch, which begins at the same index in both lists.
  private static func edits<Key: Hashable>(
    from oldKeys: ArraySlice<Key>, to newKeys: ArraySlice<Key>
  ) -> [Edit] {
    var wanted = [Key: Int](minimumCapacity: newKeys.count)
    for index in newKeys.indices.reversed() { wanted[newKeys[index]] = index }

    // What stays in the list, by its new indices and in its old order.
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

  /// The moves and insertions, once all that goes has gone.
  ///
  /// Every place that anything has or will have gets a slot of one fixed order: what is never moved
  /// has one; what is moved has one for its old and one for its new place. The filled slots before a
  /// slot then are its index, at any time, and a tree counts them quickly.
  private static func arrivals(_ kept: [Int], in indices: Range<Int>) -> [Edit] {
    if kept.isEmpty { return indices.map { .insert(at: $0, newIndex: $0) } }
    let still = longestRise(of: kept)
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

    var tree = CountingTree(filled)
    var edits: [Edit] = []
    for (offset, slot) in newSlots.enumerated() where slot >= 0 {
      if oldSlots[offset] >= 0 {
        let from = tree.count(before: oldSlots[offset])
        tree.clear(oldSlots[offset])
        let to = tree.count(before: slot)
        edits.append(.move(from: indices.lowerBound + from, to: indices.lowerBound + to))
      } else {
        let at = indices.lowerBound + tree.count(before: slot)
        edits.append(.insert(at: at, newIndex: indices.lowerBound + offset))
      }
      tree.fill(slot)
    }
    return edits
  }

  /// The positions of a longest increasing subsequence of distinct numbers, by patience sorting.
  static func longestRise(of numbers: [Int]) -> [Int] {
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
    var rise: [Int] = []
    var position = ends.last ?? -1
    while position >= 0 {
      rise.append(position)
      position = previous[position]
    }
    return rise.reversed()
  }
}
