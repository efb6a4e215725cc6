import Synchronization

/// Limits the requests that a server works on at the same time.
///
/// An overloaded server gets one request at a time. Each success then allows one more, up to the
/// number of connections. Without this, a burst that the server rejects would be rejected again as a
/// whole.
final class RequestPace: Sendable {
  private typealias Waiter = CheckedContinuation<Void, any Error>

  private struct State {
    var limit = HTTPTransport.connectionLimit
    var running = 0
    var waiting: [(ticket: Int, waiter: Waiter)] = []
  }

  private let states = Mutex<(lastTicket: Int, hosts: [String: State])>((0, [:]))

  /// Waits until another request to a host may start. Each call that returns needs one of ``leave``.
  /// - Parameter isRetry: True to pass the requests that have not been sent.
  /// - Throws: `CancellationError`.
  func enter(_ host: String, isRetry: Bool = false) async throws {
    let ticket = states.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (waiter: Waiter) in
        change(host) { $0.waiting.insert((ticket, waiter), at: isRetry ? 0 : $0.waiting.count) }
        // If the task was canceled before this, the handler below found no waiter.
        if Task.isCancelled { cancel(ticket, host) }
      }
    } onCancel: {
      cancel(ticket, host)
    }
  }

  /// Notes that a request has ended.
  func leave(_ host: String, succeeded: Bool) {
    change(host) { state in
      state.running -= 1
      if succeeded { state.limit = min(state.limit + 1, HTTPTransport.connectionLimit) }
    }
  }

  /// Notes that a host is overloaded. The request counts as running until it leaves, so that no other
  /// one starts while it waits.
  func slowDown(_ host: String) {
    change(host) { $0.limit = 1 }
  }

  private func cancel(_ ticket: Int, _ host: String) {
    let waiter = states.withLock { state in
      let index = state.hosts[host]?.waiting.firstIndex { $0.ticket == ticket }
      return index.flatMap { state.hosts[host]?.waiting.remove(at: $0).waiter }
    }
    waiter?.resume(throwing: CancellationError())
    change(host) { _ in }
  }

  /// Applies a change, starts the requests that may start, and forgets a host without requests.
  private func change(_ host: String, _ change: (inout State) -> Void) {
    let starting = states.withLock { states in
      var state = states.hosts[host] ?? State()
      change(&state)
      let count = min(state.waiting.count, max(0, state.limit - state.running))
      let starting = state.waiting.prefix(count).map(\.waiter)
      state.waiting.removeFirst(count)
      state.running += count
      states.hosts[host] = state.running == 0 && state.waiting.isEmpty ? nil : state
      return starting
    }
    for waiter in starting { waiter.resume() }
  }
}
