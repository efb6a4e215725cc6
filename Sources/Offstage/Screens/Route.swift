package import OffstageJSON

/// The address of a screen, as data: its kind and its argument. A ``Router`` shows the screen.
///
/// Tabs, links, and the command line name screens by their routes, and every screen is created from
/// one.
public struct Route: Hashable, Sendable {
  package let kind: String
  package let argument: JSON
  /// The id of the argument, or else all of it.
  private let identity: JSON

  /// Creates the route of a screen with an argument. If the argument is `Identifiable`, its id tells
  /// whether a link leads to a screen that is already open.
  @CoreActor
  public init<S: Screen>(_ screen: S.Type, _ argument: S.Argument) {
    let id = (argument as? any Identifiable).flatMap { $0.id as? any Encodable }
    self.init(
      kind: S.kind, argument: JSON(encoding: argument), identity: id.map { JSON(encoding: $0) })
  }

  /// Creates the route of a screen without an argument.
  @CoreActor
  public init<S: Screen>(_ screen: S.Type) where S.Argument == Empty {
    self.init(kind: S.kind)
  }

  package init(kind: String, argument: JSON = [:], identity: JSON? = nil) {
    self.kind = kind
    self.argument = argument
    self.identity = identity ?? argument
  }

  /// nil for something else than a route.
  init?(state: JSON) {
    guard let kind = state["kind"]?.string, let argument = state["argument"] else { return nil }
    self.init(kind: kind, argument: argument, identity: state["identity"])
  }

  var state: JSONObject {
    var state: JSONObject = ["kind": .string(kind), "argument": argument]
    if identity != argument { state["identity"] = identity }
    return state
  }

  func leads(to other: Route) -> Bool { kind == other.kind && identity == other.identity }
}

/// A URL that the app opens: a pattern and the screens that it leads to.
/// ```swift
/// Link("showcase://pokedex/:id", tab: "pokedex", to: PokemonDetail.self) { match in
///   guard let id = Int(match["id"]) else { return nil }
///   return [Route(PokemonDetail.self, .init(id: id))]
/// }
/// ```
public struct Link: Sendable {
  /// The parts of a URL that matched the names in a pattern.
  public struct Match: Sendable {
    let pattern: String
    let values: [String: String]

    /// The percent-decoded text at `:name`.
    /// - Precondition: The pattern contains the name.
    public subscript(
      name: String, fileID: StaticString = #fileID, line: UInt = #line
    ) -> String {
      guard let value = values[name] else {
        let names = values.keys.sorted().map { ":\($0)" }.joined(separator: ", ")
        fatalError(
          "the link \(pattern) has no :\(name)\(names.isEmpty ? "" : "; it has \(names)")",
          file: fileID, line: line)
      }
      return value
    }
  }

  /// The pattern of the URLs.
  public let pattern: String
  /// The tab to select first; nil for the visible one.
  public let tab: String?
  /// True if only a signed-in user may open it; see ``Scope/mayOpen(_:)``.
  public let isPrivate: Bool
  private let type: (any (Screen & SendableMetatype).Type)?
  /// The call that created the link, for the error of a screen without a factory.
  let location: (fileID: StaticString, line: UInt)
  package let routes: @CoreActor @Sendable (Match, Dependencies) throws -> [Route]?
  private let components: [Substring]

  /// Creates a link that pushes the screens returned by `routes` on the root of the tab, the lowest
  /// first. `routes` returns nil if the URL leads nowhere after all.
  ///
  /// A path component `:name` of the pattern matches any text. Pass `screen`, for the description
  /// of the app, unless it depends on the URL. The program stops, with the caller's file and line,
  /// if the app has no factory for it.
  public init(
    _ pattern: String, tab: String? = nil, to screen: (any (Screen & SendableMetatype).Type)? = nil,
    isPrivate: Bool = false, fileID: StaticString = #fileID, line: UInt = #line,
    routes: @escaping @CoreActor @Sendable (Match) -> [Route]?
  ) {
    self.init(pattern, tab: tab, to: screen, isPrivate: isPrivate, fileID: fileID, line: line) {
      match, _ in routes(match)
    }
  }

  /// Creates a link whose routes depend on the state of the app, such as that of its scope.
  public init(
    _ pattern: String, tab: String? = nil, to screen: (any (Screen & SendableMetatype).Type)? = nil,
    isPrivate: Bool = false, fileID: StaticString = #fileID, line: UInt = #line,
    routes: @escaping @CoreActor @Sendable (Match, Dependencies) throws -> [Route]?
  ) {
    self.pattern = pattern
    components = Self.components(of: pattern)
    self.tab = tab
    type = screen
    self.isPrivate = isPrivate
    location = (fileID, line)
    self.routes = routes
  }

  /// The kind of the screen that the link leads to; nil if that depends on the URL.
  @CoreActor package var screen: String? { type?.kind }

  package func match(_ url: String) -> Match? {
    let found = Self.components(of: url)
    guard found.count == components.count else { return nil }
    var values: [String: String] = [:]
    for (expected, found) in zip(components, found) {
      if expected.utf8.first == UInt8(ascii: ":") {
        guard let text = found.percentDecoded, !text.isEmpty else { return nil }
        values[String(Substring(expected.utf8.dropFirst()))] = text
      } else if !expected.utf8.elementsEqual(found.utf8) {
        return nil
      }
    }
    return Match(pattern: pattern, values: values)
  }

  /// The scheme, host, and path components of a URL, without its query and fragment. Split by
  /// bytes, because a combining mark after a delimiter forms a single `Character` with it.
  private static func components(of url: String) -> [Substring] {
    let path = url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    var components = path.split(separator: UInt8(ascii: "/")).map { Substring($0) }
    // A scheme ignores case (RFC 3986).
    if components.first?.utf8.last == UInt8(ascii: ":") {
      components[0] = components[0].lowercased()[...]
    }
    return components
  }
}

extension Substring {
  /// The text without percent-encoding; nil if it is malformed.
  package var percentDecoded: String? {
    var bytes: [UInt8] = []
    var rest = utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst()?.hexadecimalDigit,
        let low = rest.popFirst()?.hexadecimalDigit
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
