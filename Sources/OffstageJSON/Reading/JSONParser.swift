/// Checks a text against the grammar of RFC 8259 and writes its tokens onto a tape.
///
/// The parser never recurses: an open container remembers in its own token which one it stands in,
/// so that the nesting costs no stack, whatever the text. The zeros after the text stop every scan,
/// since NUL is allowed nowhere; only an error has to ask whether it is at the end.
struct JSONParser {
  let base: UnsafeMutablePointer<UInt8>
  let count: Int
  /// How many more containers may be opened.
  var depth: Int
  var tape: JSONTape
  var at = 0

  /// The zeros that have to follow the text, for words to be read whole.
  static let padding = 8

  init(base: UnsafeMutablePointer<UInt8>, count: Int, depth: Int, tape: JSONTape) {
    self.base = base
    self.count = count
    self.depth = depth
    self.tape = tape
    self.tape.clear()
  }

  /// Reads one value and the white space around it, which has to be the whole text.
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
        let container = tape.tokens + Int(parent)
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

  /// Section 2: the four characters of white space, and no others.
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
    guard depth >= 0 else {
      throw JSONError(offset: at, expected: "less nesting", found: "one level too many")
    }
    let index = UInt32(truncatingIfNeeded: tape.count)
    tape.append(JSONToken(kind, start: at, end: at, next: parent))
    parent = index
    at &+= 1
  }

  @inline(__always)
  private mutating func close(_ parent: inout UInt32) {
    depth += 1
    at &+= 1
    let container = tape.tokens + Int(parent)
    parent = container.pointee.next
    container.pointee.end = UInt32(truncatingIfNeeded: at)
    container.pointee.next = UInt32(truncatingIfNeeded: tape.count)
  }

  /// Section 4: a member's name and the colon.
  @inline(__always)
  private mutating func key(_ expected: StaticString) throws(JSONError) {
    guard base[at] == UInt8(ascii: "\"") else { throw unexpected("\(expected)") }
    try string()
    skipSpace()
    guard base[at] == UInt8(ascii: ":") else { throw unexpected("':'") }
    at &+= 1
  }

  /// Section 3: the three names. `word` is the name as a little-endian number.
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
  /// Eight bytes, the first one lowest.
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
