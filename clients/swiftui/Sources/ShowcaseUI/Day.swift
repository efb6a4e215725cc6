import Foundation
import OffstageClient

/// A day as the protocol writes it, such as `2026-03-01`, for a calendar in the time zone of the device.
enum Day {
  private static var calendar: Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .current
    return calendar
  }

  static func text(of date: Date) -> String {
    let parts = calendar.dateComponents([.year, .month, .day], from: date)
    return String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
  }

  /// Returns the noon of a day, which every time zone has; nil for a text that names no day.
  static func date(_ text: String) -> Date? {
    let numbers = text.split(separator: "-").compactMap { Int($0) }
    guard numbers.count == 3,
      let date = calendar.date(
        from: DateComponents(year: numbers[0], month: numbers[1], day: numbers[2], hour: 12))
    else { return nil }
    // The calendar takes 30 February for 2 March.
    return Self.text(of: date) == text ? date : nil
  }

  /// Returns the time of a date, such as `07:30`.
  static func time(of date: Date) -> String {
    let parts = calendar.dateComponents([.hour, .minute], from: date)
    return String(format: "%02d:%02d", parts.hour ?? 0, parts.minute ?? 0)
  }

  /// Returns a time of some day; nil for a text that names none.
  static func time(_ text: String) -> Date? {
    let numbers = text.split(separator: ":").prefix(2).compactMap { Int($0) }
    guard numbers.count == 2, 0..<24 ~= numbers[0], 0..<60 ~= numbers[1] else { return nil }
    // A day on which every time zone has each time once.
    let parts = DateComponents(
      year: 2000, month: 1, day: 10, hour: numbers[0], minute: numbers[1])
    return calendar.date(from: parts)
  }
}

/// A date or a time in a text, as a control that picks one needs it.
enum Moment: String {
  case date
  case time
  case dateTime = "date-time"

  /// Returns the moment of a text; nil for one that names none.
  func date(_ text: String) -> Date? {
    switch self {
    case .date: Day.date(text)
    case .time: Day.time(text)
    case .dateTime: try? Date(text, strategy: .iso8601)
    }
  }

  func text(of date: Date) -> String {
    switch self {
    case .date: Day.text(of: date)
    case .time: Day.time(of: date)
    case .dateTime: date.formatted(.iso8601)
    }
  }
}

/// The days of which a person picks one.
struct DayChoice {
  let selected: Date
  let range: ClosedRange<Date>

  /// Reads the params of `pickDate`.
  init(_ params: Value) {
    let day = { (name: String) in params[name].string.flatMap { Day.date($0) } }
    let first = day("first") ?? .distantPast
    range = first...max(first, day("last") ?? .distantFuture)
    selected = min(max(day("selected") ?? Date(), range.lowerBound), range.upperBound)
  }
}
