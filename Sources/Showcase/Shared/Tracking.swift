package import Offstage

/// The events that a screen tracks: a case for each main action, with its parameters as labeled values.
/// ```swift
/// enum Action: LoggableEvent {
///   static let screen = "pokedex"
///   case didAppear
///   case pokemonTapped(id: Int)
/// }
/// ```
package protocol LoggableEvent: Sendable {
  /// The kind of the screen.
  static var screen: String { get }
}

extension LoggableEvent {
  /// The screen and the case, such as `explore.avatarTapped`.
  package var name: String {
    "\(Self.screen).\(Mirror(reflecting: self).children.first?.label ?? "\(self)")"
  }

  /// The labeled values of the case.
  package var parameters: [String: String] {
    guard let values = Mirror(reflecting: self).children.first?.value else { return [:] }
    let pairs = Mirror(reflecting: values).children.compactMap { value in
      value.label.map { ($0, "\(value.value)") }
    }
    return Dictionary(pairs) { first, _ in first }
  }
}

/// Tracks the events of one screen.
@CoreActor
protocol EventTracker: AnyObject {
  func trackEvent(_ event: any LoggableEvent)
}

extension EventTracker {
  /// Tracks every value of an input. Call this before other observations, so that the event comes
  /// before the input's effects.
  func track<Value>(_ input: some Source<Value>, as event: @escaping (Value) -> any LoggableEvent) {
    input.observe { [self] in trackEvent(event($0)) }
  }

  func track(_ input: In<Trigger>, as event: any LoggableEvent) {
    // Without a value, `observe` would keep a second closure around this one.
    input.observe { [self] (_: Trigger) in trackEvent(event) }
  }
}

/// Sends the events of a screen to every sink, and to the log, which `--log` prints.
@CoreActor
final class ScreenTracker: EventTracker {
  private let sinks: [any EventSink]
  private let session: Session
  private let clock: CoreClock
  private let log = Log()

  /// Creates the tracker of the screen that is being created.
  init(_ dependencies: Dependencies) throws {
    sinks = try dependencies[.sinks]
    session = try dependencies[.scope].session
    clock = try dependencies[.clock]
  }

  func trackEvent(_ event: any LoggableEvent) {
    let (name, parameters) = (event.name, event.parameters)
    let now = Int(clock.now.components.seconds)
    for sink in sinks { sink.track(name, parameters, at: now, as: session.owner) }
    log.info(name, data: parameters)
  }
}

/// A destination of tracked events, such as the database or a service.
package protocol EventSink: Sendable {
  /// Records an event. Events keep the order of the calls. Tracking cannot fail, and nothing waits
  /// for it: no feature may depend on it.
  /// - Parameter at: Seconds since 1970.
  @CoreActor func track(
    _ name: String, _ parameters: [String: String], at: Int, as owner: Owner)
}

/// A tracked event.
package struct TrackedEventRow: Identifiable, Codable, Hashable, Sendable, SchemaAnnotated {
  /// Counted up from 1.
  package let id: Int
  package let name: String
  package let parameters: [String: String]
  /// Seconds since 1970.
  package let at: Int

  package init(id: Int, name: String, parameters: [String: String], at: Int) {
    self.id = id
    self.name = name
    self.parameters = parameters
    self.at = at
  }

  package static var meanings: [PartialKeyPath<Self>: Meaning] {
    [\.at: .unixTime]
  }
}
