/// Runs the asynchronous work of a screen, and cancels it when the screen closes.
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
  /// The slots in use, in the order of the names of their work.
  private(set) var slots: [EffectSlot] = []
  /// The number of slots at which unused ones are dropped.
  private var slotLimit = 64
  /// Handles the errors of work without a `catch:`.
  private(set) var errorHandler: (@CoreActor (any Error) -> Void)?

  /// Creates the effects of the screen that is being created. Call it in a stored property or
  /// `init` of the screen or of its helpers, whose effects end with the screen too.
  ///
  /// Anywhere else, the program stops with a message that names the caller's file and line.
  public convenience init(fileID: StaticString = #fileID, line: UInt = #line) {
    self.init(of: ScreenNode.beingCreated(for: "Effects()", fileID, line))
  }

  /// The effects of a port.
  init(of node: ScreenNode) {
    self.node = node
    node.keep(self)
  }

  /// Starts work that happens once, such as the first load of a screen. For work that may be
  /// started again while it runs, declare a ``task(_:name:fileID:line:)``.
  ///
  /// Canceled work ends silently. An error that neither `handle` nor ``onError(_:)`` handles
  /// reaches the front end as an `error` notification.
  ///
  /// While any part of the work waits for a prompt or the clock, the whole of it counts as settled.
  /// Run the part that should be waited for as work of its own.
  ///
  /// With `outlivesScreen`, work such as a save continues after the screen has closed. When the
  /// program ends, it lets such work finish, for at most `--drain` seconds, and a sleep ends at
  /// once: a save that waits for a pause in typing is not lost.
  /// ```swift
  /// effects.run { [output] in output.books.reset(to: try await repository.books()) }
  /// ```
  /// The work may capture the screen strongly. The caller's file and line name it in messages.
  public func run(
    outlivesScreen: Bool = false, fileID: StaticString = #fileID, line: UInt = #line,
    _ operation: @escaping @CoreActor () async throws -> Void,
    catch handle: (@CoreActor (any Error) -> Void)? = nil
  ) {
    EffectHandle(effects: self, slot: freeSlot(fileID, line), policy: .latest)
      .run(outlivesScreen: outlivesScreen, operation, catch: handle)
  }

  /// Runs work that outlives the screen and has no cause: no request waits for it, and canceling the
  /// request that started it does not end it.
  package func runWithoutCause(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ operation: @escaping @CoreActor () async throws -> Void,
    catch handle: @escaping @CoreActor (any Error) -> Void
  ) {
    let slot = freeSlot(fileID, line)
    slot.start(
      Effect(in: slot, of: self, operation, catch: handle, hasCause: false, outlivesScreen: true))
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
    for slot in slots { slot.release() }
  }

  /// Declares work that can be started many times, canceled, and shown while it runs.
  ///
  /// `name` identifies the work in messages; by default, it is the file and line of the call. The
  /// program stops if the name is taken. A restart of the core ends the work without a word, unless
  /// ``EffectHandle/onRestart(_:fileID:line:_:)`` says what it means.
  public func task(
    _ policy: Policy = .latest, name: String? = nil, fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> EffectHandle {
    let name = name ?? CallSite(fileID, line).name
    let slot = slot(named: name)
    require(
      !slot.isDeclared,
      "the name \"\(name)\" is taken by another loader, pager, or task of this screen: declare each "
        + "once, in a property or in `init`, with a `name:` of its own",
      file: fileID, line: line)
    slot.isDeclared = true
    return EffectHandle(effects: self, slot: slot, policy: policy)
  }

  /// Calls `action` with every element of an asynchronous sequence, until the sequence or the
  /// screen ends, and `handle` with the error that ended the sequence.
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
    let slot = freeSlot(fileID, line)
    let effect = Effect(
      in: slot, of: self, { [self] in try await deliver(sequence, to: action) }, catch: handle,
      hasCause: false)
    slot.start(effect)
    return Subscription { effect.cancel() }
  }

  private func deliver<S: AsyncSequence>(
    _ sequence: S, to action: @CoreActor (S.Element) -> Void
  ) async throws {
    node.core.work.observations += 1
    defer { node.core.work.observations -= 1 }
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
  /// The ticker has no cause: no request waits for it, and canceling the request that started it
  /// does not end it.
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
      // Keep the beat if the turn is a little late. If a beat was missed, start over from now.
      let deadline = max(deadline, now)
      timer = node.schedule("every", after: deadline - now, hasCause: false) {
        schedule(at: deadline + interval)
        action()
      }
    }
    schedule(at: node.core.clock.monotonicNow + interval)
    return Subscription { timer?.cancel() }
  }

  /// Calls `action` once when the screen closes, also because the program ends.
  ///
  /// By then, the outputs of the screen no longer reach the front end. Work that `action` starts
  /// does not run unless it passes `outlivesScreen: true`.
  public func onClose(_ action: @escaping () -> Void) {
    if node.isOpen { node.keep(Subscription(action)) } else { action() }
  }

  /// Runs blocking or expensive code on another thread, and returns to the core.
  ///
  /// An effect runs on the core's thread, and so do actors and nonisolated functions that it calls.
  /// Code that blocks there delays every input. With a virtual clock, in tests and with
  /// `--deterministic`, it still runs on the core's thread, so that every run is the same.
  /// ```swift
  /// let places = try await effects.offCore { try await index.search(query) }
  /// ```
  public func offCore<Value: Sendable>(
    _ operation: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    if node.core.clock.isVirtual { return try await operation() }
    return try await withTaskExecutorPreference(globalConcurrentExecutor, operation: operation)
  }

  /// The time on the core's clock, since 1970. A virtual clock stands still until it is advanced.
  public var now: Duration { node.core.clock.now }

  /// Suspends the current work on the core's clock. When the program ends, work that outlives its
  /// screen need not wait: its sleep ends at once, and the next one throws an error.
  /// - Throws: `CancellationError` once the work is canceled.
  public func sleep(for duration: Duration) async throws {
    guard node.isOpen || Effect.current?.outlivesScreen == true else { throw CancellationError() }
    guard !node.core.hasEnded else { return try hurry() }
    try await node.core.clock.sleep(for: duration)
    if node.core.hasEnded { try hurry() }
  }

  /// Takes the place of one sleep of the current work after the end of the app.
  private func hurry() throws {
    guard let effect = Effect.current, !effect.hasHurried else { throw CancellationError() }
    effect.hasHurried = true
  }

  // MARK: Slots

  /// Work by its name.
  func handle(_ name: String, _ policy: Policy) -> EffectHandle {
    EffectHandle(effects: self, slot: slot(named: name), policy: policy)
  }

  /// A slot named after the file and line of a call, with a number if that name is running.
  private func freeSlot(_ fileID: StaticString, _ line: UInt) -> EffectSlot {
    let slot = slot(named: CallSite(fileID, line).name)
    guard slot.running != nil else { return slot }
    return self.slot(named: "\(slot.name) (\(node.core.work.nextNumber()))")
  }

  private func slot(named name: String) -> EffectSlot {
    if slots.count >= slotLimit { dropUnusedSlots() }
    let index = slots.partitioningIndex { $0.name >= name }
    if index < slots.count, slots[index].name == name { return slots[index] }
    let slot = EffectSlot(name)
    slots.insert(slot, at: index)
    return slot
  }

  /// Drops the slots that no handle, running work, or observer refers to. A slot in use stays, so
  /// that each name has only one.
  private func dropUnusedSlots() {
    for index in slots.indices.reversed() where isKnownUniquelyReferenced(&slots[index]) {
      let slot = slots[index]
      if !slot.isDeclared, !slot.isObserved { slots.remove(at: index) }
    }
    slotLimit = max(64, slots.count * 2)
  }
}

/// A call in the source, after which work is named.
private struct CallSite: Hashable {
  private let file: UnsafePointer<UInt8>
  private let line: UInt

  init(_ fileID: StaticString, _ line: UInt) { (file, self.line) = (fileID.utf8Start, line) }

  /// The file and line. The sessions of a host share it.
  @CoreActor var name: String {
    if let name = Self.names[self] { return name }
    let name = "\(String(cString: file)):\(line)"
    Self.names[self] = name
    return name
  }

  @CoreActor private static var names: [CallSite: String] = [:]
}
