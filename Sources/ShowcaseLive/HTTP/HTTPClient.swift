import Foundation
package import Offstage
import Showcase
import ShowcaseCurl

/// An HTTP client with a timeout, a limit on the size of responses and, for GET, retries.
///
/// The requests of a client share its connections. GET requests to an overloaded server are sent one
/// at a time.
package final class HTTPClient: Sendable {
  private let timeout: Duration
  private let retry: RetryPolicy
  private let bodyLimit: Int
  private let clock: CoreClock?
  private let sleep: @Sendable (Duration) async throws -> Void
  private let transport = HTTPTransport()
  private let pace = RequestPace()

  /// Creates a client.
  /// - Parameters:
  ///   - timeout: The time for one attempt, from the request to the last byte of the response, or
  ///     to each mebibyte of a response that goes to a file.
  ///   - bodyLimit: The largest body to accept, in bytes.
  ///   - clock: The core's clock; nil for the machine's.
  ///   - sleep: Waits between attempts; throws `CancellationError` when its task is canceled. With
  ///     a virtual clock, the client uses that clock instead.
  package init(
    timeout: Duration = .seconds(10), retry: RetryPolicy = .standard, bodyLimit: Int = 8 << 20,
    clock: CoreClock? = nil,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.timeout = timeout
    self.retry = retry
    self.bodyLimit = bodyLimit
    self.clock = clock
    self.sleep = { duration in
      if let clock, await clock.isVirtual {
        try await clock.sleep(for: duration)
      } else {
        try await sleep(duration)
      }
    }
  }

  /// Returns the time since 1970.
  func now() async -> Duration {
    if let clock { await clock.now } else { .seconds(Date().timeIntervalSince1970) }
  }

  deinit { transport.stop() }

  /// Loads an address.
  /// - Parameters:
  ///   - accept: The content types to ask for, as in the header field of that name.
  ///   - etag: The version that is already available, which the server need not send again.
  ///   - file: An open file for a body that is too large for memory; nil to return the body.
  /// - Throws: `LoadFailure`, or `CancellationError` if the task is canceled.
  func get(_ url: URL, accept: String, etag: String? = nil, file: Int32? = nil) async throws
    -> HTTPResponse
  {
    var request = request(url, accept: accept)
    request.headers["If-None-Match"] = etag
    let host = "\(url.host ?? ""):\(url.port ?? 0)"
    var attempt = 1
    try await pace.enter(host)
    while true {
      do {
        let response = try await response(to: request, file: file)
        pace.leave(host, succeeded: true)
        return response
      } catch let failure as HTTPFailure where failure.isTransient {
        if failure.isOverload { pace.slowDown(host) }
        guard let delay = retry.delay(after: attempt, asked: failure.retryAfter) else {
          pace.leave(host, succeeded: false)
          throw failure.loadFailure(url)
        }
        do { try await sleep(delay) } catch {
          pace.leave(host, succeeded: false)
          throw error
        }
        pace.leave(host, succeeded: false)
        try await pace.enter(host, isRetry: true)
        attempt += 1
      } catch {
        pace.leave(host, succeeded: false)
        throw (error as? HTTPFailure)?.loadFailure(url) ?? error
      }
    }
  }

  /// Sends a request once.
  /// - Throws: `HTTPFailure`, `CancellationError`, and what ``HTTPStream/save(to:timeout:)`` throws.
  private func response(to request: HTTPRequest, file: Int32?) async throws -> HTTPResponse {
    let stream = try send(request)
    let head = try await stream.head()
    try await delay(head)
    let isUnchanged = request.headers["If-None-Match"] != nil && head.status == 304
    guard head.isSuccess || isUnchanged else { throw HTTPFailure(head, now: await now()) }
    var response = HTTPResponse(head: head, isUnchanged: isUnchanged)
    if let file {
      try await stream.save(to: file, timeout: timeout)
    } else {
      response.body = try await stream.collect()
    }
    return response
  }

  /// Waits on a virtual clock, where real time does not count, for as long as a scripted server
  /// claims that it took to respond.
  private func delay(_ head: HTTPHead) async throws {
    guard let text = head.fields["offstage-delay"], let milliseconds = UInt32(text),
      let clock, await clock.isVirtual
    else { return }
    let delay = Duration.milliseconds(Int(milliseconds))
    try await clock.sleep(for: min(delay, timeout))
    if delay >= timeout { throw HTTPFailure.timedOut }
  }

  /// Creates a request with the client's limits.
  func request(_ url: URL, accept: String) -> HTTPRequest {
    HTTPRequest(url, accept: accept, timeout: timeout, bodyLimit: bodyLimit)
  }

  /// Sends a request once, and returns the response while it is still arriving.
  func send(_ request: HTTPRequest) throws -> HTTPStream {
    try Task.checkCancellation()
    return transport.start(request)
  }
}

extension HTTPFailure {
  /// - Parameters:
  ///   - now: The time since 1970.
  ///   - message: The server's own explanation.
  init(_ head: HTTPHead, now: Duration, message: String? = nil) {
    let retryAfter = head.fields["retry-after"].flatMap { RetryAfter.duration($0, now: now) }
    self = .status(head.status, retryAfter: retryAfter, message: message)
  }
}

/// The number of attempts at a request and the waits between them.
package struct RetryPolicy: Sendable {
  /// The number of attempts, including the first.
  package var attempts = 3
  /// The wait after the first attempt. It doubles with each attempt.
  var firstDelay = Duration.milliseconds(500)
  /// The longest wait, because a user is watching a spinner. If the server asks for a longer wait,
  /// the request fails and the user can retry.
  var longestDelay = Duration.seconds(30)
  /// Returns a random number in `0..<1`, so that many clients do not retry at the same moment.
  var jitter: @Sendable () -> Double = { Double.random(in: 0..<1) }

  package static let standard = RetryPolicy()

  /// The standard policy, but with the same waits in every run.
  package static let withoutJitter = RetryPolicy(jitter: { 0 })

  /// Returns the wait after an attempt, counted from 1: between half and all of the doubled delay.
  /// - Parameter asked: The wait that the server asked for, which is used unchanged.
  /// - Returns: nil to give up, because no attempts are left or the server asks for too long a
  ///   wait.
  func delay(after attempt: Int, asked: Duration?) -> Duration? {
    guard attempt < attempts else { return nil }
    if let asked { return asked <= longestDelay ? asked : nil }
    let doubled = firstDelay * (1 << min(attempt - 1, 16))
    return min(longestDelay, doubled * (0.5 + jitter() / 2))
  }
}

/// The header field `Retry-After`: seconds or a date (RFC 9110, 10.2.3).
enum RetryAfter {
  /// - Returns: nil for an invalid field, zero for a date in the past.
  static func duration(_ field: String, now: Duration) -> Duration? {
    let text = field.trimmingCharacters(in: .whitespaces)
    if let seconds = UInt32(text) { return .seconds(Int(seconds)) }
    let date = curl_getdate(text, nil)
    return date < 0 ? nil : max(.zero, .seconds(date) - now)
  }
}
