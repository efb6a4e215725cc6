import Synchronization

/// Runs one task per key however many wait for its value.
///
/// A waiter that is cancelled leaves alone; when the last one leaves, the task is cancelled too.
final class Coalescer<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private typealias Waiter = CheckedContinuation<Value, any Error>

  /// A running task and those who wait for it.
  private struct Flight {
    /// The ticket of the first waiter. A cancelled flight may land after the next one began.
    let id: Int
    let task: Task<Void, Never>
    var waiters: [Int: Waiter] = [:]
  }

  private struct State {
    var lastTicket = 0
    var flights: [Key: Flight] = [:]
  }

  private let state = Mutex(State())

  /// The value of a key: from `make`, or from the call of it that is running already.
  func value(
    for key: Key, _ make: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let ticket = state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiter in
        join(key, ticket, waiter, make)
        // Cancelled before it joined: the handler below found nobody to wake.
        if Task.isCancelled { leave(key, ticket) }
      }
    } onCancel: {
      leave(key, ticket)
    }
  }

  /// How many wait for a key at the moment.
  func waiterCount(for key: Key) -> Int {
    state.withLock { $0.flights[key]?.waiters.count ?? 0 }
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
      let isAbandoned = waiter != nil && state.flights[key]?.waiters.isEmpty == true
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
