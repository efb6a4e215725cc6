internal import OffstageJSON

/// A BCP 47 language tag: `en`, `ko-KR`, `zh-Hant-TW`.
///
/// The spelling is canonical: `KO-kore-kr` becomes `ko-Kore-KR`.
/// ```swift
/// let supported: [LanguageTag] = ["en", "ko"]
/// LanguageTag("ko-Kore-KR")?.bestMatch(among: supported)  // ko
/// LanguageTag("fr")?.bestMatch(among: supported)  // nil
/// ```
public struct LanguageTag: Hashable, Sendable, CustomStringConvertible {
  /// The language, such as `ko`, in lowercase.
  public let language: String
  /// The region, such as `KR` or `419`; nil if the tag does not name it.
  public let region: String?
  /// The whole tag.
  public let description: String

  /// Parses a tag.
  /// - Returns: nil if the text does not consist of subtags, the first of them a language (RFC 5646,
  ///   section 2.1). What they say is not checked.
  public init?(_ text: String) {
    var subtags = text.lowercased().split(separator: "-", omittingEmptySubsequences: false)
    guard let first = subtags.first, let last = subtags.last, first.utf8.allSatisfy(\.isLetter),
      subtags.allSatisfy({ subtag in
        1...8 ~= subtag.utf8.count && subtag.utf8.allSatisfy { $0.isLetter || $0.isDigit }
      }), first.utf8.count > 1 || ["i", "x"].contains(first),
      last.utf8.count > 1 || subtags.dropLast().contains("x")
    else { return nil }
    var region: String?
    // A singleton, such as `u` or `x`, begins something else.
    for index in subtags.indices.prefix(while: { subtags[$0].utf8.count > 1 }).dropFirst() {
      let subtag = subtags[index]
      let isText = subtag.utf8.allSatisfy(\.isLetter)
      if subtag.utf8.count == 4, isText {
        subtags[index] = subtag.prefix(1).uppercased() + subtag.dropFirst()
      } else if subtag.utf8.count == (isText ? 2 : 3), region == nil {
        subtags[index] = subtag.uppercased()[...]
        region = String(subtags[index])
      }
    }
    (language, self.region) = (String(first), region)
    description = subtags.joined(separator: "-")
  }

  /// Returns the most specific tag in `supported` that is equal to this one or to a prefix of it;
  /// nil if there is none (RFC 4647, section 3.4). `ko-Kore-KR` finds `ko-Kore`, or else `ko`.
  public func bestMatch(among supported: [LanguageTag]) -> LanguageTag? {
    var subtags = description.split(separator: "-")
    while !subtags.isEmpty {
      let range = subtags.joined(separator: "-")
      if let match = supported.first(where: { $0.description == range }) { return match }
      subtags.removeLast()
      // A singleton only introduces the subtags after it.
      if subtags.last?.utf8.count == 1 { subtags.removeLast() }
    }
    return nil
  }
}

extension LanguageTag: ExpressibleByStringLiteral {
  /// Creates a tag from a literal. The program stops if it is not well-formed.
  public init(stringLiteral text: String) {
    guard let tag = LanguageTag(text) else { fatalError("\"\(text)\" is not a BCP 47 tag") }
    self = tag
  }
}

extension LanguageTag: Codable {
  /// Reads a tag as its text.
  /// - Throws: `DecodingError` if the text is not well-formed.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let tag = LanguageTag(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "BCP 47 language tag")
    }
    self = tag
  }

  /// Writes the text of the tag.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
