extension JSONParser {
  /// Parses a string (section 7), and checks every escape and every UTF-8 sequence.
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

  @inline(__always)
  private func plainRun() -> Int {
    var run = 0
    while true {
      let marks = word(at: at &+ run).specialBytes
      if marks != 0 { return run &+ marks.trailingZeroBitCount / 8 }
      run &+= 8
    }
  }

  /// Parses an escape (section 7). A high surrogate must be followed by a low one.
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
    JSONError(offset: offset, expected: "a surrogate pair", found: "a lone surrogate")
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

  /// Parses a UTF-8 sequence (RFC 3629, section 4): no overlong form, no surrogate, nothing above
  /// U+10FFFF.
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

/// Removes the escapes of strings (RFC 8259, section 7).
enum JSONEscapes {
  /// Writes the unescaped content of a validated string, which is never longer than `content`.
  static func unescape(
    _ content: UnsafeRawBufferPointer, into output: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    var read = 0
    var written = 0
    while read < content.count {
      let byte = content[read]
      guard byte == UInt8(ascii: "\\") else {
        output[written] = byte
        read += 1
        written += 1
        continue
      }
      let letter = content[read + 1]
      read += 2
      if letter == UInt8(ascii: "u") {
        let scalar = scalar(content, at: &read)
        for unit in UTF8.encode(scalar)! {
          output[written] = unit
          written += 1
        }
      } else {
        output[written] = character(letter)
        written += 1
      }
    }
    return written
  }

  private static func character(_ letter: UInt8) -> UInt8 {
    switch letter {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "t"): 0x09
    case UInt8(ascii: "n"): 0x0a
    case UInt8(ascii: "f"): 0x0c
    case UInt8(ascii: "r"): 0x0d
    default: letter
    }
  }

  /// Returns the scalar of four hexadecimal digits or a surrogate pair, which the parser has
  /// checked.
  private static func scalar(
    _ content: UnsafeRawBufferPointer, at index: inout Int
  ) -> Unicode.Scalar {
    let unit = unit(content, at: index)
    index += 4
    if let scalar = Unicode.Scalar(unit) { return scalar }
    let low = self.unit(content, at: index + 2)
    index += 6
    return Unicode.Scalar(0x10000 + (unit & 0x3ff) << 10 + low & 0x3ff)!
  }

  private static func unit(_ content: UnsafeRawBufferPointer, at index: Int) -> UInt32 {
    content[index..<index + 4].reduce(0) { $0 << 4 | UInt32($1.hexadecimalDigit!) }
  }
}
