package import Showcase

/// A text to find in the keys of `SearchKey`.
///
/// Korean is found while it is being typed: `ㄱ`, `겨`, `경ㅂ`, and `경보` all find `경복궁`. So do its
/// initial consonants, `ㄱㅂㄱ`. Spaces within Korean are ignored, because people use them
/// inconsistently.
final class SearchPattern {
  /// The quality of a match, best first.
  enum Rank: Int, Comparable {
    case wholeName, beginning, within

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  /// The text as it is, and with its last consonant moved to a next syllable that is not yet typed.
  private let readings: [[Step]]

  /// Creates a pattern; nil for a blank text, which finds nothing.
  init?(_ text: String) {
    let scalars = Self.withoutKoreanSpaces(Array(SearchKey.folded(text).unicodeScalars))
    guard let last = scalars.last else { return nil }
    let start = scalars.dropLast().map(Step.init)
    guard let unfinished = Hangul.unfinished(last) else {
      readings = [start + [Step(last)]]
      return
    }
    let whole = start + [Step(scalar: last, syllables: unfinished.completions)]
    let split = unfinished.split.map { start + [Step(scalar: $0.syllable), Step($0.next)] }
    readings = [whole, split].compactMap { $0 }
  }

  /// Removes the spaces that have Korean on both sides.
  private static func withoutKoreanSpaces(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
    scalars.indices.filter { index in
      guard scalars[index] == " " else { return true }
      return !(Hangul.contains(scalars[index - 1]) && Hangul.contains(scalars[index + 1]))
    }.map { scalars[$0] }
  }

  /// Returns the rank of the best match in a key; nil without a match.
  func rank(in key: String) -> Rank? {
    var best: Rank?
    var isStart = false
    var rest = key.unicodeScalars.makeIterator()
    while best != .wholeName, let scalar = rest.next() {
      // Avoid closures and slices here, because a search may read a million keys.
      for steps in readings where steps[0].matches(scalar) {
        guard let rank = rank(of: steps, in: rest, isStart: isStart) else { continue }
        best = min(rank, best ?? rank)
      }
      isStart = scalar == "\n"
    }
    return best
  }

  /// - Parameters:
  ///   - rest: The scalars after the one that the first step matches.
  ///   - isStart: True if a name starts with that scalar.
  private func rank(
    of steps: [Step], in rest: String.UnicodeScalarView.Iterator, isStart: Bool
  ) -> Rank? {
    var rest = rest
    var isKorean = steps[0].isKorean
    for step in steps.dropFirst() {
      guard var scalar = rest.next() else { return nil }
      if scalar == " ", isKorean, step.isKorean {
        guard let next = rest.next() else { return nil }
        scalar = next
      }
      guard step.matches(scalar) else { return nil }
      isKorean = step.isKorean
    }
    guard isStart else { return .within }
    return [nil, "\n"].contains(rest.next()) ? .wholeName : .beginning
  }
}

/// Matches one scalar of a key.
private struct Step {
  let scalar: Unicode.Scalar
  /// The syllables that also match.
  let syllables: ClosedRange<UInt32>?
  let isKorean: Bool

  init(scalar: Unicode.Scalar, syllables: ClosedRange<UInt32>? = nil) {
    self.scalar = scalar
    self.syllables = syllables
    isKorean = Hangul.contains(scalar)
  }

  /// Matches a scalar and, if it is a consonant, all syllables that begin with it.
  init(_ scalar: Unicode.Scalar) {
    self.init(scalar: scalar, syllables: Hangul.syllables(with: scalar))
  }

  func matches(_ other: Unicode.Scalar) -> Bool {
    other == scalar || syllables?.contains(other.value) == true
  }
}

extension PokemonRepository {
  package func searchKey(_ names: [String]) -> String { SearchKey.key(names) }

  package func search(_ text: String, in keys: [String]) -> [Int] {
    guard let pattern = SearchPattern(text) else { return [] }
    let ranks = keys.enumerated().compactMap { position, key in
      pattern.rank(in: key).map { (rank: $0, position: position) }
    }
    return ranks.sorted { ($0.rank, $0.position) < ($1.rank, $1.position) }.map(\.position)
  }
}
