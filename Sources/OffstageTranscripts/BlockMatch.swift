import OffstageJSON

/// Finds out whether lines are what a block expects: every line accounted for, none missing.
///
/// A line may suit both the next strict expectation and one that may stand anywhere, so that the
/// wrong choice for it would lead to a difference where there is none. Hence the search.
struct BlockMatch {
  /// An expected line and the number of the transcript's line that it stands in.
  struct Candidate {
    let expectation: Expectation
    let line: Int
  }

  private let expected: [Candidate]
  private let found: [JSON]
  /// Bounds the search. Past it the pairs that ``BlockAlignment`` guesses have to do.
  private var stepsLeft: Int

  /// The indices of the expected lines in the order in which the lines came, or nil.
  static func order(of expected: [Candidate], in found: [JSON], bindings: Bindings) -> [Int]? {
    guard expected.count == found.count else { return nil }
    var match = BlockMatch(expected: expected, found: found)
    return match.search(
      State(
        strict: expected.indices.filter { expected[$0].expectation.place == .strict }[...],
        anywhere: expected.indices.filter { expected[$0].expectation.place == .anywhere },
        bindings: bindings))
  }

  private init(expected: [Candidate], found: [JSON]) {
    self.expected = expected
    self.found = found
    self.stepsLeft = found.count + 10_000
  }

  /// What is still expected after some lines.
  private struct State {
    var strict: ArraySlice<Int>
    var anywhere: [Int]
    var bindings: Bindings
    var order: [Int] = []
  }

  private mutating func search(_ start: State) -> [Int]? {
    var state = start
    while state.order.count < found.count {
      stepsLeft -= 1
      guard stepsLeft >= 0 else { return nil }
      var next = successors(of: state)
      guard !next.isEmpty else { return nil }
      state = next.removeFirst()
      guard !next.isEmpty else { continue }
      // Only a real choice costs recursion.
      for choice in [state] + next {
        if let order = search(choice) { return order }
      }
      return nil
    }
    return state.order
  }

  /// All that the next line can be, the next strict line first.
  private func successors(of state: State) -> [State] {
    var tried: [JSON] = []
    return (state.strict.prefix(1) + state.anywhere).compactMap { index in
      let candidate = expected[index]
      let isStrict = candidate.expectation.place == .strict
      // Of equal lines that may stand anywhere, one is as good as the other.
      guard isStrict || !tried.contains(candidate.expectation.pattern) else { return nil }
      if !isStrict { tried.append(candidate.expectation.pattern) }
      var next = state
      let reconciliation = Reconciliation(
        candidate.expectation.pattern, with: found[state.order.count], line: candidate.line,
        bindings: &next.bindings)
      guard reconciliation.isMatch else { return nil }
      if isStrict { next.strict.removeFirst() } else { next.anywhere.removeAll { $0 == index } }
      next.order.append(index)
      return next
    }
  }
}
