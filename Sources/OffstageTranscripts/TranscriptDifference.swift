package import OffstageJSON

/// One thing that a run did otherwise than its transcript says.
package struct TranscriptDifference: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// A line came that is much like the one expected.
    case changed(pattern: JSON, found: String, mismatches: [Mismatch])
    /// An expected line did not come.
    case missing(pattern: JSON)
    /// An expected line came, but before or after its turn.
    case misplaced(pattern: JSON)
    /// A line came after this one that nothing expects.
    case surplus(found: String)
    /// As `surplus`, and the line is not even JSON.
    case notJSON(found: String)
    case exit(expected: Int32, found: Int32)
  }

  package let file: String
  /// The number of the transcript's line, from 1.
  package let line: Int
  package let kind: Kind
}

extension Transcript {
  /// What a run did otherwise than this transcript says, from top to bottom; empty for a green run.
  /// - Parameter output: what the core printed while this very transcript was played to it.
  package func differences(from output: TranscriptOutput) -> [TranscriptDifference] {
    let all = comparisons(with: output).flatMap(differences(in:)) + exitDifference(from: output)
    return all.map { place, kind in TranscriptDifference(file: file, line: place, kind: kind) }
  }

  private typealias Located = (line: Int, kind: TranscriptDifference.Kind)

  private func differences(in comparison: BlockComparison) -> [Located] {
    var misplaced = comparison.missingThatCame(as: self)
    var located: [Located] = []
    var lastLine = lineOfCause(in: comparison.block)
    for (index, line) in comparison.lines.enumerated() {
      if let (entry, reconciliation) = line.partner {
        lastLine = entries[entry].line
        if let pattern = expectation(at: entry)?.pattern, !reconciliation.isMatch {
          let kind = TranscriptDifference.Kind.changed(
            pattern: pattern, found: line.text, mismatches: reconciliation.mismatches)
          located.append((lastLine, kind))
        }
      } else if !misplaced.values.contains(index) {
        let isJSON = line.value != nil
        located.append((lastLine, isJSON ? .surplus(found: line.text) : .notJSON(found: line.text)))
      }
    }
    for entry in comparison.missing {
      guard let pattern = expectation(at: entry)?.pattern else { continue }
      let came = misplaced.removeValue(forKey: entry) != nil
      located.append(
        (entries[entry].line, came ? .misplaced(pattern: pattern) : .missing(pattern: pattern)))
    }
    // The offset keeps the order of those that belong to the same line.
    return located.enumerated()
      .sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }
      .map(\.element)
  }

  /// Where to say that something came before any line that was expected.
  private func lineOfCause(in block: TranscriptBlock) -> Int {
    let beforeExpected = block.entries.prefix { $0 != block.expected.first }
    let cause = beforeExpected.last { index in
      if case .sent = entries[index].kind { true } else { false }
    }
    let index = cause ?? block.entries.first ?? block.entries.lowerBound - 1
    return entries.indices.contains(index) ? entries[index].line : 1
  }

  private func exitDifference(from output: TranscriptOutput) -> [Located] {
    guard case .exit(let expected) = ending, let found = output.exit, found != expected else {
      return []
    }
    let entry = entries.last { $0.kind == .ending(ending) }
    return [(entry?.line ?? 1, .exit(expected: expected, found: found))]
  }
}

extension BlockComparison {
  /// Missing lines, by entry, of which a surplus line, by index, is what they wait for.
  fileprivate func missingThatCame(as transcript: Transcript) -> [Int: Int] {
    var surplus = lines.indices.filter { lines[$0].partner == nil }
    var came: [Int: Int] = [:]
    for entry in missing {
      guard let pattern = transcript.expectation(at: entry)?.pattern else { continue }
      let index = surplus.first { index in
        guard let value = lines[index].value else { return false }
        var trial = bindings
        return Reconciliation(pattern, with: value, line: 0, bindings: &trial).isMatch
      }
      guard let index else { continue }
      came[entry] = index
      surplus.removeAll { $0 == index }
    }
    return came
  }
}
