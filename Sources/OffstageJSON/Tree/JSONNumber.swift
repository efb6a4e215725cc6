/// A number as it was written, compared by value: `1`, `1.0` and `1e0` are equal.
package struct JSONNumber: Hashable, Sendable, CustomStringConvertible {
  /// The token (RFC 8259, section 6).
  package let raw: String

  /// 2^53. A double, and so every front end, can hold all integers up to it.
  package static let largestInteger = 1 << 53

  init(token: String) { raw = token }

  /// Creates a number from any integer, even beyond 2^53.
  package init(_ value: Int) { raw = String(value) }

  /// Creates the shortest token that reads as this double.
  /// - Precondition: The value is finite.
  package init(_ value: Double) {
    var writer = JSONWriter()
    writer.double(value)
    raw = String(writer.bytes)
  }

  /// The exact integer within ±2^53, or nil.
  package var int: Int? { decimal.integer }

  package var double: Double { raw.withBytes { JSONDecimal.double($0) } }

  package var description: String { raw }

  /// Compares the exact values at any length, not doubles.
  package static func == (left: JSONNumber, right: JSONNumber) -> Bool {
    left.raw == right.raw || left.decimal == right.decimal
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(decimal) }

  private var decimal: JSONDecimal { raw.withBytes { JSONDecimal($0) } }
}

/// The exact value of a number: `digits * 10^exponent`, without zeros at either end of the digits,
/// so that equal numbers have equal parts (`1`, `1.0` and `10e-1` are one decimal).
struct JSONDecimal: Hashable {
  private(set) var isNegative = false
  /// The first nineteen significant digits.
  private(set) var leading: UInt64 = 0
  /// The significant digits after those, for numbers longer than any machine word.
  private(set) var trailing: [UInt8] = []
  private(set) var exponent = 0

  /// - Parameter token: A number that the parser has accepted.
  init(_ token: UnsafeRawBufferPointer) {
    var leadingCount = 0
    var zeros = 0
    var isFraction = false
    var index = 0
    if token.first == UInt8(ascii: "-") {
      isNegative = true
      index = 1
    }
    scan: while index < token.count {
      let byte = token[index]
      index += 1
      switch byte {
      case UInt8(ascii: "."):
        isFraction = true
        continue scan
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        exponent += Self.exponent(UnsafeRawBufferPointer(rebasing: token[index...]))
        break scan
      default:
        break
      }
      if isFraction { exponent -= 1 }
      if byte != UInt8(ascii: "0") {
        for _ in 0..<zeros { append(0, after: &leadingCount) }
        append(byte &- UInt8(ascii: "0"), after: &leadingCount)
        exponent -= zeros
        zeros = 0
      } else if leadingCount > 0 {
        // A zero belongs to the exponent until another digit follows.
        exponent += 1
        zeros += 1
      }
    }
    if leadingCount == 0 { (isNegative, exponent) = (false, 0) }
  }

  /// The exact integer within ±2^53, or nil.
  var integer: Int? {
    guard trailing.isEmpty, exponent >= 0, exponent < 16 else { return nil }
    let (magnitude, overflow) = leading.multipliedReportingOverflow(by: Self.powers[exponent])
    guard !overflow, magnitude <= JSONNumber.largestInteger else { return nil }
    return isNegative ? -Int(magnitude) : Int(magnitude)
  }

  /// Returns the exact integer; nil if the type does not have it.
  func exactly<T: FixedWidthInteger>(_ type: T.Type) -> T? {
    guard exponent >= 0, exponent + trailing.count < 39 else { return nil }
    var magnitude = UInt128(leading)
    for digit in trailing + repeatElement(0, count: exponent) {
      let (tens, isTooLarge) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, overflows) = tens.addingReportingOverflow(UInt128(digit))
      if isTooLarge || overflows { return nil }
      magnitude = sum
    }
    guard isNegative else { return T(exactly: magnitude) }
    // The lowest integer has no positive counterpart.
    if magnitude == T.min.magnitude { return T.min }
    return T.isSigned ? T(exactly: magnitude).map { 0 - $0 } : nil
  }

  private mutating func append(_ digit: UInt8, after count: inout Int) {
    if count < 19 {
      leading = leading &* 10 &+ UInt64(digit)
    } else {
      trailing.append(digit)
    }
    count += 1
  }

  /// Returns the exponent after the `e`, clamped beyond what the digits of any text could balance.
  private static func exponent(_ token: UnsafeRawBufferPointer) -> Int {
    var value = 0
    for byte in token where byte.isDigit && value < 1 << 40 {
      value = value * 10 + Int(byte &- UInt8(ascii: "0"))
    }
    return token.first == UInt8(ascii: "-") ? -value : value
  }

  private static let powers: [UInt64] = (0..<16).map { power in
    (0..<power).reduce(1) { product, _ in product * 10 }
  }
}

extension JSONDecimal {
  /// Returns the exact integer within ±2^53 of a number token, or nil.
  /// - Parameter isPlain: True if the token is digits only, perhaps after a minus sign.
  @inline(__always)
  static func integer(_ token: UnsafeRawBufferPointer, isPlain: Bool) -> Int? {
    // Seventeen digits fit a word, and nearly every integer is that short.
    guard isPlain, token.count <= 17 else { return JSONDecimal(token).integer }
    var magnitude = 0
    let isNegative = token[0] == UInt8(ascii: "-")
    for index in (isNegative ? 1 : 0)..<token.count {
      magnitude = magnitude &* 10 &+ Int(token[index] &- UInt8(ascii: "0"))
    }
    guard magnitude <= JSONNumber.largestInteger else { return nil }
    return isNegative ? -magnitude : magnitude
  }

  /// Returns the double nearest to a number token, or infinity if it is out of range.
  static func double(_ token: UnsafeRawBufferPointer) -> Double {
    if let exact = exactDouble(token) { return exact }
    return Double(String(decoding: token, as: UTF8.self)) ?? .infinity
  }

  /// Converts short numbers without an exponent, such as `-12.5`. Fifteen digits and a power of ten
  /// up to 10^15 are exact as doubles, so that one division rounds correctly (Clinger 1990).
  private static func exactDouble(_ token: UnsafeRawBufferPointer) -> Double? {
    guard token.count <= 16 else { return nil }
    var mantissa = 0
    var scale = 1
    var isFraction = false
    for byte in token {
      if byte.isDigit {
        mantissa = mantissa &* 10 &+ Int(byte &- UInt8(ascii: "0"))
        if isFraction { scale = scale &* 10 }
      } else if byte == UInt8(ascii: ".") {
        isFraction = true
      } else if byte != UInt8(ascii: "-") {
        return nil
      }
    }
    guard mantissa <= JSONNumber.largestInteger else { return nil }
    let magnitude = Double(mantissa) / Double(scale)
    return token[0] == UInt8(ascii: "-") ? -magnitude : magnitude
  }
}
