// Which bytes of a string are ASCII and stand for themselves, in JSON read and in JSON written. The
// others are quotes, backslashes, control characters, and the bytes of all that is not ASCII.

extension UInt8 {
  @inline(__always)
  var isEscapable: Bool { self < 0x20 || self >= 0x80 || self == 0x22 || self == 0x5c }
}

extension UInt64 {
  /// Marks, in the highest bit of each, those of eight bytes that may not stand for themselves.
  ///
  /// A borrow can mark a byte too many, but only behind one that is marked rightly, and nobody asks
  /// for more than the first, the lowest one.
  @inline(__always)
  var escapableBytes: UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quote = (self ^ ones &* 0x22) &- ones
    let backslash = (self ^ ones &* 0x5c) &- ones
    let control = self &- ones &* 0x20
    return (quote | backslash | control | self) & (ones &* 0x80)
  }
}

extension UnsafeRawBufferPointer {
  /// The index of the next byte that may not stand for itself.
  @inline(__always)
  func endOfPlainRun(from start: Int) -> Int {
    var index = start
    while index &+ 8 <= count {
      let word = UInt64(littleEndian: loadUnaligned(fromByteOffset: index, as: UInt64.self))
      let marks = word.escapableBytes
      if marks != 0 { return index &+ marks.trailingZeroBitCount / 8 }
      index &+= 8
    }
    while index < count, !self[index].isEscapable { index &+= 1 }
    return index
  }
}
