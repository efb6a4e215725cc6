/// What was measured, as a table for people or as JSON for programs.
struct Report {
  private(set) var entries: [Entry] = []
  /// What could not be run, and why.
  private(set) var failures: [String] = []

  /// Adds a measurement with its peer; without rounds of the peer there is no ratio.
  mutating func add(
    _ benchmark: String, _ name: String, _ series: Series, unit: Unit, _ target: Target?
  ) {
    entries.append(
      Entry(
        benchmark: benchmark, name: name, unit: unit, ours: median(series.ours),
        theirs: series.theirs.isEmpty ? nil : median(series.theirs), ratios: series.ratios,
        target: target))
  }

  /// Adds a plain number, which a target may bound by itself.
  mutating func note(
    _ benchmark: String, _ name: String, _ value: Double, unit: Unit, _ target: Target? = nil
  ) {
    entries.append(
      Entry(
        benchmark: benchmark, name: name, unit: unit, ours: value, theirs: nil, ratios: [],
        target: target, boundsValue: true))
  }

  mutating func fail(_ what: String) {
    failures.append(what)
  }

  var table: String {
    let header = ["", "", "ours", "peer", "ratio (min–max)", "target", ""]
    let rows = [header] + entries.map(\.cells)
    let widths = header.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    let lines = rows.map { row in
      let cells = zip(row, widths).enumerated().map { column, cell in
        pad(cell.0, cell.1, left: column == 2 || column == 3)
      }
      return trimmed(cells.joined(separator: "  "))
    }
    return (lines + failures.map { "NOT RUN  \($0)" }).joined(separator: "\n") + "\n"
  }

  var json: String {
    let failures = failures.map(quoted).joined(separator: ",")
    let entries = entries.map(\.json).joined(separator: ",\n")
    return "{\"failures\":[\(failures)],\"entries\":[\n\(entries)\n]}\n"
  }

  private func pad(_ text: String, _ width: Int, left: Bool) -> String {
    let blanks = String(repeating: " ", count: width - text.count)
    return left ? blanks + text : text + blanks
  }

  private func trimmed(_ text: String) -> String {
    String(text[..<(text.lastIndex { $0 != " " }.map { text.index(after: $0) } ?? text.startIndex)])
  }
}

/// A JSON string; control characters, which no benchmark prints on purpose, become blanks.
func quoted(_ text: String) -> String {
  let escaped = text.unicodeScalars.map { scalar in
    switch scalar {
    case "\"", "\\": "\\\(scalar)"
    case _ where scalar.value < 0x20: " "
    default: String(scalar)
    }
  }
  return "\"\(escaped.joined())\""
}
