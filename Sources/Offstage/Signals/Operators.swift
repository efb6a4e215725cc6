extension Source {
  /// Transforms every value.
  @inlinable public func map<Other>(_ transform: @escaping (Value) -> Other) -> Signal<Other> {
    let signal = signal
    return Signal(from: signal.origins) { receive in
      signal.subscribe { receive(transform($0)) }
    }
  }

  /// Keeps the values that satisfy `isIncluded`.
  @inlinable public func filter(_ isIncluded: @escaping (Value) -> Bool) -> Signal<Value> {
    let signal = signal
    return Signal(from: signal.origins) { receive in
      signal.subscribe { if isIncluded($0) { receive($0) } }
    }
  }

  /// Transforms every value, and drops those that become nil.
  @inlinable public func compactMap<Other>(
    _ transform: @escaping (Value) -> Other?
  ) -> Signal<Other> {
    let signal = signal
    return Signal(from: signal.origins) { receive in
      signal.subscribe { if let other = transform($0) { receive(other) } }
    }
  }

  /// Sends the values of both sources as they arrive.
  @inlinable public func merge(_ other: some Source<Value>) -> Signal<Value> {
    let (signal, other) = (signal, other.signal)
    return Signal(from: signal.origins + other.origins) { receive in
      Subscription([signal.subscribe(receive), other.subscribe(receive)])
    }
  }
}

extension Source where Value: Equatable {
  /// Drops values that equal the previous one.
  @inlinable public func removeDuplicates() -> Signal<Value> {
    let signal = signal
    return Signal(from: signal.origins) { receive in
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
  let (a, b) = (a.signal, b.signal)
  return Signal(from: a.origins + b.origins) { receive in
    let newest = NewestValues<A.Value, B.Value>()
    func combine() {
      if let a = newest.a, let b = newest.b { receive((a, b)) }
    }
    return Subscription([
      a.subscribe {
        newest.a = .some($0)
        combine()
      },
      b.subscribe {
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

// MARK: Timing

extension Source {
  /// Sends a value once no newer one has arrived for `interval`, on the core's clock.
  ///
  /// Apply it while a screen is being created: it uses that screen's timers, and ends with it. It sets
  /// `isPending` to true while a value waits, and to false if the request that brought the value is
  /// canceled.
  public func debounce(
    _ interval: Duration, isPending: Out<Bool>? = nil, fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> Signal<Value> {
    let node = ScreenNode.beingCreated(for: "debounce(_:)", fileID, line)
    return Signal { receive in
      var pending: Subscription?
      let source = signal.subscribe { value in
        pending?.cancel()
        isPending?.value = true
        pending = node.schedule(
          "debounce", after: interval, onCancel: { isPending?.value = false },
          {
            receive(value)
            isPending?.value = false
          })
      }
      return Subscription {
        source.cancel()
        pending?.cancel()
      }
    }
  }
}
