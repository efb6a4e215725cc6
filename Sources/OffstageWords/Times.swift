public import Offstage

/// Writes dates and times for the user, in words that are less precise the longer ago they were.
///
/// The built-in words are English and Korean; for another language, conform a type to ``TimeWords``.
/// ```swift
/// private let locale = CurrentLocale()
///
/// output.time.derive { [locale] in Times(locale.value).past(article.publishedAt, now: scope.now) }
/// ```
public struct Times: Sendable {
  private let words: any TimeWords
  private let zone: ZoneRules

  /// Creates times in Korean, or else in English, for the user's region and time zone.
  public init(_ locale: UserLocale) {
    let language = locale.language
    let isKorean = language.bestMatch(among: ["en", "ko"]) == "ko"
    self.init(
      isKorean ? KoreanTimes() : EnglishTimes(region: language.region), in: locale.timeZone)
  }

  /// Creates times in the words of a language.
  public init(_ words: any TimeWords, in zone: ZoneRules) {
    self.words = words
    self.zone = zone
  }

  /// Writes a date and time: `Jan 8, 2026, 9:00 AM`.
  /// - Parameter seconds: Since 1970.
  public func dateAndTime(_ seconds: Int) -> String {
    let time = zone.civilTime(at: seconds)
    return words.dateAndTime(words.date(time), words.timeOfDay(time))
  }

  /// Writes a past time: `Just now`, `5 minutes ago`, `2:30 PM`, `Yesterday`, `Monday`, `Jan 5`,
  /// `Dec 31, 2025`.
  /// - Parameters:
  ///   - seconds: The time, since 1970. A time to come is written as now.
  ///   - now: The current time, such as `Int(effects.now.components.seconds)`.
  public func past(_ seconds: Int, now: Int) -> String {
    switch now - seconds {
    case ..<60: return words.justNow
    case ..<3600: return words.minutesAgo((now - seconds) / 60)
    default: break
    }
    let (time, today) = (zone.civilTime(at: seconds), zone.civilTime(at: now))
    switch today.dayNumber - time.dayNumber {
    case ...0: return words.timeOfDay(time)
    case 1: return words.yesterday
    case ..<7: return words.weekday(time)
    default: return time.year == today.year ? words.dayOfYear(time) : words.date(time)
    }
  }
}

/// The words for times in one language; see ``Times``.
public protocol TimeWords: Sendable {
  /// Less than a minute ago.
  var justNow: String { get }
  func minutesAgo(_ count: Int) -> String
  /// Returns a time such as `2:30 PM`.
  func timeOfDay(_ time: CivilTime) -> String
  var yesterday: String { get }
  func weekday(_ date: CivilTime) -> String
  /// Returns a date without its year.
  func dayOfYear(_ date: CivilTime) -> String
  /// Returns a date such as `Jan 8, 2026`.
  func date(_ date: CivilTime) -> String
  func dateAndTime(_ date: String, _ time: String) -> String
}

// The built-in words follow CLDR 46, common/main: units, dateFormats, timeFormats, months, days.
// Foundation's formatters support every language, but add 30 MB of data to a static binary.

/// Times in English.
public struct EnglishTimes: TimeWords {
  private let isAmerican: Bool

  /// - Parameter region: The region whose formats apply; nil for the United States, as in CLDR.
  public init(region: String? = nil) { isAmerican = region == nil || region == "US" }

  public let justNow = "Just now"
  public let yesterday = "Yesterday"

  public func minutesAgo(_ count: Int) -> String {
    plural(count, one: "# minute ago", other: "# minutes ago")
  }

  public func timeOfDay(_ time: CivilTime) -> String {
    let minute = "\(time.minute < 10 ? "0" : "")\(time.minute)"
    guard isAmerican else { return "\(time.hour < 10 ? "0" : "")\(time.hour):\(minute)" }
    return "\((time.hour + 11) % 12 + 1):\(minute) \(time.hour < 12 ? "AM" : "PM")"
  }

  public func weekday(_ date: CivilTime) -> String { Self.weekdays[date.weekday] }

  public func dayOfYear(_ date: CivilTime) -> String {
    let month = Self.months[date.month - 1]
    return isAmerican ? "\(month) \(date.day)" : "\(date.day) \(month)"
  }

  public func date(_ date: CivilTime) -> String {
    isAmerican ? "\(dayOfYear(date)), \(date.year)" : "\(dayOfYear(date)) \(date.year)"
  }

  public func dateAndTime(_ date: String, _ time: String) -> String { "\(date), \(time)" }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private static let weekdays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
}

/// Times in Korean.
public struct KoreanTimes: TimeWords {
  public init() {}

  public let justNow = "방금"
  public let yesterday = "어제"

  public func minutesAgo(_ count: Int) -> String { "\(count)분 전" }

  public func timeOfDay(_ time: CivilTime) -> String {
    let minute = "\(time.minute < 10 ? "0" : "")\(time.minute)"
    return "\(time.hour < 12 ? "오전" : "오후") \((time.hour + 11) % 12 + 1):\(minute)"
  }

  public func weekday(_ date: CivilTime) -> String { Self.weekdays[date.weekday] }
  public func dayOfYear(_ date: CivilTime) -> String { "\(date.month)월 \(date.day)일" }
  public func date(_ date: CivilTime) -> String { "\(date.year)년 \(dayOfYear(date))" }
  public func dateAndTime(_ date: String, _ time: String) -> String { "\(date) \(time)" }

  private static let weekdays = ["일요일", "월요일", "화요일", "수요일", "목요일", "금요일", "토요일"]
}
