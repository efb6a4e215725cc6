import Synchronization
import Testing

@testable import ShowcaseLive

@Suite final class CoalescerTests: Sendable {
  private let coalescer = Coalescer<String, Int>()
  private let calls = Mutex(0)
  private let gate = Semaphore()

  @Test func manyWaitForOneCall() async throws {
    let waiters = (1...20).map { _ in Task { try await value() } }
    await arrival(of: 20)
    gate.signal()
    for waiter in waiters { #expect(try await waiter.value == 1) }
    gate.signal()
    #expect(try await value() == 2, "Nothing is remembered.")
  }

  @Test func aCancelledWaiterLeavesAlone() async throws {
    let waiters = (1...2).map { _ in Task { try await value() } }
    await arrival(of: 2)
    waiters[0].cancel()
    await #expect(throws: CancellationError.self) { try await waiters[0].value }
    gate.signal()
    #expect(try await waiters[1].value == 1)
  }

  @Test func theLastWaiterTakesTheCallAlong() async throws {
    let wasCancelled = Semaphore()
    let waiter = Task {
      try await coalescer.value(for: "a") { [gate] in
        do { try await gate.wait() } catch { wasCancelled.signal() }
        return 0
      }
    }
    await arrival(of: 1)
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    try await wasCancelled.wait()
    gate.signal()
    #expect(try await value() == 1, "The next one begins anew.")
  }

  @Test func aFailureIsForEveryone() async throws {
    struct Failure: Error {}
    let waiters = (1...2).map { _ in
      Task {
        try await coalescer.value(for: "a") { [gate] in
          try await gate.wait()
          throw Failure()
        }
      }
    }
    await arrival(of: 2)
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

  private func arrival(of count: Int) async {
    while coalescer.waiterCount(for: "a") < count { await Task.yield() }
  }
}
