import Offstage
import Synchronization

@testable import OffstageLive

/// Creates clients that do not wait between attempts, and records the requested waits.
final class NotedWaits: Sendable {
  private let delays = Mutex<[Duration]>([])
  private let mapError: @Sendable (any Error) -> any Error

  init(mapError: @escaping @Sendable (any Error) -> any Error = { $0 }) { self.mapError = mapError }

  /// The recorded waits.
  var noted: [Duration] { delays.withLock { $0 } }

  func client(
    timeout: Duration = .seconds(600), retry: RetryPolicy = RetryPolicy(jitter: { 1 }),
    bodyLimit: Int = 8 << 20, clock: CoreClock? = nil
  ) -> HTTPClient {
    HTTPClient(
      userAgent: "tests", timeout: timeout, retry: retry, bodyLimit: bodyLimit, clock: clock,
      mapError: mapError
    ) { duration in
      self.delays.withLock { $0.append(duration) }
    }
  }
}
