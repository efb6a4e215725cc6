/// A URL that the app opens: a pattern, and the screens that it leads to.
/// ```swift
/// Link("showcase://pokedex/:id", tab: "pokedex") { match in
///   guard let id = Int(match["id"]) else { return nil }
///   return [Route(PokemonDetail.self, .init(id: id))]
/// }
/// ```
public struct Link: Sendable {
  /// What a pattern's `:names` stood for in a URL.
  public struct Match: Sendable {
    let values: [String: String]

    /// The percent-decoded text at `:name`; empty for a name that the pattern does not have.
    public subscript(name: String) -> String { values[name] ?? "" }
  }

  package let tab: String?
  package let routes: @CoreActor @Sendable (Match) -> [Route]?
  private let pattern: [Substring]

  /// - Parameters:
  ///   - pattern: a URL whose path components may be `:name`.
  ///   - tab: the tab to select first.
  ///   - routes: the screens to put on that tab's root, lowest first; nil where the URL, on a
  ///     closer look, leads nowhere.
  public init(
    _ pattern: String, tab: String? = nil,
    routes: @escaping @CoreActor @Sendable (Match) -> [Route]?
  ) {
    self.pattern = Self.components(of: pattern)
    self.tab = tab
    self.routes = routes
  }

  package func match(_ url: String) -> Match? {
    let components = Self.components(of: url)
    guard components.count == pattern.count else { return nil }
    var values: [String: String] = [:]
    for (expected, found) in zip(pattern, components) {
      if expected.first == ":" {
        guard let text = Self.percentDecoded(found), !text.isEmpty else { return nil }
        values[String(expected.dropFirst())] = text
      } else if expected != found {
        return nil
      }
    }
    return Match(values: values)
  }

  /// The scheme, the host and the path of a URL; a query or fragment is left aside.
  private static func components(of url: String) -> [Substring] {
    let path = url.prefix { $0 != "?" && $0 != "#" }
    return path.split(separator: "/", omittingEmptySubsequences: true)
  }

  private static func percentDecoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      // Digits alone: a number may also be read with a sign, an escape may not.
      let digits = Substring(rest.prefix(2))
      guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit),
        let value = UInt8(digits, radix: 16)
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
