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

  /// The integer within ±2^53, or nil.
  package var int: Int? { raw.withBytes { Self.integer($0, isPlain: false) } }

  package var double: Double { raw.withBytes { Self.double($0) } }

  package var description: String { raw }

  package static func == (left: JSONNumber, right: JSONNumber) -> Bool {
    left.raw == right.raw || left.canonical == right.canonical
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(canonical) }

  /// The token for all that have this value. Integers are compared exactly at any length.
  private var canonical: String {
    if let int { return String(int) }
    return raw.utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: "-") } ? raw : "\(double)"
  }
}

// Numbers in a text. A token is one that the parser has accepted.
extension JSONNumber {
  /// Returns the integer within ±2^53 of a token, or nil.
  /// - Parameter isPlain: True if the token is known to be digits only, perhaps after a minus sign.
  @inline(__always)
  static func integer(_ token: UnsafeRawBufferPointer, isPlain: Bool) -> Int? {
    // Seventeen digits fit a word, and nearly every integer is that short.
    guard isPlain, token.count <= 17 else { return anyInteger(token) }
    var magnitude = 0
    let isNegative = token[0] == UInt8(ascii: "-")
    for index in (isNegative ? 1 : 0)..<token.count {
      magnitude = magnitude &* 10 &+ Int(token[index] &- UInt8(ascii: "0"))
    }
    guard magnitude <= Self.largestInteger else { return nil }
    return isNegative ? -magnitude : magnitude
  }

  @inline(never)
  private static func anyInteger(_ token: UnsafeRawBufferPointer) -> Int? {
    if let integer = Int(String(decoding: token, as: UTF8.self)) {
      return integer.magnitude <= largestInteger ? integer : nil
    }
    let double = double(token)
    // 2^53 itself may be the double of a larger integer.
    return abs(double) < Double(largestInteger) ? Int(exactly: double) : nil
  }

  /// Returns the double nearest to a token, or infinity if it is out of range.
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
    guard mantissa <= largestInteger else { return nil }
    let magnitude = Double(mantissa) / Double(scale)
    return token[0] == UInt8(ascii: "-") ? -magnitude : magnitude
  }
}
