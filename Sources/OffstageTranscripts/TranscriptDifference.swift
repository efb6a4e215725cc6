import OffstageJSON

/// One difference between a run and its transcript.
package struct TranscriptDifference: Equatable, Sendable, CustomStringConvertible {
  package let file: String
  package let line: Int
  let message: String
  let details: [String]

  /// One or more lines without a final LF; all but the first are indented.
  package var description: String {
    (["\(file):\(line): \(message)"] + details.map { "  " + $0 }).joined(separator: "\n")
  }
}

extension Transcript {
  func difference(
    _ line: Int, _ message: String, _ details: [String] = []
  ) -> TranscriptDifference {
    TranscriptDifference(file: file, line: line, message: message, details: details)
  }

  /// Returns the difference for a line that is similar to the expected one.
  func difference(
    _ line: Int, from pattern: JSON, _ found: String, _ mismatches: [Mismatch]
  ) -> TranscriptDifference {
    let places = mismatches.prefix(5).map(\.description)
    let rest = mismatches.count - places.count
    return difference(
      line, "line differs",
      ["expected: " + elided(pattern.description), "found:    " + elided(found)] + places
        + (rest > 0 ? ["and in \(rest) more place\(rest == 1 ? "" : "s")"] : []))
  }

  /// - Parameter outputs: The output of the core while this very transcript was played, run by run.
  package func differences(from outputs: [TranscriptOutput]) -> [TranscriptDifference] {
    var bindings: Bindings = [:]
    var differences: [TranscriptDifference] = []
    for (run, output) in zip(runs, outputs) {
      for (block, lines) in zip(run.blocks, output.blocks) {
        var line = lineOfCause(in: block)
        for step in compare(block, with: lines, bindings: &bindings) {
          if let entry = step.entry { line = entries[entry].line }
          if let difference = difference(line, step) { differences.append(difference) }
        }
      }
      differences += output.unused.map { difference($0, "no request got this response") }
      differences += output.unexpected.map {
        difference(run.line, "no response for the request \(elided($0))")
      }
      if let status = output.exit, status != run.exit.status {
        differences.append(
          difference(
            run.exit.line, "the core exited with status \(status), expected \(run.exit.status)"))
      }
    }
    return differences
  }

  private func difference(_ line: Int, _ step: ComparisonStep) -> TranscriptDifference? {
    switch step {
    case .came(let entry, let text, let match):
      match.holds
        ? nil : difference(line, from: entries[entry].pattern!, text, match.mismatches)
    case .missing(let entry):
      difference(
        line, "line is missing", ["expected: " + elided(entries[entry].pattern!.description)])
    case .unexpected(let found, let isJSON):
      difference(
        line, isJSON ? "unexpected line after this one" : "line after this one is not JSON",
        ["found:    " + elided(found)])
    case .unanswered: difference(line, "no response to this request")
    }
  }

  /// Returns the line to report for output before any expected line.
  private func lineOfCause(in block: Block) -> Int {
    let range = block.entries.prefix { $0 != block.expected.first }
    let cause = range.last { entries[$0].isSent } ?? block.entries.first
    return entries[cause ?? block.entries.lowerBound - 1].line
  }
}

extension Transcript {
  /// Returns this transcript with the actual output in place of the expected output.
  ///
  /// Only `< ` lines that differ change: comments, line breaks, and placeholders that still match
  /// stay, and so does an `= exit` with another status.
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
          case .unanswered: break
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

  /// Returns the index after all input and expected lines of a block.
  private func end(of block: Block) -> Int {
    let last = block.entries.last { entries[$0].isSent || entries[$0].pattern != nil }
    if let last { return last + 1 }
    return block.entries.first { if case .exit = entries[$0].kind { true } else { false } }
      ?? block.entries.upperBound
  }
}

/// One step through the entries of a block and the output lines.
enum ComparisonStep {
  /// An expected line that was printed, perhaps with changes.
  case came(entry: Int, text: String, PatternMatch)
  case missing(entry: Int)
  case unexpected(found: String, isJSON: Bool)
  /// A request to `initialize` without a response.
  case unanswered(entry: Int)

  var entry: Int? {
    switch self {
    case .came(let entry, _, _), .missing(let entry), .unanswered(let entry): entry
    case .unexpected: nil
    }
  }
}

extension Transcript {
  /// The distance to search for a matching line after a mismatch. This bound keeps the comparison
  /// linear in the number of lines.
  private static let lookahead = 20

  func compare(
    _ block: Block, with output: [String], bindings: inout Bindings
  ) -> [ComparisonStep] {
    var steps: [ComparisonStep] = []
    var expected = block.expected[...]
    var found = output.map { (text: $0, value: try? JSON(parsing: $0)) }[...]
    var handshakes = handshakes(in: block)
    /// Returns the index of the handshake that a response ends.
    func handshake(_ response: JSON?) -> Int? {
      response.flatMap { response in handshakes.firstIndex { $0.id == response["id"] } }
    }
    func miss(_ count: Int) {
      for entry in expected.prefix(count) { steps.append(.missing(entry: entry)) }
      expected = expected.dropFirst(count)
    }
    func skip(_ count: Int) {
      for (text, value) in found.prefix(count) {
        let ended = handshake(value).map { handshakes.remove(at: $0) }
        if ended == nil || value?["result"] == nil {
          steps.append(.unexpected(found: text, isJSON: value != nil))
        }
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
    /// Returns the numbers of missing and unexpected lines before the nearest match.
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
      if match?.isNear != true, line.value?["result"] != nil, handshake(line.value) != nil {
        skip(1)
        continue
      }
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
        if let index = handshake(line.value) { handshakes.remove(at: index) }
        (expected, found) = (expected.dropFirst(), found.dropFirst())
      } else {
        skip(1)
        miss(1)
      }
    }
    skip(found.count)
    miss(expected.count)
    steps += handshakes.map { .unanswered(entry: $0.entry) }
    return steps
  }

  /// Returns the `initialize` requests of a block.
  ///
  /// Their results need no line. They describe the program, with its version and a hash of its
  /// screens, and most runs are about something else.
  func handshakes(in block: Block) -> [(entry: Int, id: JSON)] {
    block.entries.compactMap { entry in entries[entry].handshake.map { (entry, $0) } }
  }
}

extension Transcript.Entry {
  /// The id of an `initialize` request; nil for any other entry, for raw bytes, and for a request
  /// whose id no response can have.
  var handshake: JSON? {
    guard case .sent(let bytes) = kind, source[0].hasPrefix("> "),
      source[0].contains("initialize"),
      let text = try? JSONText(String(decoding: bytes, as: UTF8.self))
    else { return nil }
    return text.withRoot { request in
      guard request.duplicateKey == nil, let id = request.member("id")?.json,
        request.member("method")?.equals("initialize") == true
      else { return nil }
      return switch id {
      case .string, .number, .null: id
      case .bool, .array, .object: nil
      }
    }
  }
}
