/// A stream of values, with which ports are connected to each other.
///
/// A signal does nothing until it is observed, delivers synchronously on the core's thread, and
/// never fails. It corresponds to an observable in Rx. Everything a value passes through is
/// inlinable, because the compiler can only specialize it in the app, where the types are known.
@CoreActor
public struct Signal<Value> {
  @usableFromInline let start: (@escaping (Value) -> Void) -> Subscription

  /// A custom signal.
  /// - Parameter start: Called for each observer with a closure that sends it a value.
  @inlinable public init(_ start: @escaping (@escaping (Value) -> Void) -> Subscription) {
    self.start = start
  }

  @inlinable func subscribe(_ receive: @escaping (Value) -> Void) -> Subscription { start(receive) }
}

/// A type that can be observed: a port, a relay, or a signal.
@CoreActor
public protocol Source<Value> {
  associatedtype Value
  var signal: Signal<Value> { get }
}

extension Signal: Source {
  /// The signal itself.
  @inlinable public var signal: Signal<Value> { self }
}

extension Source {
  /// Calls `action` with the current value, if the source keeps one, and every value after it.
  ///
  /// An observation made while a screen is being created ends with that screen, so `action` may
  /// capture the screen strongly. An observation made later ends with its ports, or when its
  /// subscription is canceled.
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

/// An observation that can be canceled. Releasing it does not cancel it.
@CoreActor
public final class Subscription {
  private var end: (() -> Void)?

  /// - Parameter end: Called once, on cancellation.
  public init(_ end: @escaping () -> Void = {}) { self.end = end }

  /// Cancels several subscriptions together.
  @usableFromInline convenience init(_ subscriptions: [Subscription]) {
    self.init { for subscription in subscriptions { subscription.cancel() } }
  }

  /// Ends the observation with the screen that is being created, if there is one.
  @usableFromInline func keptByScreen() -> Subscription {
    ScreenNode.current?.keep(self)
    return self
  }

  /// Ends the observation. Has no effect if it has ended.
  public func cancel() {
    let end = end
    self.end = nil
    end?()
  }
}

/// A source that sends values to its observers, in the order in which they subscribed.
///
/// It is the multicast inside every port. A repository can have one of its own to notify screens of
/// changes to its data. Nothing is kept or replayed.
@CoreActor
public final class Relay<Value>: Source {
  // Unchecked where every input passes; see `CoreActor`.
  @exclusivity(unchecked) @usableFromInline var observers: [Observer] = []
  @usableFromInline var lastNumber = 0
  @exclusivity(unchecked) @usableFromInline var isSending = false
  /// True if observers were removed while sending.
  @exclusivity(unchecked) @usableFromInline var hasRemoved = false
  /// Values sent while sending.
  @exclusivity(unchecked) @usableFromInline var pending: [() -> Void] = []

  @usableFromInline struct Observer {
    @usableFromInline let number: Int
    /// nil once it is removed: a value that is being delivered skips it.
    @usableFromInline var receive: ((Value) -> Void)?

    @inlinable init(_ number: Int, _ receive: @escaping (Value) -> Void) {
      self.number = number
      self.receive = receive
    }
  }

  /// A relay without observers.
  @inlinable public init() {}

  /// Sends a value to all observers. A value that an observer sends meanwhile waits until all of them
  /// have received this one, so that all observers see the same order.
  @inlinable public func send(_ value: Value) {
    if isSending {
      pending.append { self.deliver(value) }
      return
    }
    isSending = true
    deliver(value)
    while pending.count > 0 { pending.removeFirst()() }
    isSending = false
    if hasRemoved { removeCanceled() }
  }

  /// Sends a value to the observers at the time of the call. By index, because iterating over the
  /// array would retain it.
  @inlinable func deliver(_ value: Value) {
    var index = 0
    let count = observers.count
    while index < count, index < observers.count {
      observers[index].receive?(value)
      index += 1
    }
  }

  /// Every value from now on.
  @inlinable public var signal: Signal<Value> {
    Signal { receive in self.add(receive) }
  }

  @inlinable func add(_ receive: @escaping (Value) -> Void) -> Subscription {
    lastNumber += 1
    let number = lastNumber
    observers.append(Observer(number, receive))
    return Subscription { self.remove(number) }
  }

  @usableFromInline func remove(_ number: Int) {
    guard let index = observers.firstIndex(where: { $0.number == number }) else { return }
    observers[index].receive = nil
    hasRemoved = true
    if !isSending { removeCanceled() }
  }

  @usableFromInline func removeCanceled() {
    observers.removeAll { $0.receive == nil }
    hasRemoved = false
  }

  /// Removes all observers, and so releases everything they capture.
  func removeAll() { observers = [] }
}
