import OffstageJSON
import TestSupport
import Testing

@Suite struct KeyedDiffTests {
  /// Applies the edits as RFC 6902 does, and compares.
  @discardableResult
  func check(
    _ old: [Int], _ new: [Int], _ location: SourceLocation = #_sourceLocation
  ) -> [KeyedDiff.Edit] {
    let edits = KeyedDiff.edits(from: old, to: new)
    var list = old
    for edit in edits {
      switch edit {
      case .remove(let index): list.remove(at: index)
      case .move(let from, let to): list.insert(list.remove(at: from), at: to)
      case .insert(let index, let newIndex): list.insert(new[newIndex], at: index)
      }
    }
    #expect(list == new, sourceLocation: location)
    return edits
  }

  @Test(
    arguments: [
      ([], [], []), ([1, 2], [1, 2], []),
      ([], [1, 2], [.insert(at: 0, newIndex: 0), .insert(at: 1, newIndex: 1)]),
      ([1, 2], [], [.remove(at: 1), .remove(at: 0)]),
      ([1, 2, 3], [1, 3], [.remove(at: 1)]),
      ([1, 3], [1, 2, 3], [.insert(at: 1, newIndex: 1)]),
      ([1, 2, 3, 4], [2, 3, 4, 1], [.move(from: 0, to: 3)]),
      ([1, 2, 3, 4], [4, 1, 2, 3], [.move(from: 3, to: 0)]),
      ([1, 2], [2, 1], [.move(from: 0, to: 1)]),
      (
        [1, 2, 3, 4, 5], [1, 4, 6, 3, 5],
        [.remove(at: 1), .insert(at: 3, newIndex: 2), .move(from: 1, to: 3)]
      ),
      ([1], [2], [.remove(at: 0), .insert(at: 0, newIndex: 0)]),
    ] as [([Int], [Int], [KeyedDiff.Edit])])
  func editsAreMinimal(_ old: [Int], _ new: [Int], _ expected: [KeyedDiff.Edit]) {
    #expect(check(old, new) == expected)
  }

  @Test(arguments: [
    ([1, 1, 2], [1, 2]), ([1, 2], [1, 2, 1]), ([1, 1, 1], [2, 1, 1]), ([3, 1, 3], [1, 3, 1, 3]),
  ])
  func repeatedKeysAreHandled(_ old: [Int], _ new: [Int]) { check(old, new) }

  @Test func randomListsTurnIntoEachOther() {
    var random = SplitMix64(seed: 2)
    for _ in 0..<5000 {
      let size = Int.random(in: 0...12, using: &random)
      let old = Array(0..<12).shuffled(using: &random).prefix(size)
      let other = Int.random(in: 0...12, using: &random)
      let new = Array(0..<12).shuffled(using: &random).prefix(other)
      check(Array(old), Array(new))
    }
  }

  /// The longest increasing subsequence stays in place.
  @Test func movesAreMinimal() {
    var random = SplitMix64(seed: 3)
    for _ in 0..<200 {
      let new = Array(0..<7).shuffled(using: &random)
      let staying = (0..<1 << 7).filter { mask in
        let run = new.indices.filter { mask >> $0 & 1 == 1 }.map { new[$0] }
        return run == run.sorted()
      }.map(\.nonzeroBitCount).max()!
      #expect(check(Array(0..<7), new).count == 7 - staying)
    }
  }

  @Test func longListsAreFast() {
    var random = SplitMix64(seed: 4)
    let old = Array(0..<100_000)
    let new = old.shuffled(using: &random)
    #expect(KeyedDiff.edits(from: old, to: new).count < 100_000)
    #expect(KeyedDiff.edits(from: old, to: old.reversed()).count == 99_999)
    check(old, old.filter { $0 % 1000 != 7 } + [100_001])
  }
}
