package import OffstageJSON

/// A screen as data: its kind and its argument.
///
/// Pushes, deep links, and the command line all create screens from routes.
public struct Route: Hashable, Sendable {
  package let kind: String
  package let argument: JSON

  /// The route of a screen with an argument.
  @CoreActor
  public init<S: Screen>(_ screen: S.Type, _ argument: S.Argument) {
    self.init(kind: S.kind, argument: JSON(encoding: argument))
  }

  /// The route of a screen without an argument.
  @CoreActor
  public init<S: Screen>(_ screen: S.Type) where S.Argument == Empty {
    self.init(kind: S.kind)
  }

  package init(kind: String, argument: JSON = [:]) {
    self.kind = kind
    self.argument = argument
  }
}

/// The reason why a route leads nowhere.
package enum RouteError: Error, CustomStringConvertible {
  case unknownKind(String)
  case wrongArgument(String, JSONMismatch)
  case unknownURL(String)
  case unknownTab(String)
  case duplicateTab(String)
  case noTabs

  package var description: String {
    switch self {
    case .unknownKind(let kind):
      "The app has no screen \"\(kind)\". Register a factory for it in App.screens."
    case .wrongArgument(let kind, let mismatch):
      "The screen \"\(kind)\" cannot be opened with this argument: expected \(mismatch.expected) "
        + "at \"\(mismatch.path)\", found \(mismatch.found)."
    case .unknownURL(let url):
      "No link of the app matches \(url)."
    case .unknownTab(let tab):
      "The app has no tab \"\(tab)\"."
    case .duplicateTab(let id):
      "Two tabs have the id \"\(id)\". Front ends select a tab by its id: rename one of them."
    case .noTabs:
      "A root of tabs needs at least one tab."
    }
  }
}

/// Creates the screens of one kind from their routes.
public struct ScreenFactory: Sendable {
  package let kind: String
  package let describe: @CoreActor @Sendable (SchemaCatalog) throws -> ScreenDescription
  /// Throws an error for a mistake in the declaration of the ports.
  package let checkPorts: @CoreActor @Sendable (SchemaCatalog) throws -> Void
  /// Throws an error for an argument that the screen cannot be opened with.
  package let check: @CoreActor @Sendable (JSON) throws(JSONMismatch) -> Void
  let make: @CoreActor @Sendable (JSON, Dependencies) throws -> any Screen

  /// A factory that creates a screen from its argument. `make` throws if a dependency is missing.
  @CoreActor
  public init<S: Screen>(
    _ screen: S.Type,
    _ make: @escaping @CoreActor @Sendable (S.Argument, Dependencies) throws -> S
  ) {
    kind = S.kind
    describe = { try ScreenDescription(S.self, $0) }
    checkPorts = { try PortCheck.check(S.self, S.designation, $0) }
    check = { argument throws(JSONMismatch) in _ = try Self.decode(S.Argument.self, argument) }
    self.make = { argument, dependencies in
      try make(try Self.decode(S.Argument.self, argument), dependencies)
    }
  }

  private static func decode<T: Decodable>(
    _ type: T.Type, _ argument: JSON
  ) throws(JSONMismatch) -> T {
    // `Empty` reads nothing, so it would accept anything.
    if type == Empty.self, argument.object == nil {
      throw JSONMismatch(path: "", expected: "object", found: argument.kind.name)
    }
    let text: JSONText
    do { text = try JSONText("\(argument)") } catch { fatalError("\(error)") }
    return try text.withRoot { root throws(JSONMismatch) in try root.decode(type) }
  }

  /// Creates a screen without an argument.
  @CoreActor
  public init<S: Screen>(
    _ screen: S.Type, _ make: @escaping @CoreActor @Sendable (Dependencies) throws -> S
  ) where S.Argument == Empty {
    self.init(screen) { _, dependencies in try make(dependencies) }
  }
}
