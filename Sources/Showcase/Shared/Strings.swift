extension String {
  /// True if the string is empty or white space only.
  var isBlank: Bool { unicodeScalars.allSatisfy(\.properties.isWhitespace) }

  /// Splits the text around another one that it contains, in upper or lower case: before, in, and after
  /// it. Returns the whole text if it does not.
  func parts(around other: String) -> [String] {
    func folded(_ text: String) -> [String] { text.map { $0.lowercased() } }
    let (all, found) = (folded(self), folded(other.filter { !$0.isNewline }))
    guard !other.isBlank, all.count >= found.count,
      let start = (0...all.count - found.count).first(where: {
        all[$0..<$0 + found.count].elementsEqual(found)
      })
    else { return [self] }
    return [
      String(prefix(start)), String(dropFirst(start).prefix(found.count)),
      String(dropFirst(start + found.count)),
    ]
  }
}

extension Sequence<UInt8> {
  /// The FNV-1a hash of the bytes. Unlike a `Hasher`'s, it is the same in every run.
  @inlinable package var fnv1a: UInt64 {
    reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
