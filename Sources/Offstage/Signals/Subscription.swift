/// An observation that can be ended. Dropping it does not end it.
@CoreActor
public final class Subscription {
  private var end: (() -> Void)?

  /// - Parameter end: what ending takes; called once at most.
  public init(_ end: @escaping () -> Void = {}) { self.end = end }

  /// Ends several together.
  convenience init(_ subscriptions: [Subscription]) {
    self.init { for subscription in subscriptions { subscription.cancel() } }
  }

  public func cancel() {
    let end = end
    self.end = nil
    end?()
  }
}
