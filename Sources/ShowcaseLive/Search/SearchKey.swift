import OffstageFoundation

/// Folds names so that search and sorting ignore accents, case, and width in every script.
///
/// `Zürich` and `ZÜRICH` fold to `zurich`, `São Paulo` to `sao paulo`, half-width `ﾄｳｷｮｳ` to
/// `トウキョウ`, and decomposed Hangul to syllables.
enum SearchKey {
  /// Folds names into one text to search with a `SearchPattern`, each after a line feed.
  static func key(_ names: [String?]) -> String {
    names.reduce(into: "") { key, name in
      if let name { key += "\n" + folded(name) }
    }
  }

  /// Folds one name or query and collapses its white space.
  static func folded(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    var isAfterSpace = true
    for scalar in text.decomposedByCompatibility.unicodeScalars {
      let properties = scalar.properties
      if properties.isWhitespace || scalar == "\0" {
        if !isAfterSpace { scalars.append(" ") }
        isAfterSpace = true
      } else if !isAccent(properties.canonicalCombiningClass.rawValue) {
        isAfterSpace = false
        if let letters = irregular[scalar] {
          scalars.append(contentsOf: letters.unicodeScalars)
        } else if scalar.isASCII {
          scalars.append(lowercasedASCII(scalar))
        } else if let letters = Hangul.letters(ofFinal: scalar),
          scalars.last.map(Hangul.isVowel) != true
        {
          // Some keyboards join consonants that do not follow a vowel.
          scalars.append(contentsOf: letters)
        } else {
          // Go through uppercase, which unifies what lowercase keeps apart: ß and ss, ς and σ.
          for upper in properties.uppercaseMapping.unicodeScalars {
            scalars.append(contentsOf: upper.properties.lowercaseMapping.unicodeScalars)
          }
        }
      }
    }
    if scalars.last == " " { scalars.removeLast() }
    // Recompose everything but accents: Hangul syllables, and kana with voicing marks.
    return String(scalars).composed
  }

  /// Returns true for overlays, Hebrew and Arabic points, and marks attached to, above, or below a
  /// letter, but not for the vowels, viramas, and tone marks of other scripts, which distinguish
  /// words.
  private static func isAccent(_ combiningClass: UInt8) -> Bool {
    switch combiningClass {
    case 1, 10...36, 200...240: true
    default: false
    }
  }

  private static func lowercasedASCII(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    ("A"..."Z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar
  }

  /// Letters and punctuation that Unicode does not decompose, as people type them.
  private static let irregular: [Unicode.Scalar: String] = [
    "ł": "l", "Ł": "l", "ø": "o", "Ø": "o", "đ": "d", "Đ": "d", "ð": "d", "Ð": "d", "ħ": "h",
    "Ħ": "h", "ı": "i", "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "þ": "th", "Þ": "th",
    "‘": "'", "’": "'", "ʻ": "'", "ʼ": "'", "“": "\"", "”": "\"", "‐": "-", "‑": "-", "–": "-",
    "—": "-",
  ]
}

/// The letters of Hangul syllables.
enum Hangul {
  /// The consonants that begin a syllable, in the order of Unicode.
  private static let initials: ClosedRange<UInt32> = 0x1100...0x1112
  private static let vowels: ClosedRange<UInt32> = 0x1161...0x1175
  private static let finals: ClosedRange<UInt32> = 0x11A8...0x11C2
  private static let syllables: ClosedRange<UInt32> = 0xAC00...0xD7A3

  /// The initial consonants that are typed for each final consonant, in the order of Unicode.
  private static let finalLetters = [
    "ᄀ", "ᄁ", "ᄀᄉ", "ᄂ", "ᄂᄌ", "ᄂᄒ", "ᄃ", "ᄅ", "ᄅᄀ", "ᄅᄆ", "ᄅᄇ", "ᄅᄉ", "ᄅᄐ", "ᄅᄑ", "ᄅᄒ",
    "ᄆ", "ᄇ", "ᄇᄉ", "ᄉ", "ᄊ", "ᄋ", "ᄌ", "ᄎ", "ᄏ", "ᄐ", "ᄑ", "ᄒ",
  ].map { Array($0.unicodeScalars) }

  /// Returns true for a syllable, and for a consonant that begins one.
  static func contains(_ scalar: Unicode.Scalar) -> Bool {
    syllables.contains(scalar.value) || initials.contains(scalar.value)
  }

  static func isVowel(_ scalar: Unicode.Scalar) -> Bool { vowels.contains(scalar.value) }

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

  /// A syllable that may not be completely typed yet.
  struct Unfinished {
    /// The syllables that it may become with a final consonant, or a second letter of its vowel or
    /// final consonant.
    let completions: ClosedRange<UInt32>
    /// The syllable with its last consonant moved to the next one: `각` may become `가구`.
    let split: (syllable: Unicode.Scalar, next: Unicode.Scalar)?
  }

  /// Returns the ways to complete a syllable; nil for any other scalar.
  static func unfinished(_ scalar: Unicode.Scalar) -> Unfinished? {
    let value = scalar.value
    guard syllables.contains(value) else { return nil }
    let final = (value - syllables.lowerBound) % 28
    guard final > 0 else {
      let vowel = (value - syllables.lowerBound) / 28 % 21
      // In Unicode, the vowels that begin with ㅗ, ㅜ, or ㅡ follow it.
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
