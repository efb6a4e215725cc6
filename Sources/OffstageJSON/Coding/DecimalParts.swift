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
