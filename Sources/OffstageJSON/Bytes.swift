internal import OffstageSystem

// Strings are compared and searched as UTF-8, never as characters: `==` treats "é" and "e" with a
// combining accent as equal.

extension UnsafeRawBufferPointer {
  /// Creates a view of a literal's bytes without making a string.
  @inline(__always)
  init(_ literal: StaticString) {
    precondition(literal.hasPointerRepresentation, "a single scalar has no pointer")
    self.init(start: literal.utf8Start, count: literal.utf8CodeUnitCount)
  }

  @inline(__always)
  func isEqual(to other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard let mine = baseAddress, let theirs = other.baseAddress else { return true }
    return memcmp(mine, theirs, count) == 0
  }
}

extension String {
  /// Calls `body` with the string's UTF-8. Only a string bridged from elsewhere is copied.
  @inline(__always)
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let result = utf8.withContiguousStorageIfAvailable { body(UnsafeRawBufferPointer($0)) }
    if let result { return result }
    var native = self
    return native.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }

  func isIdentical(to other: String) -> Bool {
    withBytes { mine in other.withBytes { mine.isEqual(to: $0) } }
  }
}

/// A string that is compared byte for byte, for dictionary keys.
package struct ByteString: Hashable, Sendable {
  package let string: String

  package init(_ string: String) { self.string = string }

  package static func == (left: ByteString, right: ByteString) -> Bool {
    left.string.isIdentical(to: right.string)
  }

  package func hash(into hasher: inout Hasher) {
    string.withBytes { hasher.combine(bytes: $0) }
  }
}

// A plain byte needs no escape in a JSON string, read or written: 0x20 to 0x7F except quotes and
// backslashes. No byte of a non-ASCII character is plain.

extension UInt8 {
  @inline(__always)
  var isPlain: Bool { self >= 0x20 && self < 0x80 && self != 0x22 && self != 0x5c }

  @inline(__always)
  package var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

  /// True for an ASCII letter.
  package var isLetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }

  /// The value of a hexadecimal digit in either case.
  @inline(__always)
  package var hexadecimalDigit: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self &- UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self &- UInt8(ascii: "a") &+ 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self &- UInt8(ascii: "A") &+ 10
    default: nil
    }
  }
}

extension FixedWidthInteger where Self: UnsignedInteger {
  /// Returns all hexadecimal digits, including leading zeros: two for a byte.
  package func hexadecimal(uppercase: Bool = false) -> String {
    let digits = String(self, radix: 16, uppercase: uppercase)
    return String(repeating: "0", count: Self.bitWidth / 4 - digits.count) + digits
  }
}

extension UInt64 {
  /// The bytes that are not plain, marked in the highest bit of each.
  ///
  /// A borrow can mark one byte too many, but only after a byte that is marked correctly, and
  /// callers use only the lowest mark.
  @inline(__always)
  var specialBytes: UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quote = (self ^ ones &* 0x22) &- ones
    let backslash = (self ^ ones &* 0x5c) &- ones
    let control = self &- ones &* 0x20
    return (quote | backslash | control | self) & (ones &* 0x80)
  }
}

extension UnsafeRawBufferPointer {
  /// Returns the index of the first byte from `start` on that is not plain, or `count`.
  @inline(__always)
  func endOfPlainRun(from start: Int) -> Int {
    var index = start
    while index &+ 8 <= count {
      let word = UInt64(littleEndian: loadUnaligned(fromByteOffset: index, as: UInt64.self))
      let marks = word.specialBytes
      if marks != 0 { return index &+ marks.trailingZeroBitCount / 8 }
      index &+= 8
    }
    while index < count, self[index].isPlain { index &+= 1 }
    return index
  }
}
