/// One row of the report.
struct Entry {
  let benchmark: String
  let name: String
  let unit: Unit
  /// Median of ours, and of the peer's where there is one: nanoseconds, bytes or a count.
  let ours: Double
  let theirs: Double?
  /// Ours to theirs, one for each round.
  let ratios: [Double]
  let target: Target?
  /// Whether the target is for `ours` itself and not for the ratio.
  var boundsValue = false

  /// Nil where there is no target, or nothing to hold against it.
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
    let bound = target.map { "<= \(decimal($0.bound, boundsValue ? 0 : 2))" }
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
      ("target", target.map { decimal($0.bound, 4) }), ("ok", isMet.map { "\($0)" }),
    ]
    let present = members.compactMap { key, value in value.map { "\"\(key)\":\($0)" } }
    return "{\(present.joined(separator: ","))}"
  }
}

/// The most that a ratio or a number may be.
struct Target {
  let bound: Double

  func isMet(by value: Double) -> Bool {
    value <= bound
  }
}

/// What a number counts, and how it is shown. Times are kept in nanoseconds.
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

/// A number with a fixed count of decimals, rounded.
func decimal(_ value: Double, _ places: Int) -> String {
  let scale = (0..<places).reduce(1) { scale, _ in scale * 10 }
  let scaled = Int((value * Double(scale)).rounded())
  guard places > 0 else { return "\(scaled)" }
  let fraction = String(scaled % scale)
  let zeros = String(repeating: "0", count: places - fraction.count)
  return "\(scaled / scale).\(zeros)\(fraction)"
}
