/// How often a request is tried and how long to wait in between.
public struct RetryPolicy: Sendable {
  /// All attempts, the first one included.
  public var attempts: Int
  /// The wait after the first attempt; it doubles with each further one.
  public var firstDelay: Duration
  /// No wait is longer: somebody is looking at a spinner. A server that asks for more is not asked
  /// again before the person wants it.
  public var longestDelay: Duration
  /// A number in `0..<1`, so that many clients do not come back at the same moment.
  public var jitter: @Sendable () -> Double

  public init(
    attempts: Int = 3, firstDelay: Duration = .milliseconds(500),
    longestDelay: Duration = .seconds(30),
    jitter: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) {
    self.attempts = attempts
    self.firstDelay = firstDelay
    self.longestDelay = longestDelay
    self.jitter = jitter
  }

  /// The wait after an attempt, counted from 1: between half and all of the doubled delay.
  /// - Parameter asked: what the server asked for, which is taken as it is.
  /// - Returns: nil where it is no use to wait: there are no attempts left, or the server asks for
  ///   too much.
  func delay(after attempt: Int, asked: Duration?) -> Duration? {
    guard attempt < attempts else { return nil }
    if let asked { return asked <= longestDelay ? asked : nil }
    let doubled = firstDelay * (1 << min(attempt - 1, 16))
    return min(longestDelay, doubled * (0.5 + jitter() / 2))
  }
}
