extension JSONWriter {
  /// Writes an integer, also one beyond 2^53.
  package mutating func int(_ value: Int) {
    comma()
    appendInteger(value)
  }

  /// Writes the shortest number that reads as this double again, integers without a fraction.
  /// - Precondition: the value is finite; JSON has no name for the others.
  package mutating func double(_ value: Double) {
    precondition(value.isFinite, "JSON has no name for \(value).")
    comma()
    if let integer = Int(exactly: value), integer.magnitude <= JSONNumber.largestInteger,
      integer != 0 || value.sign == .plus
    {
      appendInteger(integer)
    } else {
      appendDigits(of: value.description)
    }
  }

  /// Writes any integer type's value.
  mutating func integer(_ value: some FixedWidthInteger) {
    comma()
    if let small = Int(exactly: value) {
      appendInteger(small)
    } else {
      appendDigits(of: String(value))
    }
  }

  /// Writes the shortest number that reads as this float again, as a float.
  mutating func float(_ value: Float) {
    comma()
    appendDigits(of: value.description)
  }

  /// Swift's digits, which are JSON's except that they mark an integer with ".0".
  private mutating func appendDigits(of description: String) {
    description.withBytes { digits in
      let isInteger = digits.count > 2 && digits.suffix(2).elementsEqual([0x2e, 0x30])
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: digits.dropLast(isInteger ? 2 : 0)))
    }
  }

  private mutating func appendInteger(_ value: Int) {
    if value >= 0, value < 10 {
      bytes.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value))
      return
    }
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    var rest = value.magnitude
    var count = 1
    var power: UInt = 10
    while count < 19, rest >= power {
      count &+= 1
      power &*= 10
    }
    bytes.append(upTo: count) { digits in
      for index in stride(from: count &- 1, through: 0, by: -1) {
        let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
        digits[index] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit)
        rest = quotient
      }
      return count
    }
  }
}
