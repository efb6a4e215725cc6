/// A point in time to the millisecond, in the years 0 to 9999 of the Gregorian calendar.
struct Timestamp: CustomStringConvertible {
  /// The time since 1970-01-01T00:00:00Z.
  private let milliseconds: Int

  private static let range = -62_167_219_200_000...253_402_300_799_999

  private static let from1970To2001 = 978_307_200.0

  var secondsSince2001: Double { Double(milliseconds) / 1000 - Self.from1970To2001 }

  /// Creates a timestamp; nil if it is out of range.
  init?(secondsSince2001: Double) {
    let seconds = secondsSince2001 + Self.from1970To2001
    guard (-62_167_219_200..<253_402_300_800).contains(seconds) else { return nil }
    // The last half of a millisecond would round to the year 10000.
    milliseconds = min(Int((seconds * 1000).rounded()), Self.range.upperBound)
  }

  /// Parses the ISO 8601 profile of RFC 3339. A leap second counts as the next second.
  init?(_ text: String) {
    var rest = Array(text.utf8)[...]
    func value(of digits: ArraySlice<UInt8>) -> Int {
      digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
    func number(_ digits: Int, _ range: ClosedRange<Int>) -> Int? {
      let field = rest.prefix(digits)
      rest = rest.dropFirst(digits)
      guard field.count == digits, field.allSatisfy(\.isDigit) else { return nil }
      let value = value(of: field)
      return range.contains(value) ? value : nil
    }
    func take(_ characters: String) -> Bool {
      guard let byte = rest.first, characters.utf8.contains(byte) else { return false }
      rest = rest.dropFirst()
      return true
    }
    guard let year = number(4, 0...9999), take("-"), let month = number(2, 1...12), take("-"),
      let day = number(2, 1...Self.days(in: month, of: year)), take("Tt "),
      let hour = number(2, 0...23), take(":"), let minute = number(2, 0...59), take(":"),
      let second = number(2, 0...60)
    else { return nil }
    var fraction = 0
    if take(".") {
      let digits = rest.prefix(while: \.isDigit)
      guard !digits.isEmpty else { return nil }
      rest = rest.dropFirst(digits.count)
      fraction = value(of: (digits + "00".utf8).prefix(3))
    }
    var offset = 0
    if !take("Zz") {
      let isNegative = rest.first == UInt8(ascii: "-")
      guard take("+-"), let hours = number(2, 0...23), take(":"), let minutes = number(2, 0...59)
      else { return nil }
      offset = (isNegative ? -1 : 1) * (hours * 60 + minutes)
    }
    guard rest.isEmpty else { return nil }
    let minutes = (GregorianDate.dayNumber(year, month, day) * 24 + hour) * 60 + minute - offset
    milliseconds = (minutes * 60 + second) * 1000 + fraction
    guard Self.range.contains(milliseconds) else { return nil }
  }

  var description: String {
    let date = GregorianDate(dayNumber: milliseconds.flooredQuotient(86_400_000))
    let rest = milliseconds.flooredRemainder(86_400_000)
    func pad(_ value: Int, _ digits: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
    var text = "\(pad(date.year, 4))-\(pad(date.month, 2))-\(pad(date.day, 2))T"
    text += "\(pad(rest / 3_600_000, 2)):\(pad(rest / 60_000 % 60, 2)):\(pad(rest / 1000 % 60, 2))"
    if rest % 1000 > 0 {
      var fraction = pad(rest % 1000, 3)
      while fraction.last == "0" { fraction.removeLast() }
      text += "." + fraction
    }
    return text + "Z"
  }

  private static func days(in month: Int, of year: Int) -> Int {
    GregorianDate.dayNumber(year, month + 1, 1) - GregorianDate.dayNumber(year, month, 1)
  }
}
