public import Offstage
import OffstageCurl
public import OffstageFoundation

/// An HTTP client with a timeout, a limit on the size of responses and, for GET, retries.
///
/// The requests of a client share its connections: create one, and keep it. It follows redirects,
/// reads gzip, and sends the credentials of an address only to that server. Canceling the task, for
/// example because its screen has closed, closes the connection.
/// ```swift
/// let client = HTTPClient(userAgent: "reader", clock: environment.clock)
///
/// let books = try await client.get(url, accept: "application/json").decode([Book].self)
/// ```
public final class HTTPClient: Sendable {
  private let timeout: Duration
  private let retry: RetryPolicy
  private let bodyLimit: Int
  private let userAgent: String
  private let clock: CoreClock?
  private let sleep: @Sendable (Duration) async throws -> Void
  let mapError: @Sendable (any Error) -> any Error
  private let transport = HTTPTransport()

  /// Creates a client.
  /// - Parameters:
  ///   - userAgent: The name of the app, for servers.
  ///   - timeout: The time for one attempt, from the request to the last byte of the response. While
  ///     six others to the same host run, a request waits, which does not count.
  ///   - attempts: The number of attempts at a GET request. The first wait is up to half a second, each
  ///     one after it twice as long, and none longer than 30 s. A server may ask for another wait.
  ///   - bodyLimit: The largest body to accept, in bytes, after decompression.
  ///   - clock: The clock of the app, `environment.clock`: a deterministic run does not wait between
  ///     attempts. nil for the machine's.
  ///   - mapError: Turns an ``HTTPError`` into an error of the app before it is thrown.
  public convenience init(
    userAgent: String, timeout: Duration = .seconds(10), attempts: Int = 3,
    bodyLimit: Int = 8 << 20, clock: CoreClock? = nil,
    mapError: @escaping @Sendable (any Error) -> any Error = { $0 }
  ) {
    self.init(
      userAgent: userAgent, timeout: timeout, retry: RetryPolicy(attempts: attempts),
      bodyLimit: bodyLimit, clock: clock, mapError: mapError,
      sleep: { try await Task.sleep(for: $0) })
  }

  /// - Parameter sleep: Waits between attempts; throws `CancellationError` when its task is canceled.
  ///   With a virtual clock, the client uses that clock instead.
  package init(
    userAgent: String, timeout: Duration, retry: RetryPolicy, bodyLimit: Int, clock: CoreClock?,
    mapError: @escaping @Sendable (any Error) -> any Error,
    sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.userAgent = userAgent
    self.timeout = timeout
    self.retry = retry
    self.bodyLimit = bodyLimit
    self.clock = clock
    self.mapError = mapError
    self.sleep = { duration in
      if let clock, await clock.isVirtual {
        try await clock.sleep(for: duration)
      } else {
        try await sleep(duration)
      }
    }
  }

  /// Returns the time since 1970.
  package func now() async -> Duration {
    if let clock { await clock.now } else { .seconds(Date().timeIntervalSince1970) }
  }

  deinit { transport.stop() }

  /// Loads an address.
  /// - Parameters:
  ///   - url: An http or https address.
  ///   - accept: The media types to ask for, as in the header field of that name.
  ///   - etag: The version that is already available, which the server need not send again; see
  ///     ``HTTPResponse/isUnchanged``.
  /// - Throws: What ``send(_:)`` throws.
  public func get(
    _ url: URL, accept: String = "*/*", etag: String? = nil
  ) async throws -> HTTPResponse {
    var request = HTTPRequest(.get, url, accept: accept)
    request.headers["If-None-Match"] = etag
    return try await send(request)
  }

  /// Sends a request: GET again if that may help, anything else once, because the server may have
  /// acted on it.
  /// - Returns: A response with a status of 2xx; or of 304 if the request names a version.
  /// - Throws: ``HTTPError``, as `mapError` returns it; `CancellationError` if the task is canceled.
  @discardableResult
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try await response(to: request, file: nil)
  }

  /// Loads a body that is too large for memory into an open file, whose content it replaces.
  ///
  /// The body may take any time, but fails once less than a mebibyte arrives in the time of the timeout.
  /// - Throws: What ``send(_:)`` throws, and ``StorageError``.
  package func download(_ request: HTTPRequest, to file: Int32) async throws -> HTTPResponse {
    try await response(to: request, file: file)
  }

  private func response(to request: HTTPRequest, file: Int32?) async throws -> HTTPResponse {
    do {
      guard request.method == .get else { return try await sendOnce(request, file: file) }
      return try await sendAgain(request, file: file)
    } catch let reason as HTTPError.Reason {
      throw mapError(HTTPError(reason, request.url))
    } catch let error as StorageError {
      throw mapError(error)
    }
  }

  /// Sends a request until it succeeds or the policy gives up.
  private func sendAgain(_ request: HTTPRequest, file: Int32?) async throws -> HTTPResponse {
    var retry = retry
    if let clock, await clock.isVirtual { retry.jitter = { 0 } }
    var attempt = 1
    while true {
      do { return try await sendOnce(request, file: file) } catch let reason as HTTPError.Reason
        where reason.isTransient
      {
        let delay = retry.delay(after: attempt, asked: reason.retryAfter)
        guard let delay else { throw reason }
        try await sleep(delay)
      }
      attempt += 1
    }
  }

  /// - Throws: `HTTPError.Reason`, `CancellationError`, and what ``HTTPStream/save(to:)`` throws.
  private func sendOnce(_ request: HTTPRequest, file: Int32?) async throws -> HTTPResponse {
    let stream = try open(request, isDownload: file != nil)
    let head = try await stream.head()
    try await delay(head)
    let isUnchanged = request.namesVersion && head.status == 304
    guard head.isSuccess || isUnchanged else {
      throw HTTPError.Reason(head, now: await now())
    }
    var response = HTTPResponse(url: request.url, head: head, isUnchanged: isUnchanged)
    if let file {
      try await stream.save(to: file)
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
    if delay >= timeout { throw HTTPError.Reason.timedOut }
  }

  /// Sends a request once, and returns the response while it is still arriving.
  /// - Parameter isDownload: True for a body of any size; see ``download(_:to:)``.
  package func open(_ request: HTTPRequest, isDownload: Bool = false) throws -> HTTPStream {
    try Task.checkCancellation()
    var request = request
    if request.headers["User-Agent"] == nil { request.headers["User-Agent"] = userAgent }
    let timeout = request.timeout ?? timeout
    if isDownload { request.stallTimeout = timeout }
    return transport.start(
      request, bodyLimit: bodyLimit, ResponseBuffer(timeout: isDownload ? nil : timeout))
  }
}

extension HTTPError.Reason {
  /// - Parameters:
  ///   - now: The time since 1970.
  ///   - message: The server's own explanation.
  package init(_ head: HTTPHead, now: Duration, message: String? = nil) {
    let retryAfter = head.fields["retry-after"].flatMap { Self.wait($0, now: now) }
    self = .status(head.status, retryAfter: retryAfter, message: message)
  }

  /// Reads the header field `Retry-After`: seconds or a date (RFC 9110, 10.2.3).
  /// - Returns: nil for an invalid field, zero for a date in the past.
  static func wait(_ field: String, now: Duration) -> Duration? {
    let text = field.trimmed
    if let seconds = UInt32(text) { return .seconds(Int(seconds)) }
    let date = curl_getdate(text, nil)
    return date < 0 ? nil : max(.zero, .seconds(date) - now)
  }
}

/// The number of attempts at a request and the waits between them.
package struct RetryPolicy: Sendable {
  /// The longest wait, because a user is watching a spinner. If the server asks for a longer wait,
  /// the request fails and the user can retry.
  private static let longestDelay = Duration.seconds(30)

  /// The number of attempts, including the first.
  var attempts = 3
  /// Returns a random number in `0..<1`, so that many clients do not retry at the same moment.
  var jitter: @Sendable () -> Double = { Double.random(in: 0..<1) }

  /// Returns the wait after an attempt, counted from 1: what the server has asked for, or else between
  /// half and all of the doubled delay; nil to give up.
  func delay(after attempt: Int, asked: Duration?) -> Duration? {
    guard attempt < attempts else { return nil }
    if let asked { return asked <= Self.longestDelay ? asked : nil }
    let doubled = Duration.milliseconds(500) * (1 << min(attempt - 1, 16))
    return min(Self.longestDelay, doubled * (0.5 + jitter() / 2))
  }
}
