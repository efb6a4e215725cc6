/// The composition of Hangul syllables from the letters of a keyboard.
enum Hangul {
  /// The consonants that begin a syllable, in the order of Unicode.
  private static let initials: ClosedRange<UInt32> = 0x1100...0x1112
  private static let vowels: ClosedRange<UInt32> = 0x1161...0x1175
  private static let finals: ClosedRange<UInt32> = 0x11A8...0x11C2
  private static let syllables: ClosedRange<UInt32> = 0xAC00...0xD7A3

  /// The initial consonants that are typed for each final one, in the order of Unicode.
  private static let finalLetters = [
    "ᄀ", "ᄁ", "ᄀᄉ", "ᄂ", "ᄂᄌ", "ᄂᄒ", "ᄃ", "ᄅ", "ᄅᄀ", "ᄅᄆ", "ᄅᄇ", "ᄅᄉ", "ᄅᄐ", "ᄅᄑ", "ᄅᄒ",
    "ᄆ", "ᄇ", "ᄇᄉ", "ᄉ", "ᄊ", "ᄋ", "ᄌ", "ᄎ", "ᄏ", "ᄐ", "ᄑ", "ᄒ",
  ].map { Array($0.unicodeScalars) }

  private static let finalOfLetter = Dictionary(
    uniqueKeysWithValues: zip(finals, finalLetters).compactMap { value, letters in
      letters.count == 1 ? (letters[0], Unicode.Scalar(value)!) : nil
    })

  /// True for a syllable, and for a consonant that begins one.
  static func contains(_ scalar: Unicode.Scalar) -> Bool {
    syllables.contains(scalar.value) || initials.contains(scalar.value)
  }

  static func isVowel(_ scalar: Unicode.Scalar) -> Bool { vowels.contains(scalar.value) }

  /// Returns the final consonant for an initial one; nil if no syllable ends with it.
  static func final(for initial: Unicode.Scalar) -> Unicode.Scalar? { finalOfLetter[initial] }

  /// Returns the letters of a final consonant or cluster; nil for any other scalar.
  static func letters(ofFinal scalar: Unicode.Scalar) -> [Unicode.Scalar]? {
    // Unicode decomposes the keyboard's ㅀ and ㅄ to initial clusters of old Hangul.
    let final = [0x111A: 0x11B6, 0x1121: 0x11B9][scalar.value] ?? scalar.value
    return finals.contains(final) ? finalLetters[Int(final - finals.lowerBound)] : nil
  }

  /// Returns the syllables that begin with a consonant; nil for any other scalar.
  static func syllables(with initial: Unicode.Scalar) -> ClosedRange<UInt32>? {
    guard initials.contains(initial.value) else { return nil }
    let first = syllables.lowerBound + (initial.value - initials.lowerBound) * 21 * 28
    return first...first + 21 * 28 - 1
  }

  /// A syllable of which more may be typed.
  struct Unfinished {
    /// What it may become: by a final consonant, or by a second letter of its vowel or final consonant.
    let completions: ClosedRange<UInt32>
    /// The same with its last consonant in the next syllable: `각` is on the way to `가구`.
    let split: (syllable: Unicode.Scalar, next: Unicode.Scalar)?
  }

  /// Returns what a syllable may become; nil for any other scalar.
  static func unfinished(_ scalar: Unicode.Scalar) -> Unfinished? {
    let value = scalar.value
    guard syllables.contains(value) else { return nil }
    let final = (value - syllables.lowerBound) % 28
    guard final > 0 else {
      let vowel = (value - syllables.lowerBound) / 28 % 21
      // ㅗ, ㅜ, and ㅡ are followed by the vowels that begin with them.
      let more: UInt32 = [8: 3, 13: 3, 18: 1][vowel] ?? 0
      return Unfinished(completions: value...value + more * 28 + 27, split: nil)
    }
    let letters = finalLetters[Int(final) - 1]
    let last = finalLetters.lastIndex { $0.starts(with: letters) }!
    let rest = letters.count == 1 ? 0 : UInt32(finalLetters.firstIndex(of: [letters[0]])!) + 1
    return Unfinished(
      completions: value...value + UInt32(last) + 1 - final,
      split: (Unicode.Scalar(value - final + rest)!, letters.last!))
  }
}
