import Synchronization

/// One method of a mocked repository in a test's hands: each call waits until the test replies.
final class Asked<Question: Sendable, Reply: Sendable>: Sendable {
  private struct State: Sendable {
    var questions: [Question] = []
    var unseen: [Call] = []
    var waiter: CheckedContinuation<Call, Never>?
  }

  /// Whether a cancelled call ends at once, as a good repository's does, or takes no notice.
  private let heedsCancellation: Bool
  private let state = Mutex(State())

  init(heedsCancellation: Bool = true) { self.heedsCancellation = heedsCancellation }

  /// All that was asked so far.
  var questions: [Question] { state.withLock { $0.questions } }

  /// The next call that the test has not seen yet, waited for if need be.
  func next() async -> Call {
    await withCheckedContinuation { continuation in
      let call = state.withLock { state -> Call? in
        if !state.unseen.isEmpty { return state.unseen.removeFirst() }
        state.waiter = continuation
        return nil
      }
      if let call { continuation.resume(returning: call) }
    }
  }

  /// What the mocked method calls.
  func callAsFunction(_ question: Question) async throws -> Reply {
    let call = Call(question)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        call.start(continuation)
        note(call)
      }
    } onCancel: { [heedsCancellation] in
      call.cancel(ending: heedsCancellation)
    }
  }

  private func note(_ call: Call) {
    let waiter = state.withLock { state -> CheckedContinuation<Call, Never>? in
      state.questions.append(call.question)
      if state.waiter == nil { state.unseen.append(call) }
      return state.waiter.take()
    }
    waiter?.resume(returning: call)
  }

  /// A call that waits. The first reply counts.
  final class Call: Sendable {
    let question: Question
    private let continuation = Mutex<CheckedContinuation<Reply, any Error>?>(nil)
    private let cancelled = Atomic(false)

    fileprivate init(_ question: Question) { self.question = question }

    /// Whether its task was cancelled.
    var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    func reply(_ reply: Reply) { take()?.resume(returning: reply) }

    func fail(_ error: any Error) { take()?.resume(throwing: error) }

    fileprivate func start(_ continuation: CheckedContinuation<Reply, any Error>) {
      self.continuation.withLock { $0 = continuation }
    }

    fileprivate func cancel(ending: Bool) {
      cancelled.store(true, ordering: .relaxed)
      if ending { fail(CancellationError()) }
    }

    private func take() -> CheckedContinuation<Reply, any Error>? {
      continuation.withLock { $0.take() }
    }
  }
}
