import OffstageJSON

/// The difference for a terminal: file and line first, as compilers have it, then what it is about.
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
        "this line came differently",
        ["expected: " + elided(pattern.description), "found:    " + elided(found)]
          + places(mismatches)
      )
    case .missing(let pattern):
      ("this line did not come", ["expected: " + elided(pattern.description)])
    case .misplaced(let pattern):
      (
        "this line came out of order; '<~ ' would allow that",
        ["expected: " + elided(pattern.description)]
      )
    case .surplus(let found):
      ("nothing expects the line that came after this one", ["found:    " + elided(found)])
    case .notJSON(let found):
      ("the line that came after this one is no JSON", ["found:    " + elided(found)])
    case .exit(let expected, let found):
      ("the core exited with status \(found), expected \(expected)", [])
    }
  }

  private func places(_ mismatches: [Mismatch]) -> [String] {
    let shown = 5
    let rest = mismatches.count - shown
    return mismatches.prefix(shown).map(\.description)
      + (rest > 0 ? ["and in \(rest) more place\(rest == 1 ? "" : "s")"] : [])
  }
}

extension Mismatch: CustomStringConvertible {
  /// On one line: "at /params/revision: expected 2, found 3".
  package var description: String {
    let value = expected.map { elided($0.description) } ?? "nothing"
    let origin = binding.map { "$\($0.name), bound in line \($0.line) to " } ?? ""
    return "at \(pointer): expected \(origin)\(value), "
      + "found \(found.map { elided($0.description) } ?? "nothing")"
  }
}

/// A text short enough to leave the next one in sight: a first frame can be megabytes long.
private func elided(_ text: String) -> String {
  let limit = 200
  let rest = text.unicodeScalars.count - limit
  guard rest > 0 else { return text }
  return String(text.unicodeScalars.prefix(limit)) + "… (\(rest) more)"
}
