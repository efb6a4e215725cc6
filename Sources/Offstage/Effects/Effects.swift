internal import OffstageSystem

/// The work of a screen. It is canceled when the screen closes.
///
/// ```swift
/// final class Search: Screen {
///   let effects = Effects()
///
///   init(repository: any BookRepository) {
///     let search = effects.task(.latest)
///     output.isSearching.bind(search.activity)
///     input.queryText.observe { [self] query in
///       search.run { [self] in
///         output.books.reset(to: try await repository.books(matching: query))
///       } catch: { [self] error in
///         output.failed.send("\(error)")
///       }
///     }
///   }
/// }
/// ```
@CoreActor
public final class Effects {
  /// What happens when work is started while work of the same name runs.
  public enum Policy: Sendable {
    /// Ignores the new start, as for a fetch that is already running.
    case keepFirst
    /// Cancels the running work and starts the new one, as for a search while the user types.
    case latest
    /// Starts the new work once the earlier work has ended, as for messages that are sent in order.
    case queue
  }

  let node: ScreenNode
  private(set) var running: [String: Effect] = [:]
  private var waiting: [String: Queue<Effect>] = [:]
  /// True while work runs, by its name. Only names that were asked for have an entry.
  private(set) var activities: [String: Out<Bool>] = [:]
  /// The number of activities at which those that nothing observes are dropped.
  private var activityLimit = 64
  private var reserved: Set<String> = []
  /// Handles the errors of work without a `catch:`.
  private(set) var errorHandler: (@CoreActor (any Error) -> Void)?
  /// Changes that are shown before they are saved, by the name of the work that saves them.
  var unsaved: [String: any UnsavedChange] = [:]

  /// Creates the effects of the screen that is being created: call it in a stored property or `init` of
  /// the screen or of its helpers, whose effects end with the screen too.
  ///
  /// Anywhere else, the program stops with a message that names the caller's file and line.
  public init(fileID: StaticString = #fileID, line: UInt = #line) {
    node = ScreenNode.beingCreated(for: "Effects()", fileID, line)
    node.keep(self)
  }

  /// The effects of a port.
  init(of node: ScreenNode) {
    self.node = node
    node.keep(self)
  }

  /// Starts work that happens once, such as the first load of a screen. For work that may be started
  /// again while it runs, declare a ``task(_:name:fileID:line:)``.
  ///
  /// Canceled work ends silently. An error that neither `handle` nor ``onError(_:)`` handles reaches the
  /// front end as an `error` notification.
  ///
  /// While any part of the work waits for a prompt or the clock, the whole of it counts as settled.
  /// Run the part that should be waited for as work of its own.
  ///
  /// Work with `outlivesScreen`, such as a save, continues after the screen has closed. When the input of
  /// the program has ended, it waits for such work that runs, but not for work that sleeps or asks.
  /// ```swift
  /// effects.run { [output] in output.books.reset(to: try await repository.books()) }
  /// ```
  /// The work may capture the screen strongly. The caller's file and line name it in messages.
  public func run(
    outlivesScreen: Bool = false, fileID: StaticString = #fileID, line: UInt = #line,
    _ operation: @escaping @CoreActor () async throws -> Void,
    catch handle: (@CoreActor (any Error) -> Void)? = nil
  ) {
    run(freeName(fileID, line), outlivesScreen: outlivesScreen, operation, catch: handle)
  }

  /// Starts work under a name. The policy applies to work of the same name.
  func run(
    _ name: String, _ policy: Policy = .latest, outlivesScreen: Bool = false,
    _ operation: @escaping @CoreActor () async throws -> Void,
    catch handle: (@CoreActor (any Error) -> Void)? = nil
  ) {
    guard node.isOpen || outlivesScreen else { return }
    let old = running[name]
    if policy == .keepFirst, old != nil { return }
    let effect = Effect(
      name, of: self, operation, catch: handle, outlivesScreen: outlivesScreen)
    guard let old else { return start(effect) }
    if policy == .latest {
      running[name] = nil
      old.cancel()
      start(effect)
    } else {
      effect.cause?.began()
      node.core.queuedCount += 1
      waiting[name, default: Queue()].append(effect)
    }
  }

  /// Handles the errors of work that is started from now on without a `catch:`.
  /// ```swift
  /// effects.onError { [output] in output.failed.send("\($0)") }
  /// ```
  public func onError(_ handle: @escaping @CoreActor (any Error) -> Void) {
    if node.isOpen { errorHandler = handle }
  }

  /// Releases the closures of a screen that has ended: they often capture it.
  func release() {
    errorHandler = nil
    activities = [:]
  }

  /// Declares work that can be started many times, canceled, and shown while it runs.
  ///
  /// Messages call the work by `name`, which is the file and line of the call by default. The program
  /// stops if other work of the screen has this name.
  public func task(
    _ policy: Policy = .latest, name: String? = nil, fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> EffectHandle {
    let name = name ?? "\(fileID):\(line)"
    require(
      reserved.insert(name).inserted,
      "the name \"\(name)\" is taken by another loader, pager, or task of this screen; pass `name:`",
      file: fileID, line: line)
    return EffectHandle(effects: self, name: name, policy: policy)
  }

  /// Calls `action` with every element of an asynchronous sequence, until the sequence or the screen
  /// ends, and `handle` with the error that ended the sequence.
  ///
  /// While it waits for an element, it counts as settled. Elements that are produced on the core
  /// arrive in the same order in every run. The work has no cause: no request waits for it, and
  /// canceling the request that started it does not end it.
  /// ```swift
  /// effects.observe(repository.changes) { [self] change in apply(change) }
  /// ```
  @discardableResult
  public func observe<S: AsyncSequence>(
    _ sequence: S, fileID: StaticString = #fileID, line: UInt = #line,
    _ action: @escaping @CoreActor (S.Element) -> Void,
    catch handle: (@CoreActor (any Error) -> Void)? = nil
  ) -> Subscription {
    guard node.isOpen else { return Subscription() }
    let effect = Effect(
      freeName(fileID, line), of: self,
      { [self] in try await deliver(sequence, to: action) }, catch: handle, hasCause: false)
    start(effect)
    return Subscription { effect.cancel() }
  }

  private func deliver<S: AsyncSequence>(
    _ sequence: S, to action: @CoreActor (S.Element) -> Void
  ) async throws {
    node.core.observations += 1
    defer { node.core.observations -= 1 }
    var iterator = sequence.makeAsyncIterator()
    while true {
      Effect.current?.suspend()
      let next: Result<S.Element?, S.Failure>
      do throws(S.Failure) {
        next = .success(try await iterator.next(isolation: CoreActor.shared))
      } catch {
        next = .failure(error)
      }
      Effect.current?.resume()
      try Task.checkCancellation()
      guard let element = try next.get() else { return }
      action(element)
    }
  }

  /// Calls `action` once per interval on the core's clock, until the screen ends.
  ///
  /// The ticker has no cause: no request waits for it, and canceling the request that started it does
  /// not end it.
  /// - Precondition: `interval` is positive.
  @discardableResult
  public func every(
    _ interval: Duration, fileID: StaticString = #fileID, line: UInt = #line,
    _ action: @escaping () -> Void
  ) -> Subscription {
    require(interval > .zero, "an interval must be positive", file: fileID, line: line)
    let interval = min(interval, CoreClock.end)
    var timer: Subscription?
    func schedule(at deadline: Duration) {
      let now = node.core.clock.monotonicNow
      // Keep the beat, even if the turn is late. Skip the beats that were missed.
      let deadline = max(deadline, now)
      timer = node.schedule("every", after: deadline - now, hasCause: false) {
        schedule(at: deadline + interval)
        action()
      }
    }
    schedule(at: node.core.clock.monotonicNow + interval)
    return Subscription { timer?.cancel() }
  }

  /// Calls `action` once, when the screen closes; not when the program ends.
  ///
  /// Its outputs no longer reach the front end. Pass `outlivesScreen: true` to work that has to finish.
  public func onClose(_ action: @escaping () -> Void) {
    if node.isOpen { node.keep(Subscription(action)) } else { action() }
  }

  /// Runs blocking or expensive code on another thread, and returns to the core.
  ///
  /// An effect runs on the core's thread, and so do actors and nonisolated functions that it calls.
  /// Code that blocks there delays every input. With a virtual clock, in tests and with
  /// `--deterministic`, it still runs on the core's thread, so that all runs are alike.
  /// ```swift
  /// let places = try await effects.offCore { try await index.search(query) }
  /// ```
  public func offCore<Value: Sendable>(
    _ operation: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    if node.core.clock.isVirtual { return try await operation() }
    return try await withTaskExecutorPreference(globalConcurrentExecutor, operation: operation)
  }

  func isRunning(_ name: String) -> Bool {
    Derivation.current == nil ? running[name] != nil : output(for: name).value
  }

  func activity(_ name: String) -> Signal<Bool> {
    Signal { self.output(for: name).signal.subscribe($0) }
  }

  private func output(for name: String) -> Out<Bool> {
    if let output = activities[name] { return output }
    if activities.count >= activityLimit {
      activities = activities.filter { $0.value.isUsed }
      activityLimit = max(64, activities.count * 2)
    }
    let output = Out(running[name] != nil)
    activities[name] = output
    return output
  }

  func cancel(_ name: String) {
    if let queue = waiting.removeValue(forKey: name) {
      for effect in queue.elements { dequeued(effect) }
    }
    running.removeValue(forKey: name)?.cancel()
    finished(name)
  }

  func cancelQueued(where isIncluded: (Effect) -> Bool) {
    for (name, queue) in waiting {
      for effect in queue.elements where isIncluded(effect) { dequeued(effect) }
      let kept = queue.elements.filter { !isIncluded($0) }
      waiting[name] = kept.isEmpty ? nil : Queue(kept)
    }
  }

  /// The work that waits for other work of its name.
  var queued: [Effect] { waiting.values.flatMap { $0.elements } }

  /// The time on the core's clock, since 1970. A virtual clock stands still until it is advanced.
  public var now: Duration { node.core.clock.now }

  /// Suspends the current work on the core's clock.
  /// - Throws: `CancellationError` once the work is canceled.
  public func sleep(for duration: Duration) async throws {
    guard node.isOpen || Effect.current?.outlivesScreen == true else { throw CancellationError() }
    try await node.core.clock.sleep(for: duration)
  }

  /// The file and line of a call; with a number if they name work that runs.
  private func freeName(_ fileID: StaticString, _ line: UInt) -> String {
    let name = "\(fileID):\(line)"
    return running[name] == nil ? name : "\(name) (\(node.core.nextEffectNumber()))"
  }

  private func start(_ effect: Effect) {
    running[effect.name] = effect
    if !node.isOpen { node.core.lingering.append(effect) }
    effect.start()
    activities[effect.name]?.value = true
  }

  func ended(_ effect: Effect) {
    if effect.outlivesScreen { node.core.lingering.removeAll { $0 === effect } }
    guard running[effect.name] === effect else { return }
    running[effect.name] = nil
    guard let next = waiting[effect.name]?.popFirst() else { return finished(effect.name) }
    if waiting[effect.name]?.isEmpty == true { waiting[effect.name] = nil }
    dequeued(next)
    start(next)
  }

  private func dequeued(_ effect: Effect) {
    node.core.queuedCount -= 1
    effect.cause?.ended()
  }

  /// Called when the last work of a name has ended.
  private func finished(_ name: String) {
    // Roll back before notifying: an observer may restart the work.
    unsaved.removeValue(forKey: name)?.rollBack()
    activities[name]?.value = running[name] != nil
  }
}
