/// The measurements, as a table for people or as JSON for programs.
struct Report {
  private(set) var entries: [Entry] = []
  /// The benchmarks that could not run, with the reasons.
  private(set) var failures: [String] = []

  /// Adds a measurement and its peer's. Without rounds of the peer, the ratio is nil.
  mutating func add(
    _ benchmark: String, _ name: String, _ series: Series, unit: Unit, _ target: Target?
  ) {
    entries.append(
      Entry(
        benchmark: benchmark, name: name, unit: unit, ours: median(series.ours),
        theirs: series.theirs.isEmpty ? nil : median(series.theirs), ratios: series.ratios,
        target: target))
  }

  /// Adds a plain number. A target may bound it directly.
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

/// Returns a JSON string. Control characters become spaces; no benchmark prints any on purpose.
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

/// One row of the report.
struct Entry {
  let benchmark: String
  let name: String
  let unit: Unit
  /// The median of our rounds, and of the peer's if it ran: nanoseconds, bytes, or a count.
  let ours: Double
  let theirs: Double?
  /// The ratios of ours to theirs, one for each round.
  let ratios: [Double]
  let target: Target?
  /// True if the target applies to `ours` rather than to the ratio.
  var boundsValue = false

  /// True if the target is met; nil without a target, or a number to compare with it.
  var isMet: Bool? {
    guard let target, let value = boundsValue ? ours : ratio else { return nil }
    return target.isMet(by: value)
  }

  private var ratio: Double? {
    ratios.isEmpty ? nil : median(ratios)
  }

  var cells: [String] {
    let spread = ratio.map { ratio in
      "\(decimal(ratio, 2)) (\(decimal(ratios.min()!, 2))–\(decimal(ratios.max()!, 2)))"
    }
    let verdict = isMet.map { $0 ? "ok" : "MISSED" }
    let bound = target.map { "<= \(boundsValue ? unit.text($0.bound) : decimal($0.bound, 2))" }
    return [
      benchmark, name, unit.text(ours), theirs.map(unit.text) ?? "", spread ?? "", bound ?? "",
      verdict ?? (target == nil ? "" : "no peer"),
    ]
  }

  var json: String {
    let members: [(String, String?)] = [
      ("benchmark", quoted(benchmark)), ("name", quoted(name)), ("unit", quoted(unit.name)),
      ("ours", decimal(unit.value(ours), 3)), ("peer", theirs.map { decimal(unit.value($0), 3) }),
      ("ratio", ratio.map { decimal($0, 4) }),
      ("ratioMin", ratios.min().map { decimal($0, 4) }),
      ("ratioMax", ratios.max().map { decimal($0, 4) }),
      ("target", target.map { decimal(boundsValue ? unit.value($0.bound) : $0.bound, 4) }),
      ("ok", isMet.map { "\($0)" }),
    ]
    let present = members.compactMap { key, value in value.map { "\"\(key)\":\($0)" } }
    return "{\(present.joined(separator: ","))}"
  }
}

/// The maximum of a ratio or a number.
struct Target {
  let bound: Double

  func isMet(by value: Double) -> Bool {
    value <= bound
  }
}

/// The unit of a number, and its format. Times are in nanoseconds.
enum Unit {
  case microseconds
  case milliseconds
  case bytes
  case count

  var name: String {
    switch self {
    case .microseconds: "µs"
    case .milliseconds: "ms"
    case .bytes: "bytes"
    case .count: "count"
    }
  }

  func value(_ raw: Double) -> Double {
    switch self {
    case .microseconds: raw / 1e3
    case .milliseconds: raw / 1e6
    case .bytes, .count: raw
    }
  }

  func text(_ raw: Double) -> String {
    switch self {
    case .microseconds: decimal(value(raw), 2) + " µs"
    case .milliseconds: decimal(value(raw), 1) + " ms"
    case .bytes, .count: decimal(value(raw), 0)
    }
  }
}

/// Returns a number rounded to a fixed count of decimals.
func decimal(_ value: Double, _ places: Int) -> String {
  let scale = (0..<places).reduce(1) { scale, _ in scale * 10 }
  let scaled = Int((value * Double(scale)).rounded())
  guard places > 0 else { return "\(scaled)" }
  let fraction = String(scaled % scale)
  let zeros = String(repeating: "0", count: places - fraction.count)
  return "\(scaled / scale).\(zeros)\(fraction)"
}

/// The rounds of one measurement, with the same rounds of the peer if it ran.
///
/// Each round has its own ratio, so that a machine that gets slower during the run slows both sides
/// of each ratio.
struct Series {
  private(set) var ours: [Double] = []
  private(set) var theirs: [Double] = []

  mutating func add(_ our: Double, _ their: Double?) {
    ours.append(our)
    if let their { theirs.append(their) }
  }

  /// The ratio of each round; empty without a peer.
  var ratios: [Double] {
    zip(ours, theirs).map { $0 / $1 }
  }
}

func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  let middle = sorted.count / 2
  return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
}

/// A generator with a fixed seed, so that each run touches the same rows.
struct Random {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  /// Uses xorshift (Marsaglia 2003), which is good enough for choosing rows.
  mutating func next(below bound: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state % UInt64(bound))
  }
}
