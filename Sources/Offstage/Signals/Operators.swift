extension Source {
  /// Every value, changed.
  @inlinable public func map<Other>(_ transform: @escaping (Value) -> Other) -> Signal<Other> {
    Signal { receive in signal.subscribe { receive(transform($0)) } }
  }

  /// Every value, changed; an error on the way becomes `fallback`, since an output never fails.
  @inlinable public func map<Other>(
    orElse fallback: Other, _ transform: @escaping (Value) throws -> Other
  ) -> Signal<Other> {
    map { (try? transform($0)) ?? fallback }
  }

  /// The values that satisfy `isIncluded`.
  @inlinable public func filter(_ isIncluded: @escaping (Value) -> Bool) -> Signal<Value> {
    Signal { receive in signal.subscribe { if isIncluded($0) { receive($0) } } }
  }

  /// Every value, changed, without those that become nil.
  @inlinable public func compactMap<Other>(_ transform: @escaping (Value) -> Other?) -> Signal<
    Other
  > {
    Signal { receive in
      signal.subscribe { if let other = transform($0) { receive(other) } }
    }
  }

  /// The values of both as they come.
  @inlinable public func merge(_ other: some Source<Value>) -> Signal<Value> {
    let other = other.signal
    return Signal { receive in
      Subscription([signal.subscribe(receive), other.subscribe(receive)])
    }
  }

  /// Follows the signal made of the newest value, and lets go of the one before it.
  @inlinable public func flatMapLatest<Other>(
    _ transform: @escaping (Value) -> Signal<Other>
  ) -> Signal<Other> {
    Signal { receive in
      var inner: Subscription?
      var isCancelled = false
      let outer = signal.subscribe { value in
        inner?.cancel()
        inner = transform(value).subscribe(receive)
        // A value that it replays may have ended this very observation.
        if isCancelled { inner?.cancel() }
      }
      return Subscription {
        isCancelled = true
        outer.cancel()
        inner?.cancel()
      }
    }
  }
}

extension Source where Value: Equatable {
  /// The values without immediate repetitions.
  @inlinable public func distinct() -> Signal<Value> {
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
