internal import OffstageJSON

/// A screen that a router has shown. Its result is delivered to an input.
/// ```swift
/// private let lent = In<Loan?>()
///
/// router.push(BookDetail.self, book).deliver(to: lent)
/// lent.observe { [self] loan in if let loan { add(loan) } }
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

  /// Sends the result of the screen to an input, or nil if the user or the app left it without one.
  ///
  /// The input gets it exactly once, even if this is called each time that
  /// ``Router/pushUnique(_:transition:)`` returns the same screen. If several screens end together, the
  /// topmost one comes first.
  ///
  /// The input is one of the `Input`, or a property of the screen or part that shows the other
  /// screen: a property is not on the wire. It gets the result after a restart of the core, too.
  public func deliver(to input: In<Result?>) { connect(input) }

  /// Sends the result of the screen to an input together with the argument of the screen, which
  /// tells several screens apart that deliver to the same input.
  public func deliver<Argument>(to input: In<Ended<Argument, Result>>) { connect(input) }

  private func connect(_ input: some InputPort) {
    guard let node else { return input.receive(nil, of: route) }
    node.deliverResult(to: input, of: presenter)
  }
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
  /// The result of the screen; nil if the user or the app left it without one.
  public let result: Result?
}

/// What an input that is found by its name gets from the end of a screen.
protocol DeliveredResult {
  /// - Parameter result: nil for a screen that was dismissed.
  init(result: (any Sendable)?, of route: Route) throws
}

extension Ended: DeliveredResult {
  init(result: (any Sendable)?, of route: Route) throws {
    argument = try route.argument.decode(Argument.self)
    self.result = Result?(result: result, of: route)
  }
}

extension Optional: DeliveredResult {
  init(result: (any Sendable)?, of route: Route) {
    // In two steps, or nil would not count as a result of an optional type.
    self = result.flatMap { $0 as? Wrapped }
  }
}
