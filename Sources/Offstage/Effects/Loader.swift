/// Loads one thing for a screen: guards against a second request, reports failures, and loads again.
///
/// Use a ``Pager`` for a list that is loaded page by page. One load runs at a time, and a load that
/// is canceled ends silently, even if its value arrives later. With a cache, the first load sends the
/// cached value before it asks for the current one. A failure keeps what was sent, which is stale
/// from then on.
/// ```swift
/// let book = Loader(
///   effects,
///   cached: { try await repository.cachedBook(id: id) },
///   current: { try await repository.book(id: id) })
///
/// output.isLoading.bind(book.isLoading)
/// output.isStale.bind(book.staleSince.map { $0 != nil })
/// output.book.bind(book.values.map { $0 })
/// output.failure.bind(book.failure.map { $0.map(Failure.init) })
/// input.didAppear.merge(input.retry).observe { (_: Trigger) in book.load() }
/// input.refresh.observe { book.reload() }
/// ```
@CoreActor
public final class Loader<Value: Sendable> {
  /// Sends every value that was loaded, from the cache too. Nothing is replayed: observe it before
  /// the first load.
  public let values = Relay<Value>()
  /// Sends the error of every load that failed.
  public let failures = Relay<any Error>()

  private let work: EffectHandle
  /// nil once the screen has closed, because the closure often captures the screen.
  private var operation: (@CoreActor () async throws -> Value)?
  private var cached: (@CoreActor () async throws -> Cached<Value>?)?
  /// True once the newest load has succeeded.
  private var isLoaded = false
  private let state = LoadState()

  /// - Parameters:
  ///   - effects: The effects of the screen that is being created.
  ///   - name: The name of the load among these effects. Two loaders or pagers of one screen need
  ///     different names.
  ///   - fileID: The caller's file, for the error of a name that is taken.
  ///   - line: The caller's line.
  ///   - cached: Returns the value as it was last loaded; nil if it never was. Its errors are ignored.
  ///   - operation: Asks a repository for the value.
  public init(
    _ effects: Effects, name: String = "load", fileID: StaticString = #fileID, line: UInt = #line,
    cached: (@CoreActor () async throws -> Cached<Value>?)? = nil,
    current operation: @escaping @CoreActor () async throws -> Value
  ) {
    work = effects.task(name: name, fileID: fileID, line: line)
    self.operation = operation
    self.cached = cached
    effects.node.keep(
      Subscription {
        self.operation = nil
        self.cached = nil
      })
  }

  /// True while a load runs: bind a spinner to it.
  public var isLoading: Signal<Bool> { work.activity }

  /// The error of the newest load; nil before the first failure, and once a load has succeeded since.
  /// A value from the cache leaves it.
  public var failure: Signal<(any Error)?> { state.failure }

  /// The time at which the last value was loaded if it is out of date: it comes from the cache, or a
  /// newer one could not be loaded. nil if it is up to date. The time is that of the core's clock.
  public var staleSince: Signal<Duration?> { state.staleSince.signal }

  /// Loads the value, unless it is loaded or loading. After a failure it tries again, so an
  /// input `retry` can call it as well.
  public func load() {
    if !isLoaded, !work.isRunning { start() }
  }

  /// Loads the value again, and cancels a load that is running.
  public func reload() {
    isLoaded = false
    start()
  }

  private func start() {
    work.run { [self] in
      guard let operation else { return }
      if state.loadedAt == nil, let cached = try await LoadState.cached(cached) {
        state.took(cached)
        values.send(cached.value)
      }
      let value = try await operation()
      // A repository may return a value even if the load was canceled.
      try Task.checkCancellation()
      isLoaded = true
      state.loaded(at: work.effects.now)
      values.send(value)
      state.succeeded()
    } catch: { [self] error in
      state.becameStale()
      state.failed(error)
      failures.send(error)
    }
  }
}

/// A value that was loaded earlier.
public struct Cached<Value: Sendable>: Sendable {
  /// The value as it was then.
  public var value: Value
  /// The time at which it was loaded, since 1970-01-01T00:00:00Z.
  public var loadedAt: Duration

  /// A value that was loaded at a time since 1970-01-01T00:00:00Z.
  public init(_ value: Value, loadedAt: Duration) {
    self.value = value
    self.loadedAt = loadedAt
  }

  /// Returns another form of the value.
  public func map<New>(_ transform: (Value) throws -> New) rethrows -> Cached<New> {
    Cached<New>(try transform(value), loadedAt: loadedAt)
  }
}

extension Cached: Equatable where Value: Equatable {}

/// What a loader or a pager knows of its newest load.
@CoreActor
final class LoadState {
  /// nil if what was sent is up to date.
  let staleSince = Out<Duration?>(nil)
  /// The time at which it was loaded; nil before.
  private(set) var loadedAt: Duration?
  private var newestFailure: (any Error)?
  private let outcomes = Relay<(any Error)?>()

  /// The error of the newest load; nil before the first failure, and once a load has succeeded since.
  var failure: Signal<(any Error)?> {
    Signal { receive in
      // Subscribe before replaying: the observer may load again.
      let subscription = self.outcomes.add(receive)
      receive(self.newestFailure)
      return subscription
    }
  }

  /// Notes a value from the cache, which leaves the failure.
  func took(_ cached: Cached<some Sendable>) {
    loadedAt = cached.loadedAt
    staleSince.value = cached.loadedAt
  }

  /// Notes a value that is up to date.
  func loaded(at time: Duration) {
    loadedAt = time
    staleSince.value = nil
  }

  func succeeded() {
    newestFailure = nil
    outcomes.send(nil)
  }

  func failed(_ error: any Error) {
    newestFailure = error
    outcomes.send(error)
  }

  /// Keeps what was sent, which is out of date now.
  func becameStale() { staleSince.value = loadedAt }

  /// Asks a cache. The load that follows reports what is wrong, so a cache that fails is empty.
  static func cached<Value>(
    _ cached: (@CoreActor () async throws -> Cached<Value>?)?
  ) async throws -> Cached<Value>? {
    let value = try? await cached?()
    try Task.checkCancellation()
    return value
  }
}
