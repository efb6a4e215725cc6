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
    return hours.replacing("-", with: range).replacing(",", with: ", ").replacing("  ", with: " ")
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
