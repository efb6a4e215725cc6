/// Hands values on to whoever observes, in the order of observing.
///
/// It is the multicast inside every port. Repositories may hold one of their own to tell screens of
/// something that changed underneath them. Nothing is kept or replayed.
@CoreActor
public final class Relay<Value>: Source {
  @exclusivity(unchecked) @usableFromInline var observers: [Observer] = []

  @usableFromInline final class Observer {
    /// Nil once it is cancelled: a value that is on its way then passes it by.
    @exclusivity(unchecked) @usableFromInline var receive: ((Value) -> Void)?
    @inlinable init(_ receive: @escaping (Value) -> Void) { self.receive = receive }
  }

  @inlinable public init() {}

  /// Hands on a value. One that an observer sends meanwhile waits until all have heard this one, so
  /// that what they heard last is the same for all.
  @inlinable public func send(_ value: Value) {
    if isSending {
      nested.append { self.deliver(value) }
      return
    }
    isSending = true
    deliver(value)
    while nested.count > 0 { nested.removeFirst()() }
    isSending = false
  }

  @exclusivity(unchecked) @usableFromInline var isSending = false
  /// What was sent while sending.
  @exclusivity(unchecked) @usableFromInline var nested: [() -> Void] = []

  @inlinable func deliver(_ value: Value) {
    for observer in observers { observer.receive?(value) }
  }

  @inlinable public var signal: Signal<Value> {
    Signal { receive in self.add(receive) }
  }

  @inlinable func add(_ receive: @escaping (Value) -> Void) -> Subscription {
    let observer = Observer(receive)
    observers.append(observer)
    return Subscription {
      observer.receive = nil
      self.observers.removeAll { $0 === observer }
    }
  }

  /// Lets go of all observers, and so of whatever they capture.
  func removeAll() {
    for observer in observers { observer.receive = nil }
    observers = []
  }
}
