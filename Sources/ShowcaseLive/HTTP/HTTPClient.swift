public import Foundation
import Showcase

/// Loads over HTTP, with a time-out, a limit on the size and, for GET, several attempts.
///
/// A client has connections of its own, which its requests share.
public final class HTTPClient: Sendable {
  private let timeout: Duration
  private let retry: RetryPolicy
  private let bodyLimit: Int
  private let sleep: @Sendable (Duration) async throws -> Void
  private let transport = HTTPTransport()

  /// - Parameters:
  ///   - timeout: the time for one attempt, from the request to the last byte of the response.
  ///   - bodyLimit: the largest body to accept, in bytes.
  ///   - sleep: waits between attempts; throws `CancellationError` when its task is cancelled.
  public init(
    timeout: Duration = .seconds(10), retry: RetryPolicy = RetryPolicy(), bodyLimit: Int = 8 << 20,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.timeout = timeout
    self.retry = retry
    self.bodyLimit = bodyLimit
    self.sleep = sleep
  }

  deinit { transport.stop() }

  /// Requests an endpoint and decodes the response.
  /// - Throws: `LoadFailure`, or `CancellationError` when the task was cancelled.
  public func get<Response>(
    _ endpoint: Endpoint<Response>, at base: URL
  ) async throws -> Response {
    let url = endpoint.url(at: base)
    return try await Response(json: get(url, accept: "application/json").body, from: url)
  }

  /// Loads an address.
  /// - Parameters:
  ///   - accept: the content types to ask for, as in the header field of that name.
  ///   - etag: the version at hand, which need not be sent again.
  /// - Throws: as ``get(_:at:)``.
  func get(_ url: URL, accept: String, etag: String? = nil) async throws -> HTTPResponse {
    var request = request(url, accept: accept)
    request.headers["If-None-Match"] = etag
    var attempt = 1
    while true {
      do {
        let stream = try send(request)
        let head = try await stream.head()
        let isUnchanged = etag != nil && head.status == 304
        guard head.isSuccess || isUnchanged else { throw HTTPFailure(head) }
        return HTTPResponse(
          contentType: head.contentType, etag: head.fields["etag"], isUnchanged: isUnchanged,
          body: try await stream.collect())
      } catch let failure as HTTPFailure {
        guard failure.isTransient,
          let delay = retry.delay(after: attempt, asked: failure.retryAfter)
        else { throw failure.loadFailure(url) }
        try await sleep(delay)
        attempt += 1
      }
    }
  }

  /// A request with the client's limits.
  func request(_ url: URL, accept: String) -> HTTPRequest {
    HTTPRequest(url, accept: accept, timeout: timeout, bodyLimit: bodyLimit)
  }

  /// Sends a request once, for a response that is read while it arrives.
  func send(_ request: HTTPRequest) throws -> HTTPStream {
    try Task.checkCancellation()
    return transport.start(request)
  }
}

extension HTTPFailure {
  /// - Parameter message: the server's own explanation.
  init(_ head: HTTPHead, message: String? = nil) {
    let retryAfter = head.fields["retry-after"].flatMap { RetryAfter.duration($0, now: Date()) }
    self = .status(head.status, retryAfter: retryAfter, message: message)
  }
}
