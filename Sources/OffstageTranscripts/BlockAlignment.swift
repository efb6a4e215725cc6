import OffstageJSON

/// Pairs lines that are not what a block expects with the expectations that they come closest to,
/// so that a difference can say what has changed instead of printing everything twice.
///
/// A pair is a guess for people, not a verdict: bindings made within the block are not considered.
struct BlockAlignment {
  /// For every line, the index of the expected line that it is taken for, if any. Those of the
  /// strict lines are in ascending order.
  private(set) var partners: [Int?]

  private let expected: [BlockMatch.Candidate]
  private let found: [JSON?]
  private let bindings: Bindings

  /// - Parameter found: the lines, nil for one that is no JSON.
  init(of found: [JSON?], with expected: [BlockMatch.Candidate], bindings: Bindings) {
    self.partners = found.map { _ in nil }
    self.expected = expected
    self.found = found
    self.bindings = bindings

    let strict = expected.indices.filter { expected[$0].expectation.place == .strict }
    let anywhere = expected.indices.filter { expected[$0].expectation.place == .anywhere }
    // First of all the lines that suit an expectation without order and none with it.
    pairUnordered(with: anywhere, atMost: 0) { alignment, line in
      !strict.contains { alignment.cost(of: line, as: $0) == 0 }
    }
    pairInOrder(with: strict)
    pairUnordered(with: anywhere, atMost: Cost.near) { _, _ in true }
  }

  /// What it costs to leave a line or an expectation alone is 1,000; a pair must be worth it.
  private enum Cost {
    static let alone = 1_000
    static let near = 1_000
  }

  /// 0 for a match, more the less a line is like an expectation, nil for another line altogether.
  private func cost(of line: Int, as index: Int) -> Int? {
    guard let value = found[line] else { return nil }
    var trial = bindings
    let reconciliation = Reconciliation(
      expected[index].expectation.pattern, with: value, line: expected[index].line,
      bindings: &trial)
    if reconciliation.isMatch { return 0 }
    guard reconciliation.isNearMatch else { return nil }
    let differing = reconciliation.parts - reconciliation.agreeing
    return max(1, 2 * Cost.near * differing / reconciliation.parts)
  }

  /// Gives every line that is free the expectation that it is most like.
  private mutating func pairUnordered(
    with indices: [Int], atMost limit: Int, where isSuitable: (BlockAlignment, Int) -> Bool
  ) {
    var free = indices.filter { !partners.contains($0) }
    for line in found.indices where partners[line] == nil && !free.isEmpty {
      guard isSuitable(self, line) else { continue }
      let costs = free.compactMap { index in cost(of: line, as: index).map { (index, $0) } }
      guard let best = costs.min(by: { $0.1 < $1.1 }), best.1 <= limit else { continue }
      partners[line] = best.0
      free.removeAll { $0 == best.0 }
    }
  }

  /// The cheapest pairing in which no two pairs cross, as in any comparison of two texts.
  private mutating func pairInOrder(with indices: [Int]) {
    var lines = found.indices.filter { partners[$0] == nil }[...]
    var indices = indices[...]
    // What matches at either end is not worth a table, and mostly that is nearly everything.
    while let line = lines.first, let index = indices.first, cost(of: line, as: index) == 0 {
      (lines, indices) = (lines.dropFirst(), indices.dropFirst())
      partners[line] = index
    }
    while let line = lines.last, let index = indices.last, cost(of: line, as: index) == 0 {
      (lines, indices) = (lines.dropLast(), indices.dropLast())
      partners[line] = index
    }
    // Two walls of different lines: nobody would read the pairs one by one.
    guard lines.count * indices.count <= 100_000 else { return }
    pairInTable(Array(lines), Array(indices))
  }

  private mutating func pairInTable(_ lines: [Int], _ indices: [Int]) {
    let costs = lines.map { line in indices.map { cost(of: line, as: $0) } }
    // total[l][i] is the cheapest way to bring lines l... and expectations i... to their end.
    var total = Array(
      repeating: Array(repeating: 0, count: indices.count + 1), count: lines.count + 1)
    for l in stride(from: lines.count, through: 0, by: -1) {
      for i in stride(from: indices.count, through: 0, by: -1) {
        var ways: [Int] = []
        if l < lines.count { ways.append(total[l + 1][i] + Cost.alone) }
        if i < indices.count { ways.append(total[l][i + 1] + Cost.alone) }
        if l < lines.count, i < indices.count, let cost = costs[l][i] {
          ways.append(total[l + 1][i + 1] + cost)
        }
        total[l][i] = ways.min() ?? 0
      }
    }
    var (l, i) = (0, 0)
    while l < lines.count, i < indices.count {
      if let cost = costs[l][i], total[l][i] == total[l + 1][i + 1] + cost {
        partners[lines[l]] = indices[i]
        (l, i) = (l + 1, i + 1)
      } else if total[l][i] == total[l][i + 1] + Cost.alone {
        i += 1
      } else {
        l += 1
      }
    }
  }
}
