import Synchronization

/// A counting semaphore for tasks, whose waiters can be canceled.
final class Semaphore: Sendable {
  private struct State {
    var permits = 0
    var lastTicket = 0
    var waiters: [(ticket: Int, continuation: CheckedContinuation<Void, any Error>)] = []
  }

  private let state = Mutex(State())

  /// Lets one waiter continue, either now or when it arrives.
  func signal() {
    let first = state.withLock { state in
      guard state.waiters.isEmpty else { return Optional(state.waiters.removeFirst()) }
      state.permits += 1
      return nil
    }
    first?.continuation.resume()
  }

  /// - Throws: `CancellationError` when the task is canceled.
  func wait() async throws {
    let ticket = state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let mayPass = state.withLock { state in
          guard state.permits == 0 else {
            state.permits -= 1
            return true
          }
          state.waiters.append((ticket, continuation))
          return false
        }
        if mayPass { continuation.resume() }
        if Task.isCancelled { cancel(ticket) }
      }
    } onCancel: {
      cancel(ticket)
    }
  }

  private func cancel(_ ticket: Int) {
    let waiter = state.withLock { state in
      state.waiters.firstIndex { $0.ticket == ticket }.map { state.waiters.remove(at: $0) }
    }
    waiter?.continuation.resume(throwing: CancellationError())
  }
}
