internal import Offstage
internal import OffstageSystem

/// The times of turns, in buckets whose limits grow by the fourth root of two.
struct TurnTimes {
  /// The turns in each bucket. The last one has no limit.
  private var counts = [Int](repeating: 0, count: 100)
  private var sum = Duration.zero
  /// The number of turns that took longer than `CoreExecutor.slowTurn`.
  private(set) var slow = 0

  /// The limits of the buckets, in seconds: from a microsecond to half a minute.
  private static let limits = (0..<100).map { 1e-6 * pow(2, Double($0) / 4) }

  mutating func add(_ time: Duration) {
    let seconds = time / .seconds(1)
    let index = Self.limits.firstIndex { seconds <= $0 } ?? counts.count - 1
    counts[index] += 1
    sum += time
    if time > CoreExecutor.slowTurn { slow += 1 }
  }

  /// Returns a time that so many percent of the turns have not exceeded; nil before the first turn.
  func milliseconds(ofPercent percent: Int) -> Double? {
    let total = counts.reduce(0, +)
    guard total > 0 else { return nil }
    var rest = (total * percent + 99) / 100
    let index = counts.firstIndex { count in
      rest -= count
      return rest <= 0
    }
    let limit = Self.limits[index ?? counts.count - 1]
    return (limit * 1_000_000).rounded() / 1000
  }

  /// The lines of a Prometheus histogram, with every second octave.
  func lines(named name: String) -> [String] {
    var (lines, total) = ([String](), 0)
    for (index, count) in counts.enumerated() {
      total += count
      if index % 8 == 0 { lines.append("\(name)_bucket{le=\"\(Self.limits[index])\"} \(total)") }
    }
    return lines + [
      "\(name)_bucket{le=\"+Inf\"} \(total)", "\(name)_sum \(sum / .seconds(1))",
      "\(name)_count \(total)",
    ]
  }
}
