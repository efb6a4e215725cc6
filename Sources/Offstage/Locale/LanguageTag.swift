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
  /// The script, such as `Kore`; nil if the tag does not name it.
  package let script: String?
  /// The region, such as `KR` or `419`; nil if the tag does not name it.
  public let region: String?
  /// The whole tag.
  public let description: String

  /// Parses a tag.
  /// - Returns: nil if the text is not well-formed (RFC 5646, section 2.2.9).
  public init?(_ text: String) {
    guard let parser = TagParser(text) else { return nil }
    language = parser.language
    script = parser.script
    region = parser.region
    description = parser.subtags.joined(separator: "-")
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

private struct TagParser {
  private(set) var language = ""
  private(set) var script: String?
  private(set) var region: String?
  /// In canonical case.
  private(set) var subtags: [String] = []
  private var rest: ArraySlice<String>

  init?(_ text: String) {
    guard text.utf8.allSatisfy({ $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "-") }) else {
      return nil
    }
    let lowercase = text.lowercased()
    rest = lowercase.split(separator: "-", omittingEmptySubsequences: false).map(String.init)[...]
    if Self.irregular.contains(lowercase) {
      language = lowercase
      subtags = [lowercase]
      return
    }
    guard parsePrivateUse() || parseLanguage() && parseVariants() && parseExtensions(),
      rest.isEmpty
    else { return nil }
  }

  private mutating func take(_ count: ClosedRange<Int>, where isAllowed: (UInt8) -> Bool) -> String?
  {
    guard let next = rest.first, count.contains(next.utf8.count), next.utf8.allSatisfy(isAllowed)
    else { return nil }
    rest.removeFirst()
    subtags.append(next)
    return next
  }

  private mutating func parseLanguage() -> Bool {
    guard let language = take(2...8, where: \.isASCIILetter) else { return false }
    self.language = language
    if language.utf8.count <= 3 {
      for _ in 1...3 where take(3...3, where: \.isASCIILetter) == nil { break }
    }
    if let script = take(4...4, where: \.isASCIILetter) {
      self.script = recase(script.prefix(1).uppercased() + script.dropFirst())
    }
    if let region = take(2...2, where: \.isASCIILetter) ?? take(3...3, where: \.isASCIIDigit) {
      self.region = recase(region.uppercased())
    }
    return true
  }

  private mutating func recase(_ subtag: String) -> String {
    subtags[subtags.count - 1] = subtag
    return subtag
  }

  private mutating func parseVariants() -> Bool {
    var seen: Set<String> = []
    while let next = rest.first {
      let count = next.utf8.count
      guard (5...8).contains(count) || count == 4 && next.utf8.first!.isASCIIDigit else { break }
      guard let variant = take(4...8, where: \.isASCIIAlphanumeric), seen.insert(variant).inserted
      else { return false }
    }
    return true
  }

  private mutating func parseExtensions() -> Bool {
    var seen: Set<String> = []
    while let next = rest.first, next != "x" {
      guard let singleton = take(1...1, where: \.isASCIIAlphanumeric),
        seen.insert(singleton).inserted, take(2...8, where: \.isASCIIAlphanumeric) != nil
      else { return false }
      while take(2...8, where: \.isASCIIAlphanumeric) != nil {}
    }
    return rest.isEmpty || parsePrivateUse()
  }

  private mutating func parsePrivateUse() -> Bool {
    guard rest.first == "x", rest.count > 1 else { return false }
    if subtags.isEmpty { language = "x" }
    _ = take(1...1, where: \.isASCIILetter)
    while take(1...8, where: \.isASCIIAlphanumeric) != nil {}
    return true
  }

  /// The registered tags that do not follow the grammar (RFC 5646, section 2.1).
  private static let irregular: Set = [
    "en-gb-oed", "i-ami", "i-bnn", "i-default", "i-enochian", "i-hak", "i-klingon", "i-lux",
    "i-mingo", "i-navajo", "i-pwn", "i-tao", "i-tay", "i-tsu", "sgn-be-fr", "sgn-be-nl",
    "sgn-ch-de",
  ]
}

extension UInt8 {
  fileprivate var isASCIILetter: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }
  fileprivate var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  fileprivate var isASCIIAlphanumeric: Bool { isASCIILetter || isASCIIDigit }
}
