public import Offstage

/// Writes dates and times for the user, in words that are less precise the longer ago they were: in
/// Korean, or else in English.
/// ```swift
/// private let display = Display()
///
/// output.time.derive { [display] in Times(display.locale).past(article.publishedAt, now: scope.now) }
/// ```
public struct Times: Sendable {
  private let isKorean: Bool
  /// True for the formats of the United States, which also apply without a region, as in CLDR.
  private let isAmerican: Bool
  private let locale: UserLocale

  /// Creates times for the user's language, region, and time zone.
  public init(_ locale: UserLocale) {
    isKorean = locale.language.bestMatch(among: ["en", "ko"]) == "ko"
    isAmerican = [nil, "US"].contains(locale.language.region)
    self.locale = locale
  }

  /// Writes a date and time: `Jan 8, 2026, 9:00 AM`.
  /// - Parameter seconds: Since 1970.
  public func dateAndTime(_ seconds: Int) -> String {
    let time = locale.civilTime(at: seconds)
    return "\(date(time))\(isKorean ? "" : ",") \(timeOfDay(time))"
  }

  /// Writes a past time: `Just now`, `5 minutes ago`, `2:30 PM`, `Yesterday`, `Monday`, `Jan 5`,
  /// `Dec 31, 2025`.
  /// - Parameters:
  ///   - seconds: The time, since 1970. A time to come is written as now.
  ///   - now: The current time, such as `Int(effects.now.components.seconds)`.
  public func past(_ seconds: Int, now: Int) -> String {
    let minutes = (now - seconds) / 60
    switch now - seconds {
    case ..<60: return isKorean ? "방금" : "Just now"
    case ..<3600 where isKorean: return "\(minutes)분 전"
    case ..<3600: return plural(minutes, one: "# minute ago", other: "# minutes ago")
    default: break
    }
    let (time, today) = (locale.civilTime(at: seconds), locale.civilTime(at: now))
    switch today.dayNumber - time.dayNumber {
    case ...0: return timeOfDay(time)
    case 1: return isKorean ? "어제" : "Yesterday"
    case ..<7: return (isKorean ? Self.koreanWeekdays : Self.weekdays)[time.weekday]
    default: return time.year == today.year ? dayOfYear(time) : date(time)
    }
  }

  // The words follow CLDR 46, common/main: units, dateFormats, timeFormats, months, days.
  // Foundation's formatters support every language, but add 30 MB of data to a static binary.

  private func timeOfDay(_ time: CivilTime) -> String {
    let minute = "\(time.minute < 10 ? "0" : "")\(time.minute)"
    let hour = (time.hour + 11) % 12 + 1
    if isKorean { return "\(time.hour < 12 ? "오전" : "오후") \(hour):\(minute)" }
    if isAmerican { return "\(hour):\(minute) \(time.hour < 12 ? "AM" : "PM")" }
    return "\(time.hour < 10 ? "0" : "")\(time.hour):\(minute)"
  }

  private func dayOfYear(_ date: CivilTime) -> String {
    if isKorean { return "\(date.month)월 \(date.day)일" }
    let month = Self.months[date.month - 1]
    return isAmerican ? "\(month) \(date.day)" : "\(date.day) \(month)"
  }

  private func date(_ date: CivilTime) -> String {
    if isKorean { return "\(date.year)년 \(dayOfYear(date))" }
    return "\(dayOfYear(date))\(isAmerican ? "," : "") \(date.year)"
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private static let weekdays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
  private static let koreanWeekdays = [
    "일요일", "월요일", "화요일", "수요일", "목요일", "금요일", "토요일",
  ]
}
