/// A stream of values that connects ports to each other.
///
/// A signal does nothing until it is observed, delivers synchronously on the core's thread, and
/// never fails. It corresponds to an observable in Rx. Everything a value passes through is
/// inlinable, because the compiler can only specialize it in the app, where the types are known.
@CoreActor
public struct Signal<Value> {
  /// The outputs that it comes from. One that is bound to the signal reads them first.
  @usableFromInline let origins: [Port]
  @usableFromInline let start: (@escaping (Value) -> Void) -> Subscription

  /// Creates a custom signal. `start` is called for each observer with a closure that sends it a
  /// value, and returns the subscription that ends the observation.
  @inlinable public init(_ start: @escaping (@escaping (Value) -> Void) -> Subscription) {
    self.init(from: [], start)
  }

  @inlinable init(
    from origins: [Port], _ start: @escaping (@escaping (Value) -> Void) -> Subscription
  ) {
    self.origins = origins
    self.start = start
  }

  @inlinable func subscribe(_ receive: @escaping (Value) -> Void) -> Subscription { start(receive) }
}

extension Signal {
  /// The current value, and every value that a relay sends after it.
  init(_ relay: Relay<Value>, startingWith current: @escaping () -> Value) {
    self.init { receive in
      // Subscribe before replaying: the observer then also receives what it sends itself.
      let subscription = relay.add(receive)
      receive(current())
      return subscription
    }
  }
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
  /// subscription is canceled: cancel it if the source outlives the screen.
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
public struct Subscription {
  private let source: any Cancelable
  private let number: Int

  /// Creates a subscription that calls `end` once, when it is canceled.
  public init(_ end: @escaping () -> Void = {}) { self.init(End(end), 0) }

  /// Creates a subscription that cancels several others.
  @usableFromInline init(_ subscriptions: [Subscription]) {
    self.init { for subscription in subscriptions { subscription.cancel() } }
  }

  @usableFromInline init(_ source: any Cancelable, _ number: Int) {
    self.source = source
    self.number = number
  }

  /// Ends the observation with the screen that is being created, if there is one.
  @usableFromInline func keptByScreen() -> Subscription {
    ScreenNode.current?.keep(self)
    return self
  }

  func isObservation(ofOneOf relays: Set<ObjectIdentifier>) -> Bool {
    relays.contains(ObjectIdentifier(source))
  }

  /// Ends the observation. Has no effect if it has ended.
  public func cancel() { source.cancel(number) }
}

/// Has numbered observers.
@CoreActor
@usableFromInline protocol Cancelable: AnyObject {
  /// Ends an observation. Has no effect if it has ended.
  func cancel(_ number: Int)
}

/// The end of an observation that the author has written.
private final class End: Cancelable {
  private var end: (() -> Void)?

  init(_ end: @escaping () -> Void) { self.end = end }

  func cancel(_ number: Int) { end.take()?() }
}

/// A source that sends values to its observers, in the order in which they subscribed.
///
/// It is the multicast inside every port. A repository can have one of its own to notify screens of
/// changes to its data. Nothing is kept or replayed.
@CoreActor
public final class Relay<Value>: Source, Cancelable {
  // Unchecked on the hot path; see `CoreActor`.
  /// The oldest observer. Apart, because most relays have one, and a host has hundreds of thousands of
  /// relays.
  @exclusivity(unchecked) @usableFromInline var first = Observer(0, nil)
  @exclusivity(unchecked) @usableFromInline var others: [Observer] = []
  @usableFromInline var lastNumber = 0
  /// Values sent while sending.
  @exclusivity(unchecked) @usableFromInline var pending: [() -> Void] = []
  /// The number of canceled observers that are still among the others.
  @exclusivity(unchecked) @usableFromInline var canceled: Int32 = 0
  @exclusivity(unchecked) @usableFromInline var isSending = false

  @usableFromInline struct Observer {
    @usableFromInline let number: Int
    /// nil once it is canceled: a value that is being delivered skips it.
    @usableFromInline var receive: ((Value) -> Void)?

    @inlinable init(_ number: Int, _ receive: ((Value) -> Void)?) {
      self.number = number
      self.receive = receive
    }
  }

  /// Creates a relay without observers.
  public init() {}

  /// Sends a value to all observers. A value that an observer sends in response waits until all of
  /// them have received this one, so that all observers see the same order.
  @inlinable public func send(_ value: Value) {
    if isSending {
      pending.append { self.deliver(value) }
      return
    }
    isSending = true
    deliver(value)
    if pending.count > 0 { deliverPending() }
    isSending = false
    if canceled > 0 { removeCanceled() }
  }

  /// Delivers the values that observers have sent, until they send no more.
  @usableFromInline func deliverPending() {
    var count = 0
    while pending.count > 0 {
      count += 1
      require(
        count <= Self.mostPending,
        "this observer changes the value that it observes, again and again")
      pending.removeFirst()()
    }
  }

  /// The number of values sent in response to one value that counts as endless.
  private static var mostPending: Int { 100_000 }

  /// Sends a value to the observers at the time of the call. Loops over indices, because iterating
  /// over the array would retain it.
  @inlinable func deliver(_ value: Value) {
    var index = 0
    let count = others.count
    first.receive?(value)
    while index < count, index < others.count {
      others[index].receive?(value)
      index += 1
    }
  }

  /// Every value from now on.
  @inlinable public var signal: Signal<Value> {
    Signal { receive in self.add(receive) }
  }

  @inlinable func add(_ receive: @escaping (Value) -> Void) -> Subscription {
    lastNumber += 1
    let observer = Observer(lastNumber, receive)
    if first.receive == nil, others.isEmpty { first = observer } else { others.append(observer) }
    return Subscription(self, observer.number)
  }

  @usableFromInline func cancel(_ number: Int) {
    if number == first.number {
      first.receive = nil
      return
    }
    let index = others.partitioningIndex { $0.number >= number }
    guard index < others.count, others[index].number == number,
      others[index].receive.take() != nil
    else { return }
    canceled += 1
    if !isSending { removeCanceled() }
  }

  /// Removes the canceled observers once they are the majority: each removal moves all others.
  @usableFromInline func removeCanceled() {
    guard Int(canceled) * 2 > others.count else { return }
    others.removeAll { $0.receive == nil }
    canceled = 0
  }

  var hasObservers: Bool { first.receive != nil || others.count > canceled }

  /// Removes all observers, and so releases everything they capture.
  func removeAll() {
    first.receive = nil
    others = []
    canceled = 0
  }
}
