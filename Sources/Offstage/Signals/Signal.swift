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
  /// subscription is canceled. A debug build stops, with the caller's file and line, if a screen
  /// later observes a relay that outlives it and drops the subscription without canceling it.
  @discardableResult
  @inlinable public func observe(
    fileID: StaticString = #fileID, line: UInt = #line, _ action: @escaping (Value) -> Void
  ) -> Subscription {
    #if DEBUG
      LateObservation.isOfLongLivedRelay = false
      LateObservation.newest = (fileID, line)
    #endif
    return signal.subscribe(action).keptByScreen(fileID, line)
  }
}

extension Source where Value == Trigger {
  /// Calls `action` whenever the trigger fires.
  @discardableResult
  @inlinable public func observe(
    fileID: StaticString = #fileID, line: UInt = #line, _ action: @escaping () -> Void
  ) -> Subscription {
    observe(fileID: fileID, line: line) { (_: Trigger) in action() }
  }
}

/// An observation that can be canceled. Releasing it does not cancel it.
@CoreActor
public final class Subscription {
  private var end: (() -> Void)?

  /// Creates a subscription that calls `end` once, when it is canceled.
  public init(_ end: @escaping () -> Void = {}) { self.end = end }

  /// Creates a subscription that cancels several others.
  @usableFromInline convenience init(_ subscriptions: [Subscription]) {
    self.init { for subscription in subscriptions { subscription.cancel() } }
  }

  /// Ends the observation with the screen that is being created, if there is one.
  @usableFromInline func keptByScreen(_ fileID: StaticString, _ line: UInt) -> Subscription {
    if let node = ScreenNode.current {
      node.keep(self)
    } else {
      #if DEBUG
        if LateObservation.isWithoutEnd { location = (fileID, line) }
      #endif
    }
    return self
  }

  /// Ends the observation. Has no effect if it has ended.
  public func cancel() {
    let end = end
    self.end = nil
    end?()
    #if DEBUG
      location = nil
    #endif
  }

  #if DEBUG
    /// The call that must keep this subscription, since nothing else ends the observation.
    private var location: (fileID: StaticString, line: UInt)?

    deinit {
      guard let location else { return }
      fatalError(
        "this observation never ends, and keeps the screen in memory after it has closed. Observe "
          + "the relay in the screen's init, or keep the subscription and cancel it.",
        file: location.fileID, line: location.line)
    }
  #endif
}

#if DEBUG
  /// Finds observations that no screen ends.
  @CoreActor
  @usableFromInline enum LateObservation {
    /// The newest call of `observe`, for errors.
    @usableFromInline static var newest: (fileID: StaticString, line: UInt)?
    /// True if the newest observation is of a relay that was not created with a screen.
    @usableFromInline static var isOfLongLivedRelay = false
    /// The number of inputs and timers of screens that are being handled.
    private static var handlers = 0

    /// Runs what a screen does in response to an input or a timer.
    static func handle(in node: ScreenNode, _ body: () -> Void) {
      node.core.noteHandler(node)
      handlers += 1
      body()
      handlers -= 1
    }

    /// True if a handler or an effect of a screen observes such a relay. What a repository observes
    /// while the app is composed may last as long as the app.
    static var isWithoutEnd: Bool {
      isOfLongLivedRelay && (handlers > 0 || Effect.current != nil)
    }
  }
#endif

/// A source that sends values to its observers, in the order in which they subscribed.
///
/// It is the multicast inside every port. A repository can have one of its own to notify screens of
/// changes to its data. Nothing is kept or replayed.
@CoreActor
public final class Relay<Value>: Source {
  // Unchecked on the hot path; see `CoreActor`.
  @exclusivity(unchecked) @usableFromInline var observers: [Observer] = []
  @usableFromInline var lastNumber = 0
  @exclusivity(unchecked) @usableFromInline var isSending = false
  /// The number of canceled observers that are still in the list.
  @exclusivity(unchecked) @usableFromInline var canceled = 0
  /// Values sent while sending.
  @exclusivity(unchecked) @usableFromInline var pending: [() -> Void] = []

  @usableFromInline struct Observer {
    @usableFromInline let number: Int
    /// nil once it is canceled: a value that is being delivered skips it.
    @usableFromInline var receive: ((Value) -> Void)?
    #if DEBUG
      /// The call of `observe`.
      @usableFromInline var location: (fileID: StaticString, line: UInt)?
    #endif

    @inlinable init(_ number: Int, _ receive: @escaping (Value) -> Void) {
      self.number = number
      self.receive = receive
    }
  }

  #if DEBUG
    /// The position of the observer that receives a value.
    @usableFromInline var delivering = 0
    /// The call of `observe` whose observer has sent a value while it received one.
    @usableFromInline var sender: (fileID: StaticString, line: UInt)?
    @usableFromInline let isLongLived: Bool
  #endif

  /// Creates a relay without observers.
  public convenience init() { self.init(isLongLived: ScreenNode.current == nil) }

  /// - Parameter isLongLived: True if it may outlive every screen, unlike that of a port.
  init(isLongLived: Bool) {
    #if DEBUG
      self.isLongLived = isLongLived
    #endif
  }

  /// Sends a value to all observers. A value that an observer sends in response waits until all of
  /// them have received this one, so that all observers see the same order.
  @inlinable public func send(_ value: Value) {
    if isSending {
      #if DEBUG
        sender = observers.indices.contains(delivering) ? observers[delivering].location : nil
      #endif
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
      guard count <= Self.mostPending else { stopEndlessChange() }
      pending.removeFirst()()
    }
  }

  /// The number of values sent in response to one value that counts as endless.
  private static var mostPending: Int { 100_000 }

  private func stopEndlessChange() -> Never {
    let message = "this observer changes the value that it observes, again and again"
    #if DEBUG
      if let sender { fatalError(message, file: sender.fileID, line: sender.line) }
    #endif
    fatalError(message)
  }

  /// Sends a value to the observers at the time of the call. Loops over indices, because iterating
  /// over the array would retain it.
  @inlinable func deliver(_ value: Value) {
    var index = 0
    let count = observers.count
    while index < count, index < observers.count {
      #if DEBUG
        delivering = index
      #endif
      observers[index].receive?(value)
      index += 1
    }
  }

  /// Every value from now on.
  @inlinable public var signal: Signal<Value> {
    Signal { receive in self.add(receive) }
  }

  @inlinable func add(_ receive: @escaping (Value) -> Void) -> Subscription {
    #if DEBUG
      if isLongLived { LateObservation.isOfLongLivedRelay = true }
    #endif
    lastNumber += 1
    let number = lastNumber
    observers.append(Observer(number, receive))
    #if DEBUG
      observers[observers.count - 1].location = LateObservation.newest
    #endif
    return Subscription { self.remove(number) }
  }

  @usableFromInline func remove(_ number: Int) {
    let index = observers.partitioningIndex { $0.number >= number }
    guard index < observers.count, observers[index].number == number,
      observers[index].receive.take() != nil
    else { return }
    canceled += 1
    if !isSending { removeCanceled() }
  }

  /// Removes the canceled observers once they are the majority: each removal moves all others.
  @usableFromInline func removeCanceled() {
    guard canceled * 2 > observers.count else { return }
    observers.removeAll { $0.receive == nil }
    canceled = 0
  }

  var hasObservers: Bool { observers.count > canceled }

  /// Removes all observers, and so releases everything they capture.
  func removeAll() {
    observers = []
    canceled = 0
  }
}
