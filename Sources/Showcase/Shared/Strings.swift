extension String {
  /// True if the string is empty or white space only.
  var isBlank: Bool { unicodeScalars.allSatisfy(\.properties.isWhitespace) }
}

extension Sequence<UInt8> {
  /// The FNV-1a hash of the bytes. Unlike a `Hasher`'s, it is the same in every run.
  @inlinable package var fnv1a: UInt64 {
    reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
