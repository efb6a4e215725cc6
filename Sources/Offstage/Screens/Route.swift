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

  var state: JSONObject { ["kind": .string(kind), "argument": argument] }

  func leads(to other: Route) -> Bool { kind == other.kind && identity == other.identity }
}
