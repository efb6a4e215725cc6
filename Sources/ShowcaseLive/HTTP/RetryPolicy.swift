import Foundation

/// The number of attempts at a request and the waits between them.
public struct RetryPolicy: Sendable {
  /// All attempts, the first one included.
  public var attempts: Int
  /// The wait after the first attempt; it doubles with each further one.
  public var firstDelay: Duration
  /// The longest wait, since a person watches a spinner meanwhile. A server that asks for more is
  /// not asked again until the person retries.
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
  /// - Parameter asked: the wait that the server asks for, which is taken as it is.
  /// - Returns: nil to give up: no attempts are left, or the server asks for too long a wait.
  func delay(after attempt: Int, asked: Duration?) -> Duration? {
    guard attempt < attempts else { return nil }
    if let asked { return asked <= longestDelay ? asked : nil }
    let doubled = firstDelay * (1 << min(attempt - 1, 16))
    return min(longestDelay, doubled * (0.5 + jitter() / 2))
  }
}

/// The header field `Retry-After`: seconds or a date (RFC 9110, 10.2.3).
enum RetryAfter {
  /// - Returns: nil for an invalid field, zero for a date in the past.
  static func duration(_ field: String, now: Date) -> Duration? {
    let text = field.trimmingCharacters(in: .whitespaces)
    if let seconds = UInt32(text) { return .seconds(Int(seconds)) }
    guard let date = date(text) else { return nil }
    return .seconds(max(0, date.timeIntervalSince(now)))
  }

  /// A date such as `Sun, 06 Nov 1994 08:49:37 GMT`, the only form that servers may send.
  private static func date(_ text: String) -> Date? {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "GMT")
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return formatter.date(from: text)
  }
}
