/// An observation that can be ended. Dropping it does not end it.
@CoreActor
public final class Subscription {
  private var end: (() -> Void)?

  /// - Parameter end: what ending takes; called once at most.
  public init(_ end: @escaping () -> Void = {}) { self.end = end }

  /// Ends several together.
  @usableFromInline convenience init(_ subscriptions: [Subscription]) {
    self.init { for subscription in subscriptions { subscription.cancel() } }
  }

  /// Has it end with the screen that is being made, if there is one.
  @usableFromInline func keptByScreen() -> Subscription {
    ScreenNode.current?.keep(self)
    return self
  }

  /// Ends the observation: from now on the observer hears nothing. Ending it again does nothing.
  public func cancel() {
    let end = end
    self.end = nil
    end?()
  }
}
