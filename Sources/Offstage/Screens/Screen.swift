/// Everything of a screen but what it looks like: a view model or presenter.
///
/// It states what comes in and what goes out; the wire, the schema and the tests see nothing else.
/// ```swift
/// final class Greeter: Screen {
///   static let kind = "greeter"
///   struct Input: Ports { let nameText = In<String?>(nil) }
///   struct Output: Ports { let greeting = Out("") }
///   let input = Input(), output = Output(), effects = Effects()
///
///   init() {
///     output.greeting.bind(input.nameText.map { "hello " + ($0 ?? "") })
///   }
/// }
/// ```
/// What it observes, its effects, prompts and timers all end with it.
@CoreActor
public protocol Screen: AnyObject {
  associatedtype Input: Ports
  associatedtype Output: Ports
  /// What it is opened with. Part of its route, so it is data.
  associatedtype Argument: Codable & Sendable = Empty
  /// What it gives back to whoever presented it.
  associatedtype Result: Codable & Sendable = Empty

  /// Its name on the wire, the same for every screen of this type.
  static var kind: String { get }

  var input: Input { get }
  var output: Output { get }
  /// The work that it starts; every screen has one, since this is also its tie to the core.
  var effects: Effects { get }

  /// Asked when the person wants to leave: by going back, by swiping the screen away, by a link that
  /// leads elsewhere. A screen with something to lose answers false, asks, and closes itself when
  /// the person agrees. What the program closes is not asked.
  func mayLeave() -> Bool
}

extension Screen {
  /// Nothing would be lost.
  public func mayLeave() -> Bool { true }
}

extension Screen {
  /// Ends the screen with a result. Whoever presented it gets `finished(value)`, exactly once; the
  /// front end gets it as the event `finished`. At the root of a stack, where there is nothing to
  /// go back to, the screen stays.
  public func finish(_ value: Result) { effects.node.finish(value) }
}

extension Screen where Result == Empty {
  /// Ends the screen.
  public func finish() { finish(Empty()) }
}

/// Nothing to pass: the argument or result of a screen that has none.
public struct Empty: Codable, Hashable, Sendable {
  /// The one value of this type.
  public init() {}
}
