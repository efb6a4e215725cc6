/// Hands values on to whoever observes, in the order of observing.
///
/// It is the multicast inside every port. Repositories may hold one of their own to tell screens of
/// something that changed underneath them. Nothing is kept or replayed.
@CoreActor
public final class Relay<Value>: Source {
  private var observers: [Observer] = []

  private final class Observer {
    let receive: (Value) -> Void
    init(_ receive: @escaping (Value) -> Void) { self.receive = receive }
  }

  public init() {}

  public func send(_ value: Value) {
    for observer in observers { observer.receive(value) }
  }

  public var signal: Signal<Value> {
    Signal { receive in self.add(receive) }
  }

  func add(_ receive: @escaping (Value) -> Void) -> Subscription {
    let observer = Observer(receive)
    observers.append(observer)
    return Subscription { [weak self] in self?.observers.removeAll { $0 === observer } }
  }

  /// Lets go of all observers, and so of whatever they capture.
  func removeAll() { observers = [] }
}
