/// Values over time: what ports are wired together with.
///
/// A signal does nothing until it is observed, delivers at once on the core's thread, and never
/// fails. It is an observable as Rx has them, reduced to what a screen needs. Everything on the way of
/// a value is inlinable: the types are known in the app only, and only there can it be made quick.
@CoreActor
public struct Signal<Value> {
  @usableFromInline let start: (@escaping (Value) -> Void) -> Subscription

  /// A signal from scratch: `start` is called for each observer and tells it of every value.
  @inlinable public init(_ start: @escaping (@escaping (Value) -> Void) -> Subscription) {
    self.start = start
  }

  @inlinable func subscribe(_ receive: @escaping (Value) -> Void) -> Subscription { start(receive) }
}

/// What can be observed: every port and every signal.
@CoreActor
public protocol Source<Value> {
  associatedtype Value
  var signal: Signal<Value> { get }
}

extension Signal: Source {
  /// Itself.
  @inlinable public var signal: Signal<Value> { self }
}

extension Source {
  /// Calls `action` for every value, starting with the current one where there is one.
  ///
  /// Observed while a screen is being made, it ends with that screen, so an action may capture the
  /// screen strongly. Observed later, it ends with its ports or when the subscription is cancelled.
  @discardableResult
  @inlinable public func observe(_ action: @escaping (Value) -> Void) -> Subscription {
    signal.subscribe(action).keptByScreen()
  }
}

extension Source where Value == Trigger {
  /// Calls `action` whenever the trigger fires.
  @discardableResult
  @inlinable public func observe(_ action: @escaping () -> Void) -> Subscription {
    observe { (_: Trigger) in action() }
  }
}
