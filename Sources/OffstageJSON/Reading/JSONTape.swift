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

/// The tokens of a text in document order, in memory that is kept from text to text.
///
/// A plain pointer and not an array, because the parser writes to it once per token.
struct JSONTape {
  private(set) var tokens: UnsafeMutablePointer<JSONToken>
  private(set) var count = 0
  private var capacity = 64

  init() {
    tokens = .allocate(capacity: capacity)
    empty(keeping: .max)
  }

  func deallocate() { tokens.deallocate() }

  /// Makes room for the tokens of another text.
  mutating func clear() { count = 0 }

  /// Leaves one null, so that an empty text has a root too, and of the memory at most some bytes.
  mutating func empty(keeping bytes: Int) {
    if capacity > bytes / MemoryLayout<JSONToken>.stride {
      tokens.deallocate()
      capacity = 64
      tokens = .allocate(capacity: capacity)
    }
    count = 1
    tokens[0] = JSONToken(.null, start: 0, end: 0, next: 1)
  }

  @inline(__always)
  mutating func append(_ token: JSONToken) {
    if count == capacity { grow() }
    tokens[count] = token
    count &+= 1
  }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<JSONToken>.allocate(capacity: capacity * 2)
    larger.update(from: tokens, count: count)
    tokens.deallocate()
    tokens = larger
    capacity *= 2
  }
}
