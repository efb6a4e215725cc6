internal import OffstageJSON

/// A URL that the app opens, and the address of the screen that it leads to.
///
/// In the pattern, `:name` stands for any text. Without a closure, the names are members of the
/// screen's argument, so that the link works in both directions: opening `showcase://pokedex/25`
/// shows a Pokémon, and that screen has `showcase://pokedex/25` as its address in the document.
/// ```swift
/// Link("showcase://pokedex", tab: "pokedex")
/// Link("showcase://pokedex/:id", tab: "pokedex", to: PokemonDetail.self)
/// ```
/// A screen has the address of the first link that leads back to it, of those that select its tab
/// if possible.
public struct Link: Sendable {
  /// The parts of a URL that matched the names in a pattern.
  public struct Match: Sendable {
    let pattern: String
    let values: [String: String]
    /// The dependencies of screens, for a link that leads to different screens depending on the
    /// state of the app.
    public internal(set) var dependencies = Dependencies()

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

  package let pattern: String
  /// The tab to select first; nil for the visible one.
  package let tab: String?
  /// True if only a signed-in user may open it; see ``Scope/mayOpen(_:)``.
  public let isPrivate: Bool
  private let type: (any (Screen & SendableMetatype).Type)?
  /// The call that created the link, for the error of a screen without a factory.
  let location: (fileID: StaticString, line: UInt)
  let routes: Routes
  /// Returns the values of the names in the pattern for an argument of the screen; nil for a link to
  /// a root, and for one that depends on the URL.
  private let values: Values?
  /// True if the link leads to the root of its tab, whatever its screen is.
  let leadsToRoot: Bool
  private let path: LinkPath

  typealias Routes = @CoreActor @Sendable (Match) throws -> [Route]?
  private typealias Values = @CoreActor @Sendable (JSON) -> [String: String]?

  /// Creates a link to the root of a tab, or to the root of an app without tabs.
  public init(
    _ pattern: String, tab: String? = nil, isPrivate: Bool = false,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      pattern, tab, nil, isPrivate, (fileID, line), values: nil, leadsToRoot: true,
      routes: { _ in [] })
    if let name = path.names.first {
      stop("has :\(name), but leads to the root of a tab. Pass the screen that it leads to.")
    }
  }

  /// Creates a link that pushes a screen on the root of the tab. Each name in the pattern is a member
  /// of the screen's argument: a text, a number, a Boolean, or anything that is one of them in JSON,
  /// such as a UUID or an enum with raw values. A single name may stand for an argument that is such
  /// a value itself.
  ///
  /// A URL leads nowhere if one of its texts does not fit the member. The program stops, with the
  /// caller's file and line, if the argument has no such member, or requires one that the pattern
  /// lacks.
  public init<S: Screen & SendableMetatype>(
    _ pattern: String, tab: String? = nil, to screen: S.Type, isPrivate: Bool = false,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    let argument = LinkArgument(S.Argument.self, LinkPath(pattern).names)
    self.init(
      pattern, tab, screen, isPrivate, (fileID, line), values: { argument.values(in: $0) },
      routes: { match in
        (try? argument.json(match.values)?.decode(S.Argument.self)).map { [Route(screen, $0)] }
      })
    if let name = argument.unknownName {
      stop(
        "has :\(name), but the argument of \(screen) has no such member that fits in a URL. "
          + "Use the name of a member, or pass a closure.")
    }
    if let name = argument.missingName {
      stop("lacks :\(name), which the argument of \(screen) requires. Add it, or pass a closure.")
    }
  }

  /// Creates a link that pushes the screens returned by `routes` on the root of the tab, the lowest
  /// first. `routes` returns nil if the URL leads nowhere after all.
  /// ```swift
  /// Link(
  ///   "shop://orders/:number", to: OrderDetail.self, url: { ["number": $0.order.number] },
  ///   routes: {
  ///     try $0.dependencies[.orders].find($0["number"]).map { [Route(OrderDetail.self, .init($0))] }
  ///   })
  /// ```
  /// When a screen of this type opens, `routes` also tells whether the URL leads back to it.
  /// `url` returns the values of the names in the pattern for the screen's argument, or nil if it
  /// has no address. By default, these are the argument's members with these names; the program
  /// stops, with the caller's file and line, if it has none.
  public init<S: Screen & SendableMetatype>(
    _ pattern: String, tab: String? = nil, to screen: S.Type, isPrivate: Bool = false,
    url: (@CoreActor @Sendable (S.Argument) -> [String: String]?)? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    routes: @escaping @CoreActor @Sendable (Match) throws -> [Route]?
  ) {
    let argument = LinkArgument(S.Argument.self, LinkPath(pattern).names)
    let values: Values = { json in
      guard let url else { return argument.values(in: json) }
      return (try? json.decode(S.Argument.self)).flatMap(url)
    }
    self.init(pattern, tab, screen, isPrivate, (fileID, line), values: values, routes: routes)
    if url == nil, let name = argument.unknownName {
      stop(
        "has :\(name), but the argument of \(screen) has no such member that fits in a URL. "
          + "Use the name of a member, or pass url: with the values of the names.")
    }
  }

  /// Creates a link to screens that depend on the URL. They have no address.
  public init(
    _ pattern: String, tab: String? = nil, isPrivate: Bool = false,
    fileID: StaticString = #fileID, line: UInt = #line,
    routes: @escaping @CoreActor @Sendable (Match) throws -> [Route]?
  ) {
    self.init(pattern, tab, nil, isPrivate, (fileID, line), values: nil, routes: routes)
  }

  private init(
    _ pattern: String, _ tab: String?, _ type: (any (Screen & SendableMetatype).Type)?,
    _ isPrivate: Bool, _ location: (StaticString, UInt), values: Values?,
    leadsToRoot: Bool = false, routes: @escaping Routes
  ) {
    self.pattern = pattern
    path = LinkPath(pattern)
    self.tab = tab
    self.type = type
    self.isPrivate = isPrivate
    self.location = location
    self.values = values
    self.leadsToRoot = leadsToRoot
    self.routes = routes
  }

  private func stop(_ problem: String) -> Never {
    fatalError("the link \(pattern) \(problem)", file: location.fileID, line: location.line)
  }

  /// The kind of the screen that the link leads to; nil for the root of a tab, and if that depends on
  /// the URL.
  @CoreActor package var screen: String? { type?.kind }

  package func match(_ url: String, _ dependencies: Dependencies = Dependencies()) -> Match? {
    path.values(in: url).map { Match(pattern: pattern, values: $0, dependencies: dependencies) }
  }

  /// The URL that leads to the screen of a route; nil if there is none.
  @CoreActor
  func url(of route: Route, _ dependencies: Dependencies) -> String? {
    guard screen == route.kind, let values = values?(route.argument), let url = path.url(values),
      let match = match(url, dependencies), let target = try? routes(match)?.last
    else { return nil }
    return target.leads(to: route) ? url : nil
  }

  /// The URL that leads to the root of the tab; nil if the link leads elsewhere.
  var urlOfRoot: String? { leadsToRoot ? path.url([:]) : nil }
}

extension Core {
  /// The address of a screen on display: the URL of the first link that leads to it, of those that
  /// select its tab if possible.
  func url(of node: ScreenNode) -> String? {
    let stack = navigation.stack(of: node.id).map { navigation.stacks[$0] }
    if let stack, stack.presentation == nil, stack.screens.first == node.id {
      let link = app.links.first { $0.leadsToRoot && $0.tab == stack.tab }
      if let url = link?.urlOfRoot { return url }
    }
    guard let route = node.route else { return nil }
    let tab = stack?.tab ?? navigation.selectedTab
    let ordered = app.links.filter { $0.tab == tab } + app.links.filter { $0.tab != tab }
    return ordered.lazy.compactMap { $0.url(of: route, self.app.dependencies) }.first
  }
}
