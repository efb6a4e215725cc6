import Foundation
import Offstage
import Synchronization
import Testing

@testable import LiveTestSupport
@testable import OffstageLive

@Suite struct RequestPaceTests {
  /// The first six of twelve requests are rejected. While they wait, no other one is sent, and then
  /// they are sent one at a time.
  @Test(arguments: [429, 503]) func overloadedServerGetsOneRequestAtATime(status: Int) async throws
  {
    let load = Mutex((count: 0, running: 0, mostAfter: 0))
    let mayAnswer = DispatchSemaphore(value: 0)
    let server = try LoopbackServer { _ in
      let count = load.withLock { load in
        load.count += 1
        load.running += 1
        // The number of requests at the same time grows by one with each success.
        if load.count == 7 { load.mostAfter = load.running }
        return load.count
      }
      defer { load.withLock { $0.running -= 1 } }
      if count <= 6 { mayAnswer.wait() }
      return count <= 6 ? .status(status) : .json("{}")
    }
    defer { server.stop() }
    let (waiting, mayRetry) = (Semaphore(), Semaphore())
    let client = HTTPClient(
      userAgent: "tests", timeout: .seconds(10), retry: RetryPolicy(), bodyLimit: 100, clock: nil,
      mapError: { $0 },
      sleep: { _ in
        waiting.signal()
        try await mayRetry.wait()
      })
    let requests = (1...12).map { number in
      Task { try await client.get(server.base.appendingPathComponent("\(number)"), accept: "*/*") }
    }
    for _ in 1...6 { mayAnswer.signal() }
    for _ in 1...6 { try await waiting.wait() }
    #expect(server.requests.count == 6)
    for _ in 1...6 { mayRetry.signal() }
    for request in requests { _ = try await request.value }
    #expect(server.requests.count == 18)
    #expect(load.withLock { $0.mostAfter } == 1)
  }

  @Test func waitingRequestCanBeCanceled() async throws {
    let pace = RequestPace()
    for _ in 1...HTTPTransport.connectionLimit { try await pace.enter("a") }
    let waiting = Task { try await pace.enter("a") }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    try await pace.enter("b")
    for _ in 1...HTTPTransport.connectionLimit { pace.leave("a", succeeded: true) }
    for _ in 1...HTTPTransport.connectionLimit { try await pace.enter("a") }
  }
}
