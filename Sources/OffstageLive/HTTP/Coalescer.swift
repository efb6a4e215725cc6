import Synchronization

/// Shares one task per key between all callers that need its value.
///
/// Canceling a caller leaves the others waiting; canceling the last one cancels the task, unless it
/// outlives its callers.
package final class Coalescer<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private typealias Waiter = CheckedContinuation<Value, any Error>

  /// A running task and its waiters.
  private struct Flight {
    /// The ticket of the first waiter. A canceled flight may land after the next one has begun.
    let id: Int
    let task: Task<Void, Never>
    var waiters: [Int: Waiter] = [:]
  }

  private struct State {
    var lastTicket = 0
    var flights: [Key: Flight] = [:]
  }

  private let state = Mutex(State())
  private let outlivesCallers: Bool

  /// - Parameter outlivesCallers: True to let later callers join a task without callers.
  package init(outlivesCallers: Bool = false) { self.outlivesCallers = outlivesCallers }

  /// Returns the value of a key, from `make` or from a call of it that is already running. The
  /// caller has joined that call by the time it first suspends.
  package nonisolated(nonsending) func value(
    for key: Key, _ make: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let ticket = state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiter in
        join(key, ticket, waiter, make)
        // If the task was canceled before it joined, the handler below found no waiter.
        if Task.isCancelled { leave(key, ticket) }
      }
    } onCancel: {
      leave(key, ticket)
    }
  }

  private func join(
    _ key: Key, _ ticket: Int, _ waiter: Waiter,
    _ make: @escaping @Sendable () async throws -> Value
  ) {
    state.withLock { state in
      var flight =
        state.flights[key]
        ?? Flight(
          id: ticket,
          task: Task {
            do {
              self.land(key, ticket, .success(try await make()))
            } catch {
              self.land(key, ticket, .failure(error))
            }
          })
      flight.waiters[ticket] = waiter
      state.flights[key] = flight
    }
  }

  private func leave(_ key: Key, _ ticket: Int) {
    let (waiter, abandoned) = state.withLock { state in
      let waiter = state.flights[key]?.waiters.removeValue(forKey: ticket)
      let isAbandoned =
        !outlivesCallers && waiter != nil && state.flights[key]?.waiters.isEmpty == true
      return (waiter, isAbandoned ? state.flights.removeValue(forKey: key)?.task : nil)
    }
    abandoned?.cancel()
    waiter?.resume(throwing: CancellationError())
  }

  private func land(_ key: Key, _ id: Int, _ result: Result<Value, any Error>) {
    let waiters = state.withLock { state in
      guard state.flights[key]?.id == id else { return [Waiter]() }
      return state.flights.removeValue(forKey: key).map { Array($0.waiters.values) } ?? []
    }
    for waiter in waiters { waiter.resume(with: result) }
  }
}
