/// One piece of running work, and who is behind it.
@CoreActor
package final class Effect {
  /// The effect whose task is running this code.
  @TaskLocal static var current: Effect?

  let name: String
  /// Counted up in the core: the order in which effects were made.
  let number: Int
  let cause: Cause?

  private let core: Core
  private let node: ScreenNode
  private let operation: @CoreActor () async throws -> Void
  private let handle: (@CoreActor (any Error) -> Void)?
  private let onEnd: (Effect) -> Void
  private var task: Task<Void, Never>?
  private var hasEnded = false
  /// How many of its waits are for the person, the device or the clock.
  private var parked = 0

  init(
    _ name: String, of node: ScreenNode, _ operation: @escaping @CoreActor () async throws -> Void,
    catch handle: (@CoreActor (any Error) -> Void)?, onEnd: @escaping (Effect) -> Void
  ) {
    self.name = name
    self.node = node
    core = node.core
    cause = core.cause
    number = core.nextEffectNumber()
    self.operation = operation
    self.handle = handle
    self.onEnd = onEnd
  }

  func start() {
    core.began(self)
    node.began(self)
    cause?.began()
    task = Task(executorPreference: CoreActor.executor) { await self.perform() }
  }

  /// Asks the work to stop. It is no longer waited for, whenever it does.
  func cancel() {
    task?.cancel()
    end()
  }

  private func perform() async {
    guard !hasEnded else { return }
    var failure: (any Error)?
    do {
      try await Self.$current.withValue(self, operation: operation)
    } catch is CancellationError {
    } catch {
      if !hasEnded { failure = error }
    }
    // Ended first: whoever catches the error may start the same work again.
    core.during(cause) {
      end()
      if let failure { report(failure) }
    }
  }

  private func report(_ error: any Error) {
    if let handle { return handle(error) }
    core.report(
      Fault(
        "The effect \"\(name)\" of screen \(node.id) failed: \(error). "
          + "Catch it where the effect is started."))
  }

  private func end() {
    guard !hasEnded else { return }
    hasEnded = true
    core.ended(self, wasParked: parked > 0)
    node.ended(self)
    onEnd(self)
    cause?.ended()
  }

  // MARK: Waiting for something outside

  /// Notes that it waits for a person, a device or the clock, which `settle` does not wait for.
  func park() {
    parked += 1
    if parked == 1, !hasEnded { core.parked() }
  }

  func unpark() {
    parked -= 1
    if parked == 0, !hasEnded { core.unparked() }
  }
}
