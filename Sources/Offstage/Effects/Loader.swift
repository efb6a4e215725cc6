internal import OffstageJSON

/// Loads one thing for a screen: guards against a second request, reports failures, and reloads.
///
/// Use a ``Pager`` for a list that is loaded page by page. One load runs at a time, and a load that
/// is canceled ends silently, even if its value arrives later. With a cache, the first load sends
/// the cached value before it asks for the current one. A failure makes the newest value stale.
///
/// After a restart of the core, a loader that had begun loads by itself: what the cache has comes
/// first, so the screen shows again what it showed.
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
public class Loader<Value: Sendable> {
  /// Sends every loaded value, cached ones too. Nothing is replayed: observe it before the first
  /// load.
  public let values = Relay<Value>()
  /// Sends the error of every load that failed. What was sent before stays.
  public var failures: Signal<any Error> { outcomes.compactMap { $0 } }

  let work: EffectHandle
  /// nil for a pager, which has one that takes requests.
  private var origin: LoadOrigin<Void, Value>?
  /// True once the newest load has succeeded.
  private var isLoaded = false
  /// True once a load has begun, also before the restart of the core.
  private var hasBegun = false {
    didSet { if hasBegun != oldValue { work.effects.node.noteKept() } }
  }
  /// The time at which the newest value was loaded; nil before the first one.
  private(set) var loadedAt: Duration?
  /// The time at which the newest value was loaded if it is stale, or else nil.
  private(set) var stale: Duration? { didSet { if stale != oldValue { ages.send(stale) } } }
  private let ages = Relay<Duration?>()
  private var newestFailure: (any Error)?
  private let outcomes = Relay<(any Error)?>()

  /// Creates a loader for the screen that is being created. Loaders and pagers that share one
  /// ``Effects`` need different names. `cached` returns the value as it was last loaded, and the time
  /// of that since 1970-01-01T00:00:00Z, or nil if it never was; its errors are ignored.
  public convenience init(
    _ effects: Effects, name: String = "load", fileID: StaticString = #fileID, line: UInt = #line,
    cached: (@CoreActor () async throws -> (value: Value, loadedAt: Duration)?)? = nil,
    current operation: @escaping @CoreActor () async throws -> Value
  ) {
    self.init(effects.task(name: name, fileID: fileID, line: line))
    origin = LoadOrigin(for: effects.node, cached: { try await cached?() }, current: operation)
    hasBegun = effects.node.saved(for: self, named: work.slot.name) != nil
  }

  init(_ work: EffectHandle) { self.work = work }

  /// True while a load runs: bind a spinner to it.
  public var isLoading: Signal<Bool> { work.activity }

  /// The error of the newest load, or nil if none has failed since the last success. A value from
  /// the cache does not clear it.
  public var failure: Signal<(any Error)?> { Signal(outcomes) { self.newestFailure } }

  /// The time at which the newest value was loaded, on the core's clock, if it is stale: it comes
  /// from the cache, or loading it again has failed. nil if it is up to date.
  public var staleSince: Signal<Duration?> { Signal(ages) { self.stale } }

  /// Loads the value, unless it is loaded or loading. After a failure it tries again, so an
  /// input `retry` can call it too.
  public func load() {
    if !isLoaded, !work.isRunning { start() }
  }

  /// Loads the value again, and cancels a load that is running.
  public func reload() {
    isLoaded = false
    start()
  }

  private func start() {
    hasBegun = true
    work.run { [self] in
      if loadedAt == nil, let cached = try await origin?.cached(()) {
        noteLoad(at: cached.loadedAt, isCached: true)
        values.send(cached.value)
      }
      guard let value = try await origin?.current(()) else { return }
      isLoaded = true
      noteLoad(at: work.effects.now)
      values.send(value)
      noteSuccess()
    } catch: { [self] error in
      noteFailure(error, isStale: true)
    }
  }

  /// Notes that a value was loaded. One from the cache is stale.
  func noteLoad(at time: Duration, isCached: Bool = false) {
    loadedAt = time
    stale = isCached ? time : nil
  }

  func noteSuccess() {
    newestFailure = nil
    outcomes.send(nil)
  }

  /// Forgets the newest value and failure, as before the first load.
  func forget() {
    (loadedAt, stale) = (nil, nil)
    if newestFailure != nil { noteSuccess() }
  }

  /// - Parameter isStale: True if the newest value is now stale.
  func noteFailure(_ error: any Error, isStale: Bool) {
    if isStale { stale = loadedAt }
    newestFailure = error
    outcomes.send(error)
  }

  // MARK: Restarts

  var keptState: JSON? { hasBegun ? true : nil }

  func goOn() { load() }
}

extension Loader: NamedKeeper {}

/// Where a loader gets its values, until the screen has closed: the closures often capture it.
@CoreActor
final class LoadOrigin<Request: Sendable, Value: Sendable>: Cancelable {
  private var closures:
    (
      cached: @CoreActor (Request) async throws -> (value: Value, loadedAt: Duration)?,
      current: @CoreActor (Request) async throws -> Value
    )?

  init(
    for node: ScreenNode,
    cached: @escaping @CoreActor (Request) async throws -> (value: Value, loadedAt: Duration)?,
    current: @escaping @CoreActor (Request) async throws -> Value
  ) {
    closures = (cached, current)
    node.keep(Subscription(self, 0))
  }

  func cancel(_ number: Int) { closures = nil }

  /// Asks the cache. If it fails, it counts as empty: the load that follows reports what is wrong.
  func cached(_ request: Request) async throws -> (value: Value, loadedAt: Duration)? {
    let value = try? await closures?.cached(request)
    try Task.checkCancellation()
    return value
  }

  /// - Returns: nil if the screen has closed.
  func current(_ request: Request) async throws -> Value? {
    let value = try await closures?.current(request)
    // A repository may return a value even if the load was canceled.
    try Task.checkCancellation()
    return value
  }
}
