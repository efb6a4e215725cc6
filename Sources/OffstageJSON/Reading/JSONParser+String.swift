extension JSONParser {
  /// Section 7: a string, from quote to quote, with every escape and every UTF-8 sequence checked.
  mutating func string() throws(JSONError) {
    let start = at
    var isPlain = true
    at &+= 1
    while true {
      at &+= plainRun()
      let byte = base[at]
      if byte == UInt8(ascii: "\"") { break }
      if byte == UInt8(ascii: "\\") {
        isPlain = false
        try escape()
      } else if byte >= 0x80 {
        try sequence()
      } else if byte < 0x20 {
        throw unexpected(at == count ? "'\"'" : "an escape for a control character")
      }
    }
    at &+= 1
    append(.string, start: start, end: at, isPlain: isPlain)
  }

  /// How many of the next bytes stand for themselves.
  @inline(__always)
  private func plainRun() -> Int {
    var run = 0
    while true {
      let marks = word(at: at &+ run).escapableBytes
      if marks != 0 { return run &+ marks.trailingZeroBitCount / 8 }
      run &+= 8
    }
  }

  /// Section 7: a backslash and what may follow; a high surrogate needs its low one.
  private mutating func escape() throws(JSONError) {
    switch base[at &+ 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      at &+= 2
    case UInt8(ascii: "u"):
      let start = at
      at &+= 2
      let unit = try hexadecimal()
      guard unit & 0xf800 == 0xd800 else { return }
      guard unit < 0xdc00, base[at] == UInt8(ascii: "\\"), base[at &+ 1] == UInt8(ascii: "u")
      else { throw lone(start) }
      at &+= 2
      guard try hexadecimal() & 0xfc00 == 0xdc00 else { throw lone(start) }
    default:
      at &+= 1
      throw unexpected("one of \"\\/bfnrtu after the backslash")
    }
  }

  private func lone(_ offset: Int) -> JSONError {
    JSONError(offset: offset, expected: "a pair of surrogates", found: "a lone one")
  }

  private mutating func hexadecimal() throws(JSONError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = base[at].hexadecimalDigit else {
        throw unexpected("a hexadecimal digit")
      }
      unit = unit << 4 | UInt16(digit)
      at &+= 1
    }
    return unit
  }

  /// RFC 3629, section 4: no overlong form, no surrogate, nothing above U+10FFFF.
  private mutating func sequence() throws(JSONError) {
    let range: ClosedRange<UInt8>
    let length: Int
    switch base[at] {
    case 0xc2...0xdf: (range, length) = (0x80...0xbf, 2)
    case 0xe0: (range, length) = (0xa0...0xbf, 3)
    case 0xed: (range, length) = (0x80...0x9f, 3)
    case 0xe1...0xef: (range, length) = (0x80...0xbf, 3)
    case 0xf0: (range, length) = (0x90...0xbf, 4)
    case 0xf1...0xf3: (range, length) = (0x80...0xbf, 4)
    case 0xf4: (range, length) = (0x80...0x8f, 4)
    default: throw unexpected("UTF-8")
    }
    at &+= 1
    guard range.contains(base[at]) else { throw unexpected("UTF-8") }
    at &+= 1
    for _ in 2..<length {
      guard base[at] & 0xc0 == 0x80 else { throw unexpected("UTF-8") }
      at &+= 1
    }
  }
}

extension UInt8 {
  /// The value of an ASCII digit of either case.
  @inline(__always)
  var hexadecimalDigit: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self &- UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self &- UInt8(ascii: "a") &+ 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self &- UInt8(ascii: "A") &+ 10
    default: nil
    }
  }
}
