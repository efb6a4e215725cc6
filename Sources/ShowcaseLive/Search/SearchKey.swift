import Foundation

/// Folds names so that search and sorting ignore accents, case, and width in every script.
///
/// `Zürich` and `ZÜRICH` fold to `zurich`, `São Paulo` to `sao paulo`, half-width `ﾄｳｷｮｳ` to `トウキョウ`,
/// and decomposed Hangul to syllables, in letters of any width: `ㅅㅓㅇㅜㄹ` to `서울`.
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
    let decomposed = Array(text.decomposedStringWithCompatibilityMapping.unicodeScalars)
    for (position, scalar) in decomposed.enumerated() {
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
        } else if let final = Hangul.final(for: scalar), scalars.last.map(Hangul.isVowel) == true,
          decomposed.dropFirst(position + 1).first.map(Hangul.isVowel) != true
        {
          // Letters of a keyboard do not say which consonant ends a syllable.
          scalars.append(final)
        } else if let letters = Hangul.letters(ofFinal: scalar),
          scalars.last.map(Hangul.isVowel) != true
        {
          // Some keyboards join consonants that no vowel precedes.
          scalars.append(contentsOf: letters)
        } else {
          // Through upper case, which unifies what lower case keeps apart: ß and ss, ς and σ.
          for upper in properties.uppercaseMapping.unicodeScalars {
            scalars.append(contentsOf: upper.properties.lowercaseMapping.unicodeScalars)
          }
        }
      }
    }
    if scalars.last == " " { scalars.removeLast() }
    // Recomposes what is not an accent: Hangul syllables, and kana with voicing marks.
    return String(scalars).precomposedStringWithCanonicalMapping
  }

  /// Overlays, Hebrew and Arabic points, and marks attached to, above, or below a letter. Not the
  /// vowels, viramas, and tone marks of other scripts, which distinguish words.
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
