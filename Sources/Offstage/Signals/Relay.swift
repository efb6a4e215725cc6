/// Hands values on to whoever observes, in the order of observing.
///
/// It is the multicast inside every port. Repositories may hold one of their own to tell screens of
/// something that changed underneath them. Nothing is kept or replayed.
@CoreActor
public final class Relay<Value>: Source {
  @exclusivity(unchecked) @usableFromInline var observers: [Observer] = []
  @exclusivity(unchecked) @usableFromInline var lastNumber = 0
  @exclusivity(unchecked) @usableFromInline var isSending = false
  /// Whether observers were cancelled while sending.
  @exclusivity(unchecked) @usableFromInline var haveLeft = false
  /// What was sent while sending.
  @exclusivity(unchecked) @usableFromInline var nested: [() -> Void] = []

  @usableFromInline struct Observer {
    @usableFromInline let number: Int
    /// Nil once it is cancelled: a value that is on its way then passes it by.
    @usableFromInline var receive: ((Value) -> Void)?

    @inlinable init(_ number: Int, _ receive: @escaping (Value) -> Void) {
      self.number = number
      self.receive = receive
    }
  }

  /// A relay that nobody observes yet.
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
    if haveLeft { forgetWhoLeft() }
  }

  /// Tells those who observe by now. By index, since a copy of the array would have to be counted.
  @inlinable func deliver(_ value: Value) {
    var index = 0
    let count = observers.count
    while index < count, index < observers.count {
      observers[index].receive?(value)
      index += 1
    }
  }

  /// Every value that is sent, from now on.
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
    haveLeft = true
    if !isSending { forgetWhoLeft() }
  }

  @usableFromInline func forgetWhoLeft() {
    observers.removeAll { $0.receive == nil }
    haveLeft = false
  }

  /// Lets go of all observers, and so of whatever they capture.
  func removeAll() { observers = [] }
}
