import Offstage
import Synchronization

@testable import ShowcaseLive

/// Makes clients that do not wait between attempts, and records the waits that they ask for.
final class Waits: Sendable {
  private let delays = Mutex<[Duration]>([])

  /// The waits so far.
  var noted: [Duration] { delays.withLock { $0 } }

  func client(
    timeout: Duration = .seconds(600), retry: RetryPolicy = RetryPolicy(jitter: { 1 }),
    bodyLimit: Int = 8 << 20, clock: CoreClock? = nil
  ) -> HTTPClient {
    HTTPClient(timeout: timeout, retry: retry, bodyLimit: bodyLimit, clock: clock) { duration in
      self.delays.withLock { $0.append(duration) }
    }
  }
}
