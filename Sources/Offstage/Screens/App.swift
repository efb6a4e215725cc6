package import OffstageJSON

/// An app without its user interface: its first screens, and how each screen is created.
public struct App: Sendable {
  /// The first screens of an app.
  public enum Root: Sendable {
    /// One stack of screens.
    case stack(Route)
    /// Tabs with a stack each; the first one is selected.
    case tabs([Tab])
  }

  /// The first screens; `--root` replaces them with a single one.
  public var root: Root
  /// The dependencies that the factories pass to the screens.
  public var dependencies: Dependencies
  /// State, inputs, and work that outlive screens; nil if the app has none.
  package let scope: ScreenFactory?
  /// Finds the bytes behind the `resource:` URIs in the document; nil if the app has none.
  package let resources: (@Sendable (_ path: String) async throws -> Resource?)?
  /// The URLs that the app opens; the first match wins.
  package let links: [Link]
  /// The prompts that the app shows, besides alerts and confirmation dialogs.
  package let prompts: [PromptDescription]
  /// The labels of screens, ports, and cases, in the language of the user.
  package let labels: Labels
  package let screens: [ScreenFactory]

  /// Composes an app. The program stops, with the caller's file and line, if two factories have the
  /// same kind, or if that of the scope creates no ``Scope``.
  public init(
    root: Root, dependencies: Dependencies = Dependencies(), scope: ScreenFactory? = nil,
    resources: (@Sendable (_ path: String) async throws -> Resource?)? = nil, links: [Link] = [],
    prompts: [PromptDescription] = [],
    labels: (@Sendable (_ key: String, _ language: LanguageTag) -> Label?)? = nil,
    screens: [ScreenFactory], fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.root = root
    self.dependencies = dependencies
    self.scope = scope
    self.resources = resources
    self.links = links
    self.prompts = prompts
    self.labels = labels ?? { _, _ in nil }
    self.screens = screens
    require(
      scope.map { $0.type is any Scope.Type } ?? true,
      "the type of the scope does not conform to Scope", file: fileID, line: line)
    var kinds: Set<String> = []
    for screen in screens {
      require(
        kinds.insert(screen.kind).inserted,
        "two factories for the screen \"\(screen.kind)\"", file: fileID, line: line)
    }
  }

  /// Searches linearly: the sessions of a host share the list, and an app has few screens.
  package func factory(of kind: String) -> ScreenFactory? { screens.first { $0.kind == kind } }
}

extension App {
  /// Describes the ports of the screens and the scope, and adds their types to a catalog.
  /// - Throws: `PortError` for a mistake in the declaration of the ports that the compiler cannot
  ///   find.
  @CoreActor
  package func describe(
    _ catalog: SchemaCatalog
  ) throws(PortError) -> (screens: [ScreenDescription], scope: ScreenDescription?) {
    var described: [ScreenDescription] = []
    for screen in screens { described.append(try screen.describe(catalog)) }
    guard let scope else { return (described, nil) }
    return (described, try scope.describe(catalog))
  }

  /// The names of the inputs that take a text that others must not read.
  /// - Throws: `PortError`, as `describe` does.
  @CoreActor
  package func secretInputs() throws(PortError) -> Set<String> {
    let catalog = SchemaCatalog(labels: nil)
    let (screens, scope) = try describe(catalog)
    let inputs = (screens + catalog.parts + [scope].compactMap(\.self)).flatMap(\.inputs)
    return Set(inputs.filter { $0.keywords["x-secret"] != nil }.map(\.name))
  }
}

/// Creates the screens of one kind from their routes, or the ``Scope`` of an app, which may also set
/// dependencies for the screens.
public struct ScreenFactory: Sendable {
  package let kind: String
  package let type: Any.Type
  package let describe: @CoreActor @Sendable (SchemaCatalog) throws(PortError) -> ScreenDescription
  /// Returns the route for an argument, or throws an error if the screen cannot be opened with it.
  package let route: @CoreActor @Sendable (JSON) throws(JSONMismatch) -> Route
  let make: @CoreActor @Sendable (JSON, inout Dependencies) throws -> any Screen
  let migrate: @CoreActor @Sendable (inout SavedScreen, String) throws -> Void

  /// Creates a factory for screens with an argument. `make` throws if a dependency is missing.
  @CoreActor
  public init<S: Screen>(
    _ screen: S.Type, fileID: StaticString = #fileID, line: UInt = #line,
    _ make: @escaping @CoreActor @Sendable (S.Argument, inout Dependencies) throws -> S
  ) {
    kind = S.kind
    type = S.self
    describe = { catalog throws(PortError) in
      try catalog.at(fileID, line) { () throws(PortError) in
        try ScreenDescription(S.self, catalog)
      }
    }
    route = { argument throws(JSONMismatch) in
      Route(screen, try Self.decode(S.Argument.self, argument))
    }
    self.make = { argument, dependencies in
      try make(try Self.decode(S.Argument.self, argument), &dependencies)
    }
    migrate = { try S.migrate(&$0, from: $1) }
  }

  private static func decode<T: Decodable>(
    _ type: T.Type, _ argument: JSON
  ) throws(JSONMismatch) -> T {
    // `Empty` reads nothing, so it would accept anything.
    if type == Empty.self {
      if argument.object != nil { return Empty() as! T }
      throw JSONMismatch(path: "", expected: "object", found: argument.kind.name)
    }
    return try argument.decode(type)
  }

  /// Creates a factory for screens without an argument.
  @CoreActor
  public init<S: Screen>(
    _ screen: S.Type, fileID: StaticString = #fileID, line: UInt = #line,
    _ make: @escaping @CoreActor @Sendable (inout Dependencies) throws -> S
  ) where S.Argument == Empty {
    self.init(screen, fileID: fileID, line: line) { _, dependencies in try make(&dependencies) }
  }
}

/// A tab, with a stack of its own.
public struct Tab: Sendable {
  /// The name on the wire, by which front ends select the tab.
  package let id: String
  package let title: LocalizedText
  /// The name of a symbol that the front end can draw.
  package let icon: String
  package let route: Route

  /// Creates a tab with the same title in every language.
  public init(_ id: String, title: String, icon: String, _ route: Route) {
    self.init(id, title: LocalizedText { _ in title }, icon: icon, route)
  }

  /// Creates a tab whose title depends on the language.
  public init(_ id: String, title: LocalizedText, icon: String, _ route: Route) {
    self.id = id
    self.title = title
    self.icon = icon
    self.route = route
  }
}

/// The dependencies of screens: repositories, settings, a random source. The app sets them, and a
/// test overrides them.
/// ```swift
/// extension Dependencies.Key<any AccountRepository> {
///   static let accounts = Self("accounts")
/// }
///
/// dependencies.set(.accounts, to: StoredAccountRepository(database))
/// let accounts = try dependencies[.accounts]
/// ```
public struct Dependencies: Sendable {
  /// The name and type of a dependency.
  public struct Key<Value: Sendable>: Sendable {
    /// The name in error messages. Two keys with the same name are one dependency.
    package let name: String

    /// Creates a key. Declare it once, as a static constant.
    public init(_ name: String) { self.name = name }
  }

  /// An array, since they are few, and each of the thousands of sessions of a host has its own.
  private var values: [(name: String, value: any Sendable)] = []

  /// Creates an empty set of dependencies.
  public init() {}

  /// Sets or overrides a dependency.
  public mutating func set<Value: Sendable>(_ key: Key<Value>, to value: Value) {
    values.removeAll { $0.name == key.name }
    values.append((key.name, value))
  }

  /// The dependency of a key. There are no defaults: a test that forgets an override fails with the
  /// name of the key.
  /// - Throws: An error with this name if the dependency is not set.
  public subscript<Value: Sendable>(key: Key<Value>) -> Value {
    get throws {
      // Look up in two steps, or nil would count as the value of an optional dependency.
      guard let stored = values.first(where: { $0.name == key.name }),
        let value = stored.value as? Value
      else {
        throw DependencyError(key: key.name)
      }
      return value
    }
  }
}

/// An unset dependency, or one of another type.
package struct DependencyError: Error, Hashable, CustomStringConvertible {
  /// The name of the key.
  package let key: String

  package var description: String {
    "The dependency \"\(key)\" is not set. Set it where the app is composed, or override it in "
      + "the test."
  }
}
