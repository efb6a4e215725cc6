extension Transcript {
  /// This transcript with what a run printed in place of what it expected.
  ///
  /// Only `< ` and `<~ ` lines change, and of these only those that differ: comments, line breaks
  /// and placeholders that still hold stay, an `= exit` with another status, too. A changed line
  /// keeps its mark; a line that nothing expected becomes a strict one where it came.
  ///
  /// That anything had to be changed is for ``differences(from:)`` to say, and for the caller to
  /// report as a failure: a check must not bless what it has just rewritten.
  /// - Parameter output: what the core printed while this very transcript was played to it.
  package func updated(with output: TranscriptOutput) -> Transcript {
    var updated: [Entry] = []
    var copied = 0
    for comparison in comparisons(with: output) {
      updated += entries[copied..<comparison.block.entries.lowerBound]
      updated += rewritten(comparison)
      copied = comparison.block.entries.upperBound
    }
    return Transcript(
      file: file, command: command, entries: updated + entries[copied...],
      endsInNewline: endsInNewline)
  }

  private func rewritten(_ comparison: BlockComparison) -> [Entry] {
    var replacements: [Int: Entry] = [:]
    var insertions: [Int: [Entry]] = [:]
    for (index, line) in comparison.lines.enumerated() {
      if let (entry, reconciliation) = line.partner {
        guard !reconciliation.isMatch, let place = expectation(at: entry)?.place else { continue }
        replacements[entry] = .expecting(Expectation(reconciliation.pattern, place))
      } else {
        let position = position(ofSurplus: index, in: comparison)
        insertions[position, default: []].append(.received(line.text))
      }
    }
    var rewritten: [Entry] = []
    for index in comparison.block.entries {
      rewritten += insertions[index] ?? []
      if !comparison.missing.contains(index) {
        rewritten.append(replacements[index] ?? entries[index])
      }
    }
    return rewritten + (insertions[comparison.block.entries.upperBound] ?? [])
  }

  /// The index of the entry before which a surplus line belongs: the next strict line that came,
  /// comments above it included, or else whatever follows all that the block sends and expects.
  private func position(ofSurplus index: Int, in comparison: BlockComparison) -> Int {
    let next = comparison.lines[index...].lazy.compactMap(\.partner?.entry)
      .first { expectation(at: $0)?.place == .strict }
    let range = comparison.block.entries
    guard var position = next else {
      let last = range.last { index in
        switch entries[index].kind {
        case .sent, .expected: true
        case .comment, .barrier, .command, .ending: false
        }
      }
      if let last { return last + 1 }
      return range.first { if case .ending = entries[$0].kind { true } else { false } }
        ?? range.upperBound
    }
    while position > range.lowerBound, entries[position - 1].kind == .comment { position -= 1 }
    return position
  }
}
