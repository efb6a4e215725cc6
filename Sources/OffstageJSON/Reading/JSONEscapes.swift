/// The escapes of strings (RFC 8259, section 7), taken out again.
enum JSONEscapes {
  /// Writes what a checked string's content stands for, which is never longer than the content.
  /// - Returns: the number of bytes written.
  static func undo(
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

  /// The scalar of four hexadecimal digits, or of a pair of surrogates, which the parser has paired.
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
