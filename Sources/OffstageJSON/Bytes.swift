import OffstageSystem

extension UnsafeRawBufferPointer {
  /// The characters of a literal, without a string being made.
  @inline(__always)
  init(_ literal: StaticString) {
    precondition(literal.hasPointerRepresentation, "A single scalar is no name.")
    self.init(start: literal.utf8Start, count: literal.utf8CodeUnitCount)
  }

  /// Whether both hold the same bytes.
  @inline(__always)
  func isEqual(to other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard let mine = baseAddress, let theirs = other.baseAddress else { return true }
    return memcmp(mine, theirs, count) == 0
  }
}

extension String {
  /// Lends the string's UTF-8, which only a string bridged from elsewhere has to copy first.
  @inline(__always)
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let result = utf8.withContiguousStorageIfAvailable { body(UnsafeRawBufferPointer($0)) }
    if let result { return result }
    var native = self
    return native.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }

  /// Equality of scalars, where `==` would take "é" and "e" with an accent for the same.
  func isIdentical(to other: String) -> Bool {
    withBytes { mine in other.withBytes { mine.isEqual(to: $0) } }
  }
}
