import OffstageJSON

/// One block's expectations next to what came instead: what both differences and updates go by.
struct BlockComparison {
  /// A line that came.
  struct Line {
    let text: String
    /// Nil if the line is no JSON.
    let value: JSON?
    /// The index of the entry that expects it and how well it suits, nil for a surplus line.
    let partner: (entry: Int, reconciliation: Reconciliation)?
  }

  let block: TranscriptBlock
  /// What came, in order.
  let lines: [Line]
  /// The indices of the entries whose lines did not come, in order.
  let missing: [Int]
  /// What the placeholders stand for at the end of the block.
  let bindings: Bindings

  /// - Parameter bindings: gains the placeholders that this block saw first.
  init(
    _ block: TranscriptBlock, of transcript: Transcript, with output: [String],
    bindings: inout Bindings
  ) {
    let expected = block.expected.compactMap { index in
      transcript.expectation(at: index).map {
        BlockMatch.Candidate(expectation: $0, line: transcript.entries[index].line)
      }
    }
    let values = output.map { try? JSON(parsing: $0) }
    let complete = values.compactMap { $0 }
    let order =
      complete.count == values.count
      ? BlockMatch.order(of: expected, in: complete, bindings: bindings) : nil
    let partners =
      order ?? BlockAlignment(of: values, with: expected, bindings: bindings).partners

    self.block = block
    self.lines = zip(output, zip(values, partners)).map { text, pair in
      guard let value = pair.0, let index = pair.1 else {
        return Line(text: text, value: pair.0, partner: nil)
      }
      let reconciliation = Reconciliation(
        expected[index].expectation.pattern, with: value, line: expected[index].line,
        bindings: &bindings)
      return Line(text: text, value: value, partner: (block.expected[index], reconciliation))
    }
    self.missing = block.expected.indices.filter { !partners.contains($0) }
      .map { block.expected[$0] }
    self.bindings = bindings
  }
}

extension Transcript {
  /// Compares a whole run, block by block, each with the bindings of those before.
  func comparisons(with output: TranscriptOutput) -> [BlockComparison] {
    let blocks = blocks
    precondition(blocks.count == output.blocks.count, "This is the output of another transcript.")
    var bindings = Bindings()
    return zip(blocks, output.blocks).map { block, lines in
      BlockComparison(block, of: self, with: lines, bindings: &bindings)
    }
  }
}
