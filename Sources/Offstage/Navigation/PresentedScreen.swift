internal import OffstageJSON

/// A screen that a router has shown. Its outcome is delivered to an input.
/// ```swift
/// private let lent = In<Outcome<Loan>>()
///
/// router.push(BookDetail.self, book).deliver(to: lent)
/// ```
@CoreActor
public struct PresentedScreen<Result: Codable & Sendable> {
  private let node: ScreenNode?
  private let route: Route
  private let presenter: ScreenNode

  /// - Parameter node: nil if the screen could not be shown, which counts as dismissed.
  init(_ node: ScreenNode?, _ route: Route, by presenter: ScreenNode) {
    (self.node, self.route, self.presenter) = (node, route, presenter)
  }

  /// Sends the outcome of the screen to an input exactly once, even if this is called each time that
  /// ``Router/pushUnique(_:transition:)`` returns the same screen. If several screens end together, the
  /// topmost one comes first.
  ///
  /// The input is one of the `Input`, or a property of the screen or part that shows the other
  /// screen: a property is not on the wire. It gets the outcome after a restart of the core, too.
  public func deliver(to input: In<Outcome<Result>>) { connect(input) }

  /// Sends the outcome of the screen to an input together with the argument of the screen, which
  /// tells several screens apart that deliver to the same input.
  public func deliver<Argument>(to input: In<Ended<Argument, Result>>) { connect(input) }

  private func connect(_ input: some InputPort) {
    guard let node else { return input.receive(nil, of: route) }
    node.deliverOutcome(to: input, of: presenter)
  }
}

/// The end of a screen: with a result, or without one.
///
/// Its JSON is `{"type":"finished","value":…}` or `{"type":"dismissed"}`.
public enum Outcome<Value: Codable & Sendable>: Sendable {
  /// With a result.
  case finished(Value)
  /// Without a result: the user or the app left it.
  case dismissed
}

/// The end of a screen, and the argument that it was shown with.
/// ```swift
/// private let edited = In<Ended<Line.ID, Line>>()
///
/// router.push(LineEditor.self, line.id).deliver(to: edited)
/// edited.observe { [self] in select($0.argument) }
/// ```
public struct Ended<Argument: Codable & Sendable, Result: Codable & Sendable>: Codable, Sendable {
  /// The argument of the screen.
  public let argument: Argument
  /// The end of the screen.
  public let outcome: Outcome<Result>
}

/// The end of a screen of any type, for an input that is found by its name.
protocol AnyOutcome {
  /// - Parameter result: nil for a screen that was dismissed.
  init(result: (any Sendable)?, of route: Route) throws
}

extension Ended: AnyOutcome {
  init(result: (any Sendable)?, of route: Route) throws {
    argument = try route.argument.decode(Argument.self)
    outcome = Outcome(result: result, of: route)
  }
}

extension Outcome: AnyOutcome {
  init(result: (any Sendable)?, of route: Route) {
    // Unwrap in two steps, or nil would count as a result of optional type.
    guard let result, let value = result as? Value else {
      self = .dismissed
      return
    }
    self = .finished(value)
  }
}

extension Outcome: Equatable where Value: Equatable {}

extension Outcome: Codable {
  private enum Ending: String, Codable, CaseIterable {
    case finished, dismissed
  }

  private enum Key: String, CodingKey {
    case type, value
  }

  /// Decodes an outcome.
  /// - Throws: `DecodingError` for another shape.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    switch try container.decode(Ending.self, forKey: .type) {
    case .finished: self = .finished(try container.decode(Value.self, forKey: .value))
    case .dismissed: self = .dismissed
    }
  }

  /// Encodes the type, and the value of a screen that finished.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .finished(let value):
      try container.encode(Ending.finished, forKey: .type)
      try container.encode(value, forKey: .value)
    case .dismissed:
      try container.encode(Ending.dismissed, forKey: .type)
    }
  }
}
