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
