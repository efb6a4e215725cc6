internal import OffstageJSON

/// How one kind of screen is made from its route.
public struct ScreenFactory: Sendable {
  package let kind: String
  package let describe: @CoreActor @Sendable () throws -> ScreenDescription
  let make: @CoreActor @Sendable (JSON, Dependencies) throws -> any Screen

  /// - Parameter make: builds the screen from what it is opened with; throws where a dependency
  ///   is missing.
  @CoreActor
  public init<S: Screen>(
    _ screen: S.Type,
    _ make: @escaping @CoreActor @Sendable (S.Argument, Dependencies) throws -> S
  ) {
    kind = S.kind
    describe = { try ScreenDescription(S.self) }
    self.make = { argument, dependencies in
      let text: JSONText
      do { text = try JSONText("\(argument)") } catch { preconditionFailure("\(error)") }
      return try make(try text.withRoot { try $0.decode(S.Argument.self) }, dependencies)
    }
  }

  /// For a screen that is opened with nothing.
  @CoreActor
  public init<S: Screen>(
    _ screen: S.Type, _ make: @escaping @CoreActor @Sendable (Dependencies) throws -> S
  ) where S.Argument == Empty {
    self.init(screen) { _, dependencies in try make(dependencies) }
  }
}
