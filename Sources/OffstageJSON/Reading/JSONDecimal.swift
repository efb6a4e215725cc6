/// A number exactly as its token says: `digits * 10^exponent`, without zeros at either end of the
/// digits, so that equal numbers have equal parts (`1`, `1.0` and `10e-1` are one decimal).
struct JSONDecimal: Hashable {
  private(set) var isNegative = false
  /// The first nineteen significant digits; zero has none.
  private(set) var leading: UInt64 = 0
  /// The significant digits after those, for numbers longer than any machine word.
  private(set) var trailing: [UInt8] = []
  private(set) var exponent = 0

  /// Reads a token that the parser has accepted.
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
        // A zero counts only once another digit follows; until then it is in the exponent.
        exponent += 1
        zeros += 1
      }
    }
    if leadingCount == 0 { (isNegative, exponent) = (false, 0) }
  }

  /// The exact integer, if this is one and lies within ±2^53.
  var integer: Int? {
    guard trailing.isEmpty, exponent >= 0, exponent < 16 else { return leading == 0 ? 0 : nil }
    let (magnitude, overflow) = leading.multipliedReportingOverflow(by: Self.powers[exponent])
    guard !overflow, magnitude <= JSONNumber.largestInteger else { return nil }
    return isNegative ? -Int(magnitude) : Int(magnitude)
  }

  private mutating func append(_ digit: UInt8, after count: inout Int) {
    if count < 19 {
      leading = leading &* 10 &+ UInt64(digit)
    } else {
      trailing.append(digit)
    }
    count += 1
  }

  /// The digits after the `e`; beyond what any text's length could balance, it stays at the limit.
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
  /// The nearest double to a number token, infinite where there is none.
  static func double(_ token: UnsafeRawBufferPointer) -> Double {
    if let exact = exactDouble(token) { return exact }
    return Double(String(decoding: token, as: UTF8.self)) ?? .infinity
  }

  /// The short numbers of every day, `-12.5` but not `1e7`: fifteen digits and a power of ten up to
  /// 10^15 are exact as doubles, so that one division rounds rightly (Clinger 1990).
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
