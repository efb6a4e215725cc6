/// The rounds of one measurement: ours, and the peer's of the same round where there is one.
///
/// The ratio is taken round by round, so that a machine that gets slower during the run slows both
/// sides of each ratio.
struct Series {
  private(set) var ours: [Double] = []
  private(set) var theirs: [Double] = []

  mutating func add(_ our: Double, _ their: Double?) {
    ours.append(our)
    if let their { theirs.append(their) }
  }

  /// One for each round; empty when there was no peer.
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

  /// Xorshift (Marsaglia 2003); its quality is ample for choosing rows.
  mutating func next(below bound: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state % UInt64(bound))
  }
}
