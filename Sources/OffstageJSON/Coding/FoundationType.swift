/// A type of Foundation that is written in the form that JSON has for it, and not as it encodes
/// itself: a `Date` as ISO 8601 rather than a number of seconds since 2001.
///
/// The types are found by name, so that a program without Foundation stays without it: linked
/// statically, it would be four times as large.
package struct FoundationType: Sendable {
  private let mangledName: String
  package let schemaText: String
  /// The text of a value to continue a probe with.
  private let sample: String
  private let expectation: String
  /// nil for bytes, which are neither decoded nor encoded one by one.
  private let form: Form?

  /// The text in JSON, and what the type encodes itself as.
  private struct Form: Sendable {
    /// Returns the JSON from which the type decodes itself; nil for a text that is none of its values.
    let parse: @Sendable (_ text: String) -> String?
    /// Returns the text of a value; nil if it has none: a date after the year 9999, or a URL that is
    /// relative to another.
    let print: @Sendable (_ own: JSON) -> String?
  }

  #if canImport(Darwin)
    private static let module = "10Foundation"
    private static let decimal = "So9NSDecimala"
  #else
    private static let module = "20FoundationEssentials"
    private static let decimal = "\(module)7DecimalV"
  #endif

  fileprivate static let all = [
    FoundationType(
      mangledName: "\(module)4DateV", schemaText: #"{"type":"string","format":"date-time"}"#,
      sample: "1970-01-01T00:00:00Z", expectation: "date and time as in \"2026-01-01T09:30:00Z\"",
      form: Form {
        Timestamp($0).map { JSON.number(JSONNumber($0.secondsSince2001)).description }
      } print: {
        $0.double.flatMap { Timestamp(secondsSince2001: $0)?.description }
      }),
    FoundationType(
      mangledName: "\(module)3URLV", schemaText: #"{"type":"string","format":"uri"}"#,
      sample: "about:blank", expectation: "URL",
      form: Form {
        "{\"relative\":\(JSON.string($0))}"
      } print: {
        $0["base"] == nil ? $0["relative"]?.string : nil
      }),
    FoundationType(
      mangledName: "\(module)4UUIDV", schemaText: #"{"type":"string","format":"uuid"}"#,
      sample: "00000000-0000-0000-0000-000000000000", expectation: "UUID",
      form: Form(parse: { JSON.string($0).description }, print: \.string)),
    // In the digits that it has, since a number might lose some.
    FoundationType(
      mangledName: decimal, schemaText: #"{"type":"string","format":"decimal"}"#, sample: "0",
      expectation: "decimal number in a string, as in \"12.50\"",
      form: Form(parse: { DecimalParts($0)?.json }, print: { DecimalParts($0)?.description })),
    FoundationType(
      mangledName: "\(module)4DataV", schemaText: #"{"type":"string","contentEncoding":"base64"}"#,
      sample: "", expectation: "bytes in base 64", form: nil),
  ]

  /// The types that are part of this program. By position, since the search must not retain what it passes.
  fileprivate static let known = all.indices.compactMap { index in
    _typeByName(all[index].mangledName).map { (type: $0, index: index) }
  }

  package func sample(of type: any Decodable.Type) throws -> Any {
    try JSONText(JSON.string(sample).description).withRoot { try $0.value(type) }
  }

  // MARK: Reading

  func read<T: Decodable>(_ view: JSONView, as type: T.Type) throws -> T {
    guard let text = view.string else { throw view.mismatch(String.self) }
    guard let value = value(type, text) else {
      throw view.corrupted(type, expected: expectation)
    }
    return value
  }

  private func value<T: Decodable>(_ type: T.Type, _ text: String) -> T? {
    func make<Bytes: RangeReplaceableCollection<UInt8>>(_ type: Bytes.Type) -> T? {
      Base64.decode(text).map { Bytes($0) as! T }
    }
    guard let form else {
      return (type as? any RangeReplaceableCollection<UInt8>.Type).flatMap { make($0) }
    }
    let own = form.parse(text).flatMap { try? JSONText($0) }
    return try? own?.withRoot { try T(from: JSONValueDecoder(view: $0)) }
  }

  // MARK: Writing

  func write(_ value: some Encodable, to sink: JSONSink) throws {
    guard let text = text(of: value) else {
      throw EncodingError.invalidValue(
        value,
        .init(
          codingPath: sink.path, debugDescription: "\(value) cannot be written as \(expectation)."))
    }
    sink.writer.string(text)
  }

  private func text(of value: some Encodable) -> String? {
    if let form { return form.print(JSON(withEncoder: value)) }
    return (value as? any RangeReplaceableCollection<UInt8>).map { Base64.encode(Array($0)) }
  }
}

extension FoundationType {
  /// True if a type may be one of them, by its name. To find out that a program is without Foundation
  /// takes longer than all else that it does to start.
  package static func hasName(of type: Any.Type) -> Bool {
    ["Date", "URL", "UUID", "Decimal", "NSDecimal", "Data"]
      .contains(_typeName(type, qualified: false))
  }

  /// nil for any other type.
  package init?(_ type: Any.Type) {
    guard let found = Self.known.first(where: { $0.type == type }) else { return nil }
    self = Self.all[found.index]
  }
}

extension JSON {
  /// The value as its `encode(to:)` writes it.
  fileprivate init(withEncoder value: some Encodable) {
    var writer = JSONWriter()
    let sink = JSONSink(taking: &writer)
    try? value.encode(to: JSONValueEncoder(sink: sink))
    sink.close()
    sink.fill()
    sink.giveBack(to: &writer)
    self.init(encoded: Array(writer.bytes))
  }
}

/// A point in time to the millisecond, in the years 0 to 9999 of the Gregorian calendar.
struct Timestamp: CustomStringConvertible {
  /// Since 1970-01-01T00:00:00Z.
  private let milliseconds: Int

  private static let range = -62_167_219_200_000...253_402_300_799_999

  private static let from1970To2001 = 978_307_200.0

  var secondsSince2001: Double { Double(milliseconds) / 1000 - Self.from1970To2001 }

  /// nil for a point out of range.
  init?(secondsSince2001: Double) {
    let seconds = secondsSince2001 + Self.from1970To2001
    guard (-62_167_219_200..<253_402_300_800).contains(seconds) else { return nil }
    // The last half of a millisecond would round to the year 10000.
    milliseconds = min(Int((seconds * 1000).rounded()), Self.range.upperBound)
  }

  /// Parses the profile of ISO 8601 in RFC 3339. A leap second counts as the next one.
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

/// The sign, digits, and exponent of a `Decimal`, as it encodes them: up to 128 bits in words of 16.
private struct DecimalParts: CustomStringConvertible {
  let isNegative: Bool
  let mantissa: UInt128
  let exponent: Int

  /// Parses digits with an optional sign and fraction; nil for more than a `Decimal` holds.
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

  /// nil for a number that is not one.
  init?(_ own: JSON) {
    guard let words = own["mantissa"]?.array, let length = own["length"]?.int,
      let exponent = own["exponent"]?.int, let isNegative = own["isNegative"]?.bool,
      length > 0 || !isNegative
    else { return nil }
    mantissa = words.prefix(length).reversed().reduce(0) { $0 << 16 | UInt128($1.int ?? 0) }
    self.exponent = exponent
    self.isNegative = isNegative
  }

  var json: String {
    let words = (0..<8).map { UInt16(truncatingIfNeeded: mantissa >> ($0 * 16)) }
    let length = 8 - words.reversed().prefix { $0 == 0 }.count
    return """
      {"exponent":\(exponent),"length":\(length),"isNegative":\(isNegative && length > 0),\
      "isCompact":false,"mantissa":\(words)}
      """
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

/// Base 64 with padding (RFC 4648, section 4).
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

  /// nil for a text that is not base 64 with padding.
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
