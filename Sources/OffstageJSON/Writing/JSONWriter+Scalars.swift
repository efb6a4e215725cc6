extension JSONWriter {
  /// Writes a string, after a comma if one is due. Escapes what RFC 8259, section 7, requires, and
  /// the separators that some readers treat as the end of a line.
  @inline(__always)
  mutating func appendString(_ source: UnsafeRawBufferPointer, isKey: Bool) {
    let comma = needsComma
    if appendShort(source, comma: comma, isKey: isKey) { return }
    if comma { bytes.append(UInt8(ascii: ",")) }
    appendAny(source)
    if isKey { bytes.append(UInt8(ascii: ":")) }
  }

  /// Writes a short string without escapes, as names and most values are, in one piece.
  /// - Returns: False, having written nothing, for any other string.
  @inline(__always)
  private mutating func appendShort(
    _ source: UnsafeRawBufferPointer, comma: Bool, isKey: Bool
  ) -> Bool {
    let count = source.count
    guard count <= 56 else { return false }
    let before = bytes.count
    bytes.append(upTo: 64) { piece in
      piece[0] = UInt8(ascii: ",")
      let start = piece + (comma ? 1 : 0)
      start[0] = UInt8(ascii: "\"")
      let content = UnsafeMutableRawPointer(start + 1)
      var index = 0
      while index &+ 8 <= count {
        let word = source.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        if UInt64(littleEndian: word).specialBytes != 0 { return 0 }
        content.storeBytes(of: word, toByteOffset: index, as: UInt64.self)
        index &+= 8
      }
      while index < count {
        let byte = source[index]
        if !byte.isPlain { return 0 }
        content.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
        index &+= 1
      }
      start[count &+ 1] = UInt8(ascii: "\"")
      start[count &+ 2] = UInt8(ascii: ":")
      return count &+ (comma ? 1 : 0) &+ (isKey ? 3 : 2)
    }
    return bytes.count > before
  }

  /// Writes any string: plain runs, with escapes between them.
  private mutating func appendAny(_ source: UnsafeRawBufferPointer) {
    bytes.append(UInt8(ascii: "\""))
    var run = 0
    var index = 0
    while true {
      index = source.endOfPlainRun(from: index)
      guard index < source.count else { break }
      let byte = source[index]
      let separator = lineSeparator(source, at: index)
      if byte >= 0x80, separator == nil {
        // Only 0xC2 and 0xE2 begin a separator, so skip all other non-ASCII bytes.
        index &+= 1
        while index < source.count, case let next = source[index],
          next >= 0x80, next != 0xC2, next != 0xE2
        {
          index &+= 1
        }
        continue
      }
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: source[run..<index]))
      if let separator {
        append(separator.escape)
      } else {
        appendEscape(of: byte)
      }
      index &+= separator?.length ?? 1
      run = index
    }
    bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: source[run...]))
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func appendEscape(of byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): append("\\\"")
    case UInt8(ascii: "\\"): append("\\\\")
    case 0x08: append("\\b")
    case 0x09: append("\\t")
    case 0x0a: append("\\n")
    case 0x0c: append("\\f")
    case 0x0d: append("\\r")
    default:
      append(byte < 0x10 ? "\\u000" : "\\u001")
      let digit = byte & 15
      bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }
}

extension JSONWriter {
  /// Writes any integer, including those beyond 2^53.
  package mutating func int(_ value: Int) {
    comma()
    appendInteger(value)
  }

  /// Writes the shortest number that reads as this double; an integer has no fraction.
  /// - Precondition: `value` is finite.
  package mutating func double(_ value: Double) {
    precondition(value.isFinite, "\(value) is not a JSON number")
    comma()
    if let integer = Int(exactly: value), integer.magnitude <= JSONNumber.largestInteger,
      integer != 0 || value.sign == .plus
    {
      appendInteger(integer)
    } else {
      appendDigits(of: value.description)
    }
  }

  mutating func integer(_ value: some FixedWidthInteger) {
    comma()
    if let small = Int(exactly: value) {
      appendInteger(small)
    } else {
      appendDigits(of: String(value))
    }
  }

  mutating func float(_ value: Float) {
    comma()
    appendDigits(of: value.description)
  }

  /// Writes Swift's digits, which are valid JSON, without the ".0" of integers.
  private mutating func appendDigits(of description: String) {
    description.withBytes { digits in
      let isInteger = digits.count > 2 && digits.suffix(2).elementsEqual([0x2e, 0x30])
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: digits.dropLast(isInteger ? 2 : 0)))
    }
  }

  mutating func appendInteger(_ value: Int) {
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

/// Returns the length in bytes and the escape of the character at an index of well-formed UTF-8 if
/// it ends a line for some readers, but not in JSON; nil for other characters.
@inline(__always)
func lineSeparator(
  _ source: UnsafeRawBufferPointer, at index: Int
) -> (length: Int, escape: StaticString)? {
  switch source[index] {
  case 0xc2: return source[index &+ 1] == 0x85 ? (2, "\\u0085") : nil
  case 0xe2:
    guard source[index &+ 1] == 0x80, source[index &+ 2] & 0xfe == 0xa8 else { return nil }
    return (3, source[index &+ 2] == 0xa8 ? "\\u2028" : "\\u2029")
  default: return nil
  }
}
