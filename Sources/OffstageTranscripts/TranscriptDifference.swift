package import OffstageJSON

/// One difference between a run and its transcript.
package struct TranscriptDifference: Error, Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// A line is similar to the expected one.
    case changed(pattern: JSON, found: String, mismatches: [Mismatch])
    /// An expected line is missing.
    case missing(pattern: JSON)
    /// An unexpected line follows this one.
    case unexpected(found: String, isJSON: Bool)
    case exit(expected: Int32, found: Int32)
    /// No HTTP request got this response.
    case unused
    /// An HTTP request has no response.
    case request(String)
    /// The front end has ended before sending this line.
    case unsent
  }

  package let file: String
  /// The number of the transcript's line, from 1.
  package let line: Int
  package let kind: Kind
}

extension TranscriptDifference: CustomStringConvertible {
  /// Several lines without a final LF, the further ones indented.
  package var description: String {
    let (summary, details) = parts
    return (["\(file):\(line): \(summary)"] + details.map { "  " + $0 }).joined(separator: "\n")
  }

  private var parts: (summary: String, details: [String]) {
    switch kind {
    case .changed(let pattern, let found, let mismatches):
      (
        "line differs",
        ["expected: " + elided(pattern.description), "found:    " + elided(found)]
          + places(mismatches)
      )
    case .missing(let pattern):
      ("line is missing", ["expected: " + elided(pattern.description)])
    case .unexpected(let found, let isJSON):
      (
        isJSON ? "unexpected line after this one" : "line after this one is not JSON",
        ["found:    " + elided(found)]
      )
    case .exit(let expected, let found):
      ("the core exited with status \(found), expected \(expected)", [])
    case .unused: ("no request got this response", [])
    case .request(let request): ("no response for the request \(elided(request))", [])
    case .unsent: ("the front end ended before sending this line", [])
    }
  }

  private func places(_ mismatches: [Mismatch]) -> [String] {
    let shown = 5
    let rest = mismatches.count - shown
    return mismatches.prefix(shown).map(\.description)
      + (rest > 0 ? ["and in \(rest) more place\(rest == 1 ? "" : "s")"] : [])
  }
}

extension Transcript {
  /// Returns the differences between a run and the transcript, from top to bottom.
  /// - Parameter outputs: What the core printed while this very transcript was played, run by run.
  package func differences(from outputs: [TranscriptOutput]) -> [TranscriptDifference] {
    var bindings: Bindings = [:]
    var found: [(line: Int, kind: TranscriptDifference.Kind)] = []
    for (run, output) in zip(runs, outputs) {
      for (block, lines) in zip(run.blocks, output.blocks) {
        var line = lineOfCause(in: block)
        for step in compare(block, with: lines, bindings: &bindings) {
          if let entry = step.entry { line = entries[entry].line }
          if let kind = difference(step) { found.append((line, kind)) }
        }
      }
      found += output.unused.map { ($0, .unused) }
      found += output.unexpected.map { (run.line, .request($0)) }
      if let status = output.exit, status != run.exit.status {
        found.append((run.exit.line, .exit(expected: run.exit.status, found: status)))
      }
    }
    return found.map { TranscriptDifference(file: file, line: $0.line, kind: $0.kind) }
  }

  private func difference(_ step: ComparisonStep) -> TranscriptDifference.Kind? {
    switch step {
    case .came(let entry, let text, let match):
      match.holds
        ? nil
        : .changed(pattern: entries[entry].pattern!, found: text, mismatches: match.mismatches)
    case .missing(let entry): .missing(pattern: entries[entry].pattern!)
    case .unexpected(let found, let isJSON): .unexpected(found: found, isJSON: isJSON)
    }
  }

  /// The line to report for output that came before any expected line.
  private func lineOfCause(in block: Block) -> Int {
    let range = block.entries.prefix { $0 != block.expected.first }
    let cause = range.last { entries[$0].isSent } ?? block.entries.first
    return entries[cause ?? block.entries.lowerBound - 1].line
  }
}

extension Transcript {
  /// Returns this transcript with what a run printed in place of what it expected.
  ///
  /// Only `< ` lines change, and of these only those that differ: comments, line breaks and
  /// placeholders that still hold stay, and so does an `= exit` with another status.
  ///
  /// The caller still reports the differences as failures: a check must not pass on output that it has
  /// just accepted.
  /// - Parameter outputs: What the core printed while this very transcript was played, run by run.
  package func updated(with outputs: [TranscriptOutput]) -> Transcript {
    var bindings: Bindings = [:]
    var updated: [Entry] = []
    var copied = 0
    func copy(to end: Int) {
      updated += entries[copied..<end]
      copied = end
    }
    for (run, output) in zip(runs, outputs) {
      for (block, lines) in zip(run.blocks, output.blocks) {
        var unexpected: [Entry] = []
        for step in compare(block, with: lines, bindings: &bindings) {
          switch step {
          case .unexpected(let found, _): unexpected.append(.received(found))
          case .missing(let entry):
            copy(to: entry)
            copied += 1
          case .came(let entry, _, let match):
            copy(to: startOfComments(above: entry, in: block))
            updated += unexpected
            unexpected = []
            copy(to: entry)
            if match.holds { continue }
            updated.append(.expecting(match.updated))
            copied += 1
          }
        }
        copy(to: end(of: block))
        updated += unexpected
      }
    }
    copy(to: entries.endIndex)
    return Transcript(file: file, entries: updated, endsInNewline: endsInNewline)
  }

  private func startOfComments(above entry: Int, in block: Block) -> Int {
    (block.entries.lowerBound..<entry).last { entries[$0].kind != .comment }.map { $0 + 1 }
      ?? block.entries.lowerBound
  }

  /// The index after all input and expected lines of a block.
  private func end(of block: Block) -> Int {
    let last = block.entries.last { entries[$0].isSent || entries[$0].pattern != nil }
    if let last { return last + 1 }
    return block.entries.first { if case .exit = entries[$0].kind { true } else { false } }
      ?? block.entries.upperBound
  }
}

/// One step through the entries of a block and the output lines.
private enum ComparisonStep {
  /// An expected line that has come, perhaps with changes.
  case came(entry: Int, text: String, PatternMatch)
  case missing(entry: Int)
  case unexpected(found: String, isJSON: Bool)

  var entry: Int? {
    switch self {
    case .came(let entry, _, _), .missing(let entry): entry
    case .unexpected: nil
    }
  }
}

extension Transcript {
  /// The distance to search for a matching line after a mismatch. The bound keeps the comparison linear
  /// in the number of lines.
  private static let lookahead = 20

  private func compare(
    _ block: Block, with output: [String], bindings: inout Bindings
  ) -> [ComparisonStep] {
    var steps: [ComparisonStep] = []
    var expected = block.expected[...]
    var found = output.map { (text: $0, value: try? JSON(parsing: $0)) }[...]
    func miss(_ count: Int) {
      for entry in expected.prefix(count) { steps.append(.missing(entry: entry)) }
      expected = expected.dropFirst(count)
    }
    func skip(_ count: Int) {
      for (text, value) in found.prefix(count) {
        steps.append(.unexpected(found: text, isJSON: value != nil))
      }
      found = found.dropFirst(count)
    }
    func compared(_ entry: Int, _ line: Int) -> PatternMatch? {
      found[line].value.map {
        PatternMatch(
          entries[entry].pattern!, with: $0, line: entries[entry].line, bindings: bindings)
      }
    }
    func holds(_ entry: Int, _ line: Int) -> Bool { compared(entry, line)?.holds == true }
    /// The nearest line that fits: after missing ones, or after unexpected ones.
    func shift() -> (missing: Int, unexpected: Int)? {
      for distance in 1...Self.lookahead {
        if distance < expected.count,
          holds(expected[expected.startIndex + distance], found.startIndex)
        {
          return (distance, 0)
        }
        if distance < found.count, holds(expected.first!, found.startIndex + distance) {
          return (0, distance)
        }
      }
      return nil
    }

    while let entry = expected.first, let line = found.first {
      let match = compared(entry, found.startIndex)
      if match?.holds != true {
        let next = expected.dropFirst().first
        let restFits =
          found.count > 1 ? next.map { holds($0, found.startIndex + 1) } ?? false : next == nil
        if match?.isNear != true || !restFits, let shift = shift() {
          miss(shift.missing)
          skip(shift.unexpected)
          continue
        }
      }
      if let match, match.isNear {
        bindings = match.bindings
        steps.append(.came(entry: entry, text: line.text, match))
        (expected, found) = (expected.dropFirst(), found.dropFirst())
      } else {
        skip(1)
        miss(1)
      }
    }
    skip(found.count)
    miss(expected.count)
    return steps
  }
}
