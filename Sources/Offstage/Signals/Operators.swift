extension Source {
  /// Transforms every value.
  @inlinable public func map<Other>(_ transform: @escaping (Value) -> Other) -> Signal<Other> {
    Signal { receive in signal.subscribe { receive(transform($0)) } }
  }

  /// Transforms every value. An error becomes `fallback`, because a signal never fails.
  @inlinable public func map<Other>(
    orElse fallback: Other, _ transform: @escaping (Value) throws -> Other
  ) -> Signal<Other> {
    map { (try? transform($0)) ?? fallback }
  }

  /// Keeps the values that satisfy `isIncluded`.
  @inlinable public func filter(_ isIncluded: @escaping (Value) -> Bool) -> Signal<Value> {
    Signal { receive in signal.subscribe { if isIncluded($0) { receive($0) } } }
  }

  /// Transforms every value, and drops those that become nil.
  @inlinable public func compactMap<Other>(
    _ transform: @escaping (Value) -> Other?
  ) -> Signal<Other> {
    Signal { receive in
      signal.subscribe { if let other = transform($0) { receive(other) } }
    }
  }

  /// Sends the values of both sources as they arrive.
  @inlinable public func merge(_ other: some Source<Value>) -> Signal<Value> {
    let other = other.signal
    return Signal { receive in
      Subscription([signal.subscribe(receive), other.subscribe(receive)])
    }
  }

  /// Follows the signal made from the newest value, and cancels the previous one.
  @inlinable public func flatMapLatest<Other>(
    _ transform: @escaping (Value) -> Signal<Other>
  ) -> Signal<Other> {
    Signal { receive in
      var inner: Subscription?
      var newest = 0
      var isCanceled = false
      let outer = signal.subscribe { value in
        inner?.cancel()
        newest += 1
        let number = newest
        let subscription = transform(value).subscribe(receive)
        // A value that was replayed may have sent a newer one, or canceled this observation.
        if isCanceled || number != newest {
          subscription.cancel()
        } else {
          inner = subscription
        }
      }
      return Subscription {
        isCanceled = true
        outer.cancel()
        inner?.cancel()
      }
    }
  }
}

extension Source where Value: Equatable {
  /// Drops values that equal the previous one.
  @inlinable public func removeDuplicates() -> Signal<Value> {
    Signal { receive in
      var last: Value?
      return signal.subscribe { value in
        if let last, isSame(last, value) { return }
        last = .some(value)
        receive(value)
      }
    }
  }
}

// MARK: Combining

/// Sends the newest values of both sources whenever one changes, once both have one.
@CoreActor
@inlinable public func combineLatest<A: Source, B: Source>(
  _ a: A, _ b: B
) -> Signal<(A.Value, B.Value)> {
  Signal { receive in
    let newest = NewestValues<A.Value, B.Value>()
    func combine() {
      if let a = newest.a, let b = newest.b { receive((a, b)) }
    }
    return Subscription([
      a.signal.subscribe {
        newest.a = .some($0)
        combine()
      },
      b.signal.subscribe {
        newest.b = .some($0)
        combine()
      },
    ])
  }
}

/// The state of `combineLatest`. A class, because captured variables are checked for exclusive
/// access.
@usableFromInline final class NewestValues<A, B> {
  // Unchecked; see `CoreActor`.
  @exclusivity(unchecked) @usableFromInline var a: A?
  @exclusivity(unchecked) @usableFromInline var b: B?

  @usableFromInline init() {}
}

/// Sends the newest values of all three sources whenever one changes, once all have one.
@CoreActor
@inlinable public func combineLatest<A: Source, B: Source, C: Source>(
  _ a: A, _ b: B, _ c: C
) -> Signal<(A.Value, B.Value, C.Value)> {
  combineLatest(combineLatest(a, b), c).map { ($0.0.0, $0.0.1, $0.1) }
}

// MARK: Timing

extension Source {
  /// Sends a value once no newer one has arrived for `interval`, on the core's clock.
  ///
  /// Apply it while a screen is being created: it uses that screen's timers, and ends with it.
  public func debounce(
    _ interval: Duration, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Signal<Value> {
    let node = ScreenNode.beingCreated(for: "debounce(_:)", fileID, line)
    return Signal { receive in
      var pending: Subscription?
      let source = signal.subscribe { value in
        pending?.cancel()
        pending = node.schedule("debounce", after: interval) { receive(value) }
      }
      return Subscription {
        source.cancel()
        pending?.cancel()
      }
    }
  }

  /// Sends a value at once, then at most one per `interval`: the newest that has arrived.
  ///
  /// Apply it while a screen is being created: it uses that screen's timers, and ends with it.
  public func throttle(
    _ interval: Duration, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Signal<Value> {
    let node = ScreenNode.beingCreated(for: "throttle(_:)", fileID, line)
    return Signal { receive in
      var nextPass = Duration.zero
      var pending: Subscription?
      @CoreActor func pass(_ value: Value) {
        nextPass = node.core.clock.time(after: interval)
        receive(value)
      }
      let source = signal.subscribe { value in
        pending?.cancel()
        let pause = nextPass - node.core.clock.monotonicNow
        guard pause > .zero else { return pass(value) }
        pending = node.schedule("throttle", after: pause) { pass(value) }
      }
      return Subscription {
        source.cancel()
        pending?.cancel()
      }
    }
  }
}
