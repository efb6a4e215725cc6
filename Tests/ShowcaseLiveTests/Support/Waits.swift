import ShowcaseLive
import Synchronization

/// Sleeps without time: waits between attempts end at once and are noted, time-outs end when the
/// test says so.
final class Waits: Sendable {
  /// The time-out to make clients with; whoever sleeps for so long waits for ``expire()``.
  static let timeout = Duration.seconds(10)

  private let delays = Mutex<[Duration]>([])
  private let expirations = Semaphore()

  /// The waits between attempts so far.
  var noted: [Duration] { delays.withLock { $0 } }

  /// Lets one time-out expire, now or when it begins.
  func expire() { expirations.signal() }

  func client(retry: RetryPolicy = RetryPolicy(jitter: { 1 }), bodyLimit: Int = 8 << 20)
    -> HTTPClient
  {
    HTTPClient(timeout: Self.timeout, retry: retry, bodyLimit: bodyLimit) { duration in
      if duration == Self.timeout {
        try await self.expirations.wait()
      } else {
        self.delays.withLock { $0.append(duration) }
      }
    }
  }
}
