/// A point in time to the millisecond, in the years 0 to 9999 of the Gregorian calendar.
package struct Timestamp: CustomStringConvertible {
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
  package init?(_ text: String) {
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

  package var description: String {
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

/// A date in the proleptic Gregorian calendar.
///
/// The formulas are Howard Hinnant's `civil_from_days` and `days_from_civil`: eras of 400 years,
/// and years that begin on March 1, so that leap days come last.
package struct GregorianDate {
  package let year: Int
  /// From 1.
  package let month: Int
  /// From 1.
  package let day: Int

  /// - Parameter dayNumber: Days since 1970-01-01.
  package init(dayNumber: Int) {
    let shifted = dayNumber + 719_468
    let era = shifted.flooredQuotient(146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Returns the days from 1970-01-01 to a date. Month 13 is January of the next year.
  package static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = year.flooredQuotient(400)
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

extension Int {
  package func flooredQuotient(_ divisor: Int) -> Int {
    (self - flooredRemainder(divisor)) / divisor
  }

  package func flooredRemainder(_ divisor: Int) -> Int {
    let remainder = self % divisor
    return remainder < 0 ? remainder + divisor : remainder
  }
}

/// The sign, digits, and exponent of a `Decimal`, as it encodes them: up to 128 bits in 16-bit
/// words.
struct DecimalParts: CustomStringConvertible {
  let isNegative: Bool
  let mantissa: UInt128
  let exponent: Int

  /// Parses digits with an optional sign and fraction; nil if a `Decimal` cannot hold them.
  init?(_ text: String) {
    var digits = text[...]
    isNegative = digits.first == "-"
    if isNegative { digits.removeFirst() }
    let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) }),
      let mantissa = UInt128(parts.joined())
    else { return nil }
    self.mantissa = mantissa
    exponent = parts.count > 1 ? -parts[1].count : 0
    guard exponent >= -128 else { return nil }
  }

  /// Reads the parts that a `Decimal` encodes; nil for NaN.
  init?(_ own: JSON) {
    guard let words = own["mantissa"]?.array, let length = own["length"]?.int,
      let exponent = own["exponent"]?.int, let isNegative = own["isNegative"]?.bool,
      length > 0 || !isNegative
    else { return nil }
    mantissa = words.prefix(length).reversed().reduce(0) { $0 << 16 | UInt128($1.int ?? 0) }
    self.exponent = exponent
    self.isNegative = isNegative
  }

  var json: JSON {
    let words = (0..<8).map { UInt16(truncatingIfNeeded: mantissa >> ($0 * 16)) }
    let length = 8 - words.reversed().prefix { $0 == 0 }.count
    return [
      "exponent": .int(exponent), "length": .int(length),
      "isNegative": .bool(isNegative && length > 0), "isCompact": false,
      "mantissa": .array(words.map { .int(Int($0)) }),
    ]
  }

  var description: String {
    var digits = String(mantissa)
    if exponent > 0, mantissa > 0 { digits += String(repeating: "0", count: exponent) }
    if exponent < 0 {
      let missing = -exponent + 1 - digits.count
      if missing > 0 { digits = String(repeating: "0", count: missing) + digits }
      digits.insert(".", at: digits.index(digits.endIndex, offsetBy: exponent))
    }
    return (isNegative ? "-" : "") + digits
  }
}

/// Base64 with padding (RFC 4648, section 4).
package enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The value of each byte that is a digit.
  private static let values = {
    var values = [UInt32?](repeating: nil, count: 256)
    for (value, digit) in alphabet.enumerated() { values[Int(digit)] = UInt32(value) }
    return values
  }()

  package static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var bits: UInt32 = 0
    var count = 0
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      count += 8
      while count >= 6 {
        count -= 6
        text.append(alphabet[Int(bits >> count & 63)])
      }
    }
    if count > 0 { text.append(alphabet[Int(bits << (6 - count) & 63)]) }
    while text.count % 4 > 0 { text.append(UInt8(ascii: "=")) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns nil if the text is not Base64 with padding.
  package static func decode(_ text: String) -> [UInt8]? {
    let digits = text.utf8.prefix { $0 != UInt8(ascii: "=") }
    let padding = text.utf8.dropFirst(digits.count)
    guard text.utf8.count % 4 == 0, padding.count < 3,
      padding.allSatisfy({ $0 == UInt8(ascii: "=") })
    else { return nil }
    let values = values
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 4 * 3 + 2)
    var bits: UInt32 = 0
    var count = 0
    for digit in digits {
      guard let value = values[Int(digit)] else { return nil }
      bits = bits << 6 | value
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> count))
      }
    }
    return bits & (1 << count - 1) == 0 ? bytes : nil
  }
}
