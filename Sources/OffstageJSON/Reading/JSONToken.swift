/// One value, or one member's key, of a text: where it stands and where the next one is.
///
/// A container is followed by its content (a member is two tokens, key and value), so that a value
/// and all in it are a run of the tape and skipping it is one step.
struct JSONToken {
  enum Kind: UInt32 {
    case null, `false`, `true`, number, string, array, object
  }

  /// The first byte and the one after the last; strings include their quotes.
  var start: UInt32
  var end: UInt32
  /// The token after this value. While a container is still open: the one that it stands in.
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
  @inline(__always) var isString: Bool { info & 7 == Kind.string.rawValue }
  @inline(__always) var isNull: Bool { info & 7 == Kind.null.rawValue }
  /// A string without escapes, or a number of digits only (and perhaps a minus sign).
  @inline(__always) var isPlain: Bool { info & 8 != 0 }
  @inline(__always) var count: Int { Int(info >> 4) }
  @inline(__always) mutating func countOne() { info &+= 16 }
}
