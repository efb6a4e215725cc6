package import OffstageJSON

/// The address of a screen, as data: its kind and its argument. A ``Router`` goes there.
///
/// Tabs, links, and the command line name screens by their routes, and every screen is created from one.
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
