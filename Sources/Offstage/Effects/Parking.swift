/// A wait for something outside the core: an answer, the clock, the end of another screen.
///
/// It ends once: with a value, with an error, or with `CancellationError` when the task is
/// cancelled. Meanwhile its effect counts as settled.
@CoreActor
final class Parking<Value: Sendable> {
  private var continuation: CheckedContinuation<Value, any Error>?
  private var effect: Effect?
  private var isCancelled = false
  private var cleanUp: (() -> Void)?

  /// - Parameter start: arranges for the wait to end and returns what cancelling takes.
  static func wait(_ start: (Parking) -> () -> Void) async throws -> Value {
    let parking = Parking()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        parking.begin(continuation, start)
      }
    } onCancel: {
      // Usually the core itself cancels: then the wait ends now, within the same turn.
      if CoreActor.executor.isCurrent {
        CoreActor.assumeIsolated { parking.cancel() }
      } else {
        Task(executorPreference: CoreActor.executor) { await parking.cancel() }
      }
    }
  }

  private func begin(
    _ continuation: CheckedContinuation<Value, any Error>, _ start: (Parking) -> () -> Void
  ) {
    guard !isCancelled, !Task.isCancelled else {
      continuation.resume(throwing: CancellationError())
      return
    }
    self.continuation = continuation
    effect = Effect.current
    effect?.park()
    let cleanUp = start(self)
    if self.continuation != nil { self.cleanUp = cleanUp }
  }

  func end(with result: Result<Value, any Error>) {
    guard let continuation else { return }
    self.continuation = nil
    cleanUp = nil
    effect?.unpark()
    effect = nil
    continuation.resume(with: result)
  }

  private func cancel() {
    isCancelled = true
    let cleanUp = cleanUp
    end(with: .failure(CancellationError()))
    cleanUp?()
  }
}
