extension JSONParser {
  /// Section 6: a number, which a double must be able to hold, if not exactly.
  mutating func number() throws(JSONError) {
    let start = at
    if base[at] == UInt8(ascii: "-") { at &+= 1 }
    let digits = at
    if base[at] == UInt8(ascii: "0") {
      at &+= 1
      if base[at].isDigit { throw unexpected("no digit after a leading zero") }
    } else {
      try self.digits()
    }
    var magnitude = at &- digits
    var isPlain = true
    if base[at] == UInt8(ascii: ".") {
      isPlain = false
      at &+= 1
      try self.digits()
    }
    if base[at] | 0x20 == UInt8(ascii: "e") {
      isPlain = false
      at &+= 1
      magnitude &+= try exponent()
    }
    // Below 1e308 no number can be out of range, and so the exact way is hardly ever gone.
    if magnitude > 308 {
      let token = UnsafeRawBufferPointer(start: base + start, count: at - start)
      guard JSONDecimal.double(token).isFinite else {
        throw JSONError(
          offset: start, expected: "a number within the range of a double", found: "a larger one")
      }
    }
    append(.number, start: start, end: at, isPlain: isPlain)
  }

  @inline(__always)
  private mutating func digits() throws(JSONError) {
    guard base[at].isDigit else { throw unexpected("a digit") }
    repeat { at &+= 1 } while base[at].isDigit
  }

  /// The exponent after its `e`, as far as it matters: past a million, all are alike.
  private mutating func exponent() throws(JSONError) -> Int {
    let isNegative = base[at] == UInt8(ascii: "-")
    if isNegative || base[at] == UInt8(ascii: "+") { at &+= 1 }
    let first = at
    try digits()
    var value = 0
    for digit in first..<at where value < 1_000_000 {
      value = value * 10 + Int(base[digit] &- UInt8(ascii: "0"))
    }
    return isNegative ? -value : value
  }
}

extension UInt8 {
  @inline(__always)
  var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }
}
