import Foundation

/// The header `Retry-After`: seconds or a date (RFC 9110, 10.2.3).
enum RetryAfter {
  /// - Returns: how long to wait; nil when the header makes no sense, zero for a date in the past.
  static func duration(_ header: String, now: Date) -> Duration? {
    let text = header.trimmingCharacters(in: .whitespaces)
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
