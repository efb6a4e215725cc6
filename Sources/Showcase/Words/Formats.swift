import Offstage
import OffstageWords

/// Writes numbers, distances, dates, and times for the user.
///
/// English and Korean write numbers alike; their differences are in their `Words`. The source is
/// CLDR 46 (common/main and common/supplemental/units.xml).
struct Format: Sendable {
  let words: Words
  let locale: UserLocale

  // MARK: Numbers

  /// Writes tenths with at most one decimal: 12 becomes `1.2`, and 30 becomes `3`.
  func tenths(_ tenths: Int) -> String {
    let whole = (tenths / 10).grouped
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
    return tenths < 100 ? self.tenths(tenths) : Int(value.rounded()).grouped
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

  var times: Times { Times(locale) }
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
