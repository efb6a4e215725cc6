/// The part of a transcript between two barriers: all of it is sent, then all that came is compared.
struct TranscriptBlock: Sendable {
  /// Its entries, as indices into the transcript's.
  let entries: Range<Int>
  /// Its expected lines, as indices into the transcript's entries.
  let expected: [Int]
  /// What it sends, line by line.
  let sent: [[UInt8]]
}

extension Transcript {
  /// The blocks that a run goes through, in order.
  ///
  /// Blocks without anything to send or to expect are left out: there is nothing to wait for, and
  /// before its first line the core must not be disturbed. Only the last one is always there, to
  /// hold what comes after the input was closed.
  var blocks: [TranscriptBlock] {
    let ends = entries.indices.filter { entries[$0].kind == .barrier } + [entries.endIndex]
    let starts = [entries.startIndex] + ends.dropLast().map { $0 + 1 }
    let blocks = zip(starts, ends).map { block($0..<$1) }
    return blocks.dropLast().filter { !$0.sent.isEmpty || !$0.expected.isEmpty }
      + blocks.suffix(1)
  }

  private func block(_ range: Range<Int>) -> TranscriptBlock {
    TranscriptBlock(
      entries: range,
      expected: range.filter { expectation(at: $0) != nil },
      sent: range.compactMap {
        if case .sent(let bytes) = entries[$0].kind { bytes } else { nil }
      })
  }

  func expectation(at index: Int) -> Expectation? {
    if case .expected(let expectation) = entries[index].kind { expectation } else { nil }
  }
}
