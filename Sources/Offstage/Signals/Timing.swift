extension Source {
  /// A value once nothing newer has come for `interval`, on the core's clock.
  ///
  /// Apply it while a screen is being made: it waits on that screen's time, and ends with it.
  public func debounce(_ interval: Duration) -> Signal<Value> {
    let timers = ScreenTimers()
    return Signal { receive in
      var pending: Subscription?
      let source = signal.subscribe { value in
        pending?.cancel()
        pending = timers.after(interval) { receive(value) }
      }
      return Subscription {
        source.cancel()
        pending?.cancel()
      }
    }
  }

  /// A value at once, then at most one each `interval`: the newest of those that came meanwhile.
  ///
  /// Apply it while a screen is being made: it waits on that screen's time, and ends with it.
  public func throttle(_ interval: Duration) -> Signal<Value> {
    let timers = ScreenTimers()
    return Signal { receive in
      var newest: Value?
      var pause: Subscription?
      @CoreActor func pass(_ value: Value) {
        // The pause is the throttle's and not the request's: without its end nothing passes again.
        pause = timers.after(interval, endsWithRequest: false) {
          pause = nil
          if let value = newest.take() { pass(value) }
        }
        receive(value)
      }
      let source = signal.subscribe { value in
        if pause == nil { pass(value) } else { newest = .some(value) }
      }
      return Subscription {
        source.cancel()
        pause?.cancel()
      }
    }
  }
}

/// The timers of the screen that is being made.
@CoreActor
struct ScreenTimers {
  private let node: ScreenNode

  init(_ operation: StaticString = #function) { node = ScreenNode.making(operation) }

  /// Runs `action` after `delay` unless the screen has closed by then, or the request behind it has
  /// been cancelled; carries the present cause.
  func after(
    _ delay: Duration, endsWithRequest: Bool = true, _ action: @escaping () -> Void
  ) -> Subscription {
    node.schedule(after: delay, endsWithRequest: endsWithRequest, action)
  }
}
