import Synchronization
import Testing

@testable import LiveTestSupport
@testable import OffstageLive

/// On one actor, so that tasks join in the order in which they were made.
@Suite @MainActor final class CoalescerTests {
  private let coalescer = Coalescer<String, Int>()
  private let calls = Mutex(0)
  private let gate = Semaphore()

  @Test func waitersShareOneCall() async throws {
    let waiters = (1...20).map { _ in Task { try await value() } }
    await joined()
    gate.signal()
    for waiter in waiters { #expect(try await waiter.value == 1) }
    gate.signal()
    #expect(try await value() == 2, "Nothing is remembered.")
  }

  @Test func cancelingOneWaiterLeavesTheOthers() async throws {
    let waiters = (1...2).map { _ in Task { try await value() } }
    await joined()
    waiters[0].cancel()
    await #expect(throws: CancellationError.self) { try await waiters[0].value }
    gate.signal()
    #expect(try await waiters[1].value == 1)
  }

  @Test func cancelingTheLastWaiterCancelsTheCall() async throws {
    let wasCanceled = Semaphore()
    let waiter = Task {
      try await coalescer.value(for: "a") { [gate] in
        do { try await gate.wait() } catch { wasCanceled.signal() }
        return 0
      }
    }
    await joined()
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    try await wasCanceled.wait()
    gate.signal()
    #expect(try await value() == 1, "The next one begins anew.")
  }

  @Test func failureReachesEveryWaiter() async throws {
    struct Failure: Error {}
    let waiters = (1...2).map { _ in
      Task {
        try await coalescer.value(for: "a") { [gate] in
          try await gate.wait()
          throw Failure()
        }
      }
    }
    await joined()
    gate.signal()
    for waiter in waiters { await #expect(throws: Failure.self) { try await waiter.value } }
  }

  private func value() async throws -> Int {
    try await coalescer.value(for: "a") { [self] in
      try await gate.wait()
      return calls.withLock { calls in
        calls += 1
        return calls
      }
    }
  }

  /// Waits for all tasks made so far to run until they suspend.
  private func joined() async { await Task {}.value }
}
