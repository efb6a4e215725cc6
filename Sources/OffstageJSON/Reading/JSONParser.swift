/// Checks a text against the grammar of RFC 8259 and writes its tokens onto a tape.
///
/// The parser never recurses: an open container's token holds the index of its parent, so nesting
/// uses no stack. The zeros after the text stop every scan, because NUL is never allowed; only an
/// error has to check for the end.
struct JSONParser: ~Copyable {
  let base: UnsafeMutablePointer<UInt8>
  let count: Int
  /// The number of containers that may still be opened.
  var depth: Int
  var tape = JSONTape()
  var at = 0

  /// The number of zeros that must follow the text, so that words can be read whole.
  static let padding = 8

  /// Reads one value and the white space around it, which must be the whole text.
  mutating func parse() throws(JSONError) {
    var parent = JSONToken.outermost
    value: while true {
      skipSpace()
      switch base[at] {
      case UInt8(ascii: "\""):
        try string()
      case UInt8(ascii: "{"):
        try open(.object, in: &parent)
        skipSpace()
        if base[at] != UInt8(ascii: "}") {
          try key("a key or '}'")
          continue value
        }
        close(&parent)
      case UInt8(ascii: "["):
        try open(.array, in: &parent)
        skipSpace()
        if base[at] != UInt8(ascii: "]") {
          if base[at] == 0 { throw unexpected("a value or ']'") }
          continue value
        }
        close(&parent)
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        try number()
      case UInt8(ascii: "t"):
        try literal(.true, 0x6575_7274, length: 4)
      case UInt8(ascii: "f"):
        try literal(.false, 0x65_736c_6166, length: 5)
      case UInt8(ascii: "n"):
        try literal(.null, 0x6c6c_756e, length: 4)
      default:
        throw unexpected("a value")
      }
      while true {
        skipSpace()
        if parent == JSONToken.outermost {
          if at == count { return }
          throw unexpected("the end of the text")
        }
        let container = tape.start + Int(parent)
        container.pointee.countOne()
        let isObject = container.pointee.isObject
        let byte = base[at]
        if byte == UInt8(ascii: ",") {
          at &+= 1
          if isObject {
            skipSpace()
            try key("a key")
          }
          continue value
        }
        guard byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
          throw unexpected(isObject ? "',' or '}'" : "',' or ']'")
        }
        close(&parent)
      }
    }
  }

  /// Skips white space (section 2).
  @inline(__always)
  private mutating func skipSpace() {
    var byte = base[at]
    guard byte <= 0x20 else { return }
    while byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 {
      at &+= 1
      byte = base[at]
    }
  }

  private mutating func open(_ kind: JSONToken.Kind, in parent: inout UInt32) throws(JSONError) {
    depth -= 1
    guard depth >= 0 else { throw tooDeep() }
    let index = UInt32(truncatingIfNeeded: tape.count)
    tape.append(JSONToken(kind, start: at, end: at, next: parent))
    parent = index
    at &+= 1
  }

  @inline(never)
  private func tooDeep() -> JSONError {
    JSONError(offset: at, expected: "less nesting", found: "one level too many")
  }

  @inline(__always)
  private mutating func close(_ parent: inout UInt32) {
    depth += 1
    at &+= 1
    let container = tape.start + Int(parent)
    parent = container.pointee.next
    container.pointee.end = UInt32(truncatingIfNeeded: at)
    container.pointee.next = UInt32(truncatingIfNeeded: tape.count)
  }

  /// Parses a member's name and the colon (section 4).
  @inline(__always)
  private mutating func key(_ expected: StaticString) throws(JSONError) {
    guard base[at] == UInt8(ascii: "\"") else { throw unexpected("\(expected)") }
    try string()
    skipSpace()
    guard base[at] == UInt8(ascii: ":") else { throw unexpected("':'") }
    at &+= 1
  }

  /// Parses a literal name (section 3). `word` is its text as a little-endian number.
  @inline(__always)
  private mutating func literal(
    _ kind: JSONToken.Kind, _ word: UInt64, length: Int
  ) throws(JSONError) {
    guard self.word(at: at) & (1 << UInt64(8 * length) - 1) == word else {
      throw unexpected("a value")
    }
    append(kind, start: at, end: at &+ length)
    at &+= length
  }
}

extension JSONParser {
  /// Returns eight bytes as a little-endian number.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    let word = UnsafeRawPointer(base).loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    return UInt64(littleEndian: word)
  }

  @inline(__always)
  mutating func append(_ kind: JSONToken.Kind, start: Int, end: Int, isPlain: Bool = true) {
    let next = UInt32(truncatingIfNeeded: tape.count &+ 1)
    tape.append(JSONToken(kind, start: start, end: end, next: next, isPlain: isPlain))
  }

  @inline(never)
  func unexpected(_ expected: String) -> JSONError {
    let found = at >= count ? "the end of the text" : JSONError.name(of: base[at])
    return JSONError(offset: min(at, count), expected: expected, found: found)
  }
}

extension JSONParser {
  /// Parses a number within the range of a double (section 6).
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
    // Below 1e308 no number is out of range, so the exact conversion is rarely needed.
    if magnitude > 308 { try checkRange(from: start) }
    append(.number, start: start, end: at, isPlain: isPlain)
  }

  @inline(never)
  private func checkRange(from start: Int) throws(JSONError) {
    let token = UnsafeRawBufferPointer(start: base + start, count: at - start)
    guard JSONNumber.double(token).isFinite else {
      throw JSONError(
        offset: start, expected: "a number within the range of a double", found: "a larger one")
    }
  }

  @inline(__always)
  private mutating func digits() throws(JSONError) {
    guard base[at].isDigit else { throw unexpected("a digit") }
    repeat { at &+= 1 } while base[at].isDigit
  }

  /// Parses the exponent after its `e`. Values past a million are equivalent and not computed.
  @inline(never)
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

/// A syntax error: the first byte that cannot be correct, and the expected text.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The offset in bytes from the start of the text.
  package let offset: Int
  /// The expected text, such as `a value` or `',' or '}'`.
  package let expected: String
  /// The text found, such as `']'`, `byte 0xff`, or `the end of the text`.
  package let found: String

  package var description: String { "expected \(expected) at byte \(offset), found \(found)" }
}

extension JSONError {
  static func name(of byte: UInt8) -> String {
    switch byte {
    case 0x21...0x7e: "'\(Character(Unicode.Scalar(byte)))'"
    case 0x20: "a space"
    default: "byte 0x\(byte.hexadecimal())"
    }
  }
}
