/// The tokens of a text in document order. The memory is reused from text to text.
typealias JSONTape = GrowingBuffer<JSONToken>

extension JSONTape {
  /// Leaves a single null, so that an empty text has a root, and keeps at most `bytes` of memory.
  mutating func reset(keeping bytes: Int) {
    removeAll(keeping: bytes / MemoryLayout<JSONToken>.stride)
    append(JSONToken(.null, start: 0, end: 0, next: 1))
  }
}

/// One value, or one member's name: its range in the text and the index of the next token.
///
/// A container is followed by its content (a member is two tokens, name and value), so that a value
/// with everything in it is a run of the tape, and skipping it is one step.
struct JSONToken {
  enum Kind: UInt32 {
    case null, `false`, `true`, number, string, array, object
  }

  /// The first byte and the one after the last; strings include their quotes.
  var start: UInt32
  var end: UInt32
  /// The token after this value. While a container is still open: its parent's token.
  var next: UInt32
  /// The kind in three bits, `isPlain` in one, and above them the count of members or elements.
  private var info: UInt32

  static let outermost = UInt32.max

  @inline(__always)
  init(_ kind: Kind, start: Int, end: Int, next: UInt32, isPlain: Bool = true) {
    self.start = UInt32(truncatingIfNeeded: start)
    self.end = UInt32(truncatingIfNeeded: end)
    self.next = next
    info = kind.rawValue | (isPlain ? 8 : 0)
  }

  @inline(__always) var kind: Kind { Kind(rawValue: info & 7).unsafelyUnwrapped }
  @inline(__always) var isObject: Bool { info & 7 == Kind.object.rawValue }
  @inline(__always) var isArray: Bool { info & 7 == Kind.array.rawValue }
  @inline(__always) var isString: Bool { info & 7 == Kind.string.rawValue }
  @inline(__always) var isNull: Bool { info & 7 == Kind.null.rawValue }
  /// True for a string without escapes, and for a number of only digits and perhaps a minus sign;
  /// a parser notes them, to read them faster.
  @inline(__always) var isPlain: Bool { info & 8 != 0 }
  @inline(__always) var count: Int { Int(info >> 4) }
  @inline(__always) mutating func countOne() { info &+= 16 }
}
