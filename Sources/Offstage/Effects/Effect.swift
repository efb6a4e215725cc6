/// One piece of running work, and the request that caused it.
@CoreActor
package final class Effect {
  /// The effect whose task runs the current code.
  @TaskLocal static var current: Effect?

  /// The position in the order of creation, across all screens of a core.
  let number: Int
  let cause: Cause?
  let outlivesScreen: Bool

  private let slot: EffectSlot
  private let node: ScreenNode
  /// Held only while work runs: a core without running work can be released.
  private let core: Core
  /// nil once it has run, like the two after it. Work that it has started has this effect as a
  /// task-local value, and would keep the screen that the closures capture, and the memory of the task.
  private var operation: (@CoreActor () async throws -> Void)?
  private var handle: (@CoreActor (any Error) -> Void)?
  private var task: Task<Void, Never>?
  private(set) var hasEnded = false
  /// True once it has skipped a sleep because the app has ended.
  var hasHurried = false
  /// The number of current waits for the user, the device, or the clock.
  private var suspensions = 0

  init(
    in slot: EffectSlot, of effects: Effects,
    _ operation: @escaping @CoreActor () async throws -> Void,
    catch handle: (@CoreActor (any Error) -> Void)?, hasCause: Bool = true,
    outlivesScreen: Bool = false
  ) {
    self.slot = slot
    self.outlivesScreen = outlivesScreen
    node = effects.node
    core = node.core
    cause = hasCause ? core.cause : nil
    number = core.work.nextNumber()
    self.operation = operation
    self.handle = handle ?? effects.errorHandler
  }

  var name: String { slot.name }

  var isOnScreen: Bool { node.isOpen }

  /// True for work that begins again after a restart of the core.
  var goesOn: Bool { slot.goesOn }

  /// Counts it as queued behind another effect of its name.
  func enqueued() {
    cause?.began()
    core.work.queuedCount += 1
  }

  func dequeued() {
    core.work.queuedCount -= 1
    cause?.ended()
  }

  func start() {
    core.work.began(self)
    core.becameBusy()
    cause?.began()
    task = Task(executorPreference: CoreActor.executor) { await self.perform() }
  }

  /// Cancels the task. From now on nothing waits for it, even if it ignores the cancellation.
  func cancel() {
    if !hasEnded { task?.cancel() }
    end()
  }

  private func perform() async {
    defer {
      (operation, handle, task) = (nil, nil, nil)
      core.unwound(self)
    }
    guard !hasEnded, let operation else { return }
    var failure: (any Error)?
    do {
      try await Self.$current.withValue(self, operation: operation)
    } catch is CancellationError {
    } catch {
      if !hasEnded { failure = error }
    }
    // End first: a handler that catches the error may start the same work again.
    core.during(cause) {
      end()
      if let failure { report(failure) }
    }
  }

  private func report(_ error: any Error) {
    if let handle { return handle(error) }
    // A user who closes a prompt has declined what it asks.
    if error as? PromptError == .dismissed { return }
    core.report(
      Fault(
        "The effect \"\(name)\" of screen \(node.id) failed: \(error). "
          + "Catch it where the effect is started."))
  }

  private func end() {
    guard !hasEnded else { return }
    hasEnded = true
    core.work.namesInTurn.append(name)
    #if DEBUG
      core.noteHandler(node)
    #endif
    if suspensions == 0 { core.becameIdle() } else { core.scheduleTurnEnd() }
    slot.ended(self)
    cause?.ended()
  }

  var isBusy: Bool { task != nil && !hasEnded && suspensions == 0 }

  var pending: PendingWork {
    PendingWork(
      screen: node.id, kind: .effect, name: name, cause: cause?.id, isBusy: isBusy)
  }

  // MARK: Waiting for the user, the device, or the clock

  /// Counts the effect as settled until `resume()` has been called as often as this.
  func suspend() {
    suspensions += 1
    guard suspensions == 1, !hasEnded else { return }
    core.work.namesInTurn.append(name)
    #if DEBUG
      core.noteHandler(node)
    #endif
    core.becameIdle()
  }

  func resume() {
    suspensions -= 1
    if suspensions == 0, !hasEnded { core.becameBusy() }
  }
}

/// A wait for something outside the core: an answer, the clock, the end of another screen.
///
/// It resumes once, with a value, an error, or `CancellationError` if the task is canceled. Until
/// then its effect counts as settled.
@CoreActor
final class Suspension<Value: Sendable> {
  private var continuation: CheckedContinuation<Value, any Error>?
  private var effect: Effect?
  private var isCanceled = false
  private var cleanUp: (() -> Void)?

  /// Suspends the current task until `resume(with:)` is called.
  /// - Parameter start: Arranges for `resume(with:)` to be called, and returns what to do on
  ///   cancellation.
  static func wait(_ start: (Suspension) -> () -> Void) async throws -> Value {
    let suspension = Suspension()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        suspension.begin(continuation, start)
      }
    } onCancel: {
      // The core itself usually cancels. The wait then ends within the same turn.
      if CoreActor.executor.isCurrent {
        CoreActor.assumeIsolated { suspension.cancel() }
      } else {
        Task(executorPreference: CoreActor.executor) { await suspension.cancel() }
      }
    }
  }

  private func begin(
    _ continuation: CheckedContinuation<Value, any Error>, _ start: (Suspension) -> () -> Void
  ) {
    guard !isCanceled, !Task.isCancelled else {
      continuation.resume(throwing: CancellationError())
      return
    }
    self.continuation = continuation
    effect = Effect.current
    effect?.suspend()
    let cleanUp = start(self)
    if self.continuation != nil { self.cleanUp = cleanUp }
  }

  /// Ends the wait, unless it has ended.
  func resume(with result: Result<Value, any Error>) {
    guard let continuation else { return }
    self.continuation = nil
    cleanUp = nil
    effect?.resume()
    effect = nil
    continuation.resume(with: result)
  }

  private func cancel() {
    isCanceled = true
    let cleanUp = cleanUp
    resume(with: .failure(CancellationError()))
    cleanUp?()
  }
}
