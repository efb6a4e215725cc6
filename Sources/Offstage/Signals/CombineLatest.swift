/// The newest values of both, whenever either changes, once both have one.
@CoreActor
@inlinable public func combineLatest<A: Source, B: Source>(
  _ a: A, _ b: B
) -> Signal<(A.Value, B.Value)> {
  Signal { receive in
    var newestA: A.Value?
    var newestB: B.Value?
    func combine() {
      if let newestA, let newestB { receive((newestA, newestB)) }
    }
    return Subscription([
      a.signal.subscribe {
        newestA = .some($0)
        combine()
      },
      b.signal.subscribe {
        newestB = .some($0)
        combine()
      },
    ])
  }
}

/// The newest values of all three, whenever one changes, once all have one.
@CoreActor
@inlinable public func combineLatest<A: Source, B: Source, C: Source>(
  _ a: A, _ b: B, _ c: C
) -> Signal<(A.Value, B.Value, C.Value)> {
  combineLatest(combineLatest(a, b), c).map { ($0.0.0, $0.0.1, $0.1) }
}
