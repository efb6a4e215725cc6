import Offstage

/// Writes numbers, distances, dates, and times for the user.
///
/// English and Korean write numbers alike; their differences are in their `Words`. The source is
/// CLDR 46 (common/main and common/supplemental/units.xml). Foundation's formatters support every
/// language, but add 30 MB of data to a static binary.
struct Format: Sendable {
  let words: any Words
  let locale: UserLocale

  // MARK: Numbers

  /// Writes a number with thousands separators: `12,345`.
  func number(_ number: Int) -> String {
    var groups: [Substring] = []
    var rest = String(number.magnitude)[...]
    while rest.count > 3 {
      groups.insert(rest.suffix(3), at: 0)
      rest.removeLast(3)
    }
    groups.insert(rest, at: 0)
    return (number < 0 ? "-" : "") + groups.joined(separator: ",")
  }

  /// Writes tenths with at most one decimal: 12 becomes `1.2`, and 30 becomes `3`.
  func tenths(_ tenths: Int) -> String {
    let whole = number(tenths / 10)
    return tenths % 10 == 0 ? whole : "\(whole).\(abs(tenths % 10))"
  }

  // MARK: Distances and weights

  /// Writes a distance: `350 m`, `1.2 km`, `12 km`; in miles, feet, or yards where the region uses
  /// them.
  func distance(meters: Int) -> String {
    switch system {
    case .metric:
      if meters < 1000 { return words.measure("\(meters)", "m") }
      return words.measure(rounded(Double(meters) / 1000), "km")
    case .american, .british:
      let miles = Double(meters) / 1609.344
      if miles >= 0.1 { return words.measure(rounded(miles), "mi") }
      let (size, unit) = system == .american ? (0.3048, "ft") : (0.9144, "yd")
      return words.measure("\(Int((Double(meters) / size).rounded()))", unit)
    }
  }

  /// Writes a number below 10 with at most one decimal, and any other as a whole number.
  private func rounded(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths < 100 ? self.tenths(tenths) : number(Int(value.rounded()))
  }

  /// Writes a height in decimeters: `0.7 m`.
  func height(decimeters: Int) -> String { words.measure(tenths(decimeters), "m") }

  /// Writes a weight in hectograms: `6.9 kg`.
  func weight(hectograms: Int) -> String { words.measure(tenths(hectograms), "kg") }

  private enum MeasurementSystem { case metric, american, british }

  private var system: MeasurementSystem {
    switch locale.language.region {
    case "US", "LR", "MM", "PR": .american
    case "GB": .british
    default: .metric
    }
  }

  // MARK: Times

  /// Writes a date and time: `Jan 8, 2026, 9:00 AM`.
  func dateAndTime(_ seconds: Int) -> String {
    let time = locale.timeZone.civilTime(at: seconds)
    return words.dateAndTime(words.date(time), words.timeOfDay(time))
  }

  /// Writes a past time, less precisely the longer ago it was: `Just now`, `5 minutes ago`,
  /// `2:30 PM`, `Yesterday`, `Monday`, `Jan 5`, `Dec 31, 2025`.
  func past(_ seconds: Int, now: Int) -> String {
    let time = locale.timeZone.civilTime(at: seconds)
    let today = locale.timeZone.civilTime(at: now)
    switch now - seconds {
    case ..<60: return words.justNow
    case ..<3600: return words.minutesAgo((now - seconds) / 60)
    default: break
    }
    switch today.dayNumber - time.dayNumber {
    case ...0: return words.timeOfDay(time)
    case 1: return words.yesterday
    case ..<7: return words.weekday(time)
    default: return time.year == today.year ? words.dayOfYear(time) : words.date(time)
    }
  }
}

/// Opening hours in words, from the notation of OpenStreetMap: `Nov-Feb We-Mo 09:00-17:00; Tu off`.
///
/// Text with a word that is not part of the notation stays as it is.
struct OpeningHours: Sendable {
  /// The words for the notation's names.
  let names: [String: String]
  /// The separator between the ends of a range.
  let range: String

  func words(for hours: String) -> String {
    if let name = names[hours] { return name }
    guard hours.split(whereSeparator: { !$0.isLetter }).allSatisfy({ names[String($0)] != nil })
    else { return hours }
    // Elsewhere a hyphen is a minus sign: `(sunset-01:00)`, and `Su[-1]` for the last Sunday.
    return hours.replacing(/\([^)]*\)|[\[,]-|-/) { $0.output == "-" ? range[...] : $0.output }
      .replacing(",", with: ", ").replacing("  ", with: " ")
      .replacing(/\p{Alphabetic}+/) { names[String($0.output)] ?? String($0.output) }
  }

  static let english = OpeningHours(
    names: [
      "Mo": "Mon", "Tu": "Tue", "We": "Wed", "Th": "Thu", "Fr": "Fri", "Sa": "Sat", "Su": "Sun",
      "PH": "public holidays", "SH": "school holidays", "off": "closed", "closed": "closed",
      "24/7": "24 hours a day",
      "Jan": "Jan", "Feb": "Feb", "Mar": "Mar", "Apr": "Apr", "May": "May", "Jun": "Jun",
      "Jul": "Jul", "Aug": "Aug", "Sep": "Sep", "Oct": "Oct", "Nov": "Nov", "Dec": "Dec",
      "sunrise": "sunrise", "sunset": "sunset",
    ], range: "–")

  static let korean = OpeningHours(
    names: [
      "Mo": "월", "Tu": "화", "We": "수", "Th": "목", "Fr": "금", "Sa": "토", "Su": "일",
      "PH": "공휴일", "SH": "방학", "off": "휴무", "closed": "휴무", "24/7": "24시간",
      "Jan": "1월", "Feb": "2월", "Mar": "3월", "Apr": "4월", "May": "5월", "Jun": "6월",
      "Jul": "7월", "Aug": "8월", "Sep": "9월", "Oct": "10월", "Nov": "11월", "Dec": "12월",
      "sunrise": "일출", "sunset": "일몰",
    ], range: "~")
}
