package import OffstageJSON

/// A screen as data: its kind and what it is opened with.
///
/// Pushing, deep links and the command line all make screens from routes, through one door.
public struct Route: Hashable, Sendable {
  package let kind: String
  package let argument: JSON

  /// A screen and what it is opened with.
  @CoreActor
  public init<S: Screen>(_ screen: S.Type, _ argument: S.Argument) {
    self.init(kind: S.kind, argument: JSON(encoding: argument))
  }

  /// A screen that is opened with nothing.
  @CoreActor
  public init<S: Screen>(_ screen: S.Type) where S.Argument == Empty {
    self.init(screen, Empty())
  }

  package init(kind: String, argument: JSON = [:]) {
    self.kind = kind
    self.argument = argument
  }
}
