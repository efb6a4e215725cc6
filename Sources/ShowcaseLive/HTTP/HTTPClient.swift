public import Foundation
import Showcase

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Gets things by HTTP, patiently: with a time-out, a limit on the size and several attempts.
///
/// One client serves the whole app, so that connections are kept and used again.
public final class HTTPClient: Sendable {
  /// Waits; throws `CancellationError` when its task is cancelled.
  public typealias Sleep = @Sendable (_ duration: Duration) async throws -> Void

  private let timeout: Duration
  private let retry: RetryPolicy
  private let sleep: Sleep
  private let transport: HTTPTransport

  /// - Parameters:
  ///   - timeout: how long one attempt may take, from the request to the answer's last byte.
  ///   - bodyLimit: how many bytes an answer may have.
  ///   - sleep: how to wait, for the time-out as well as between attempts.
  public init(
    timeout: Duration = .seconds(10), retry: RetryPolicy = RetryPolicy(), bodyLimit: Int = 8 << 20,
    sleep: @escaping Sleep = { try await Task.sleep(for: $0) }
  ) {
    self.timeout = timeout
    self.retry = retry
    self.sleep = sleep
    transport = HTTPTransport(bodyLimit: bodyLimit)
  }

  /// Asks an API and decodes its answer.
  /// - Throws: `LoadFailure`, or `CancellationError` when the task was cancelled.
  public func get<Response>(
    _ endpoint: Endpoint<Response>, at base: URL
  ) async throws -> Response {
    let url = endpoint.url(at: base)
    let answer = try await get(url, accept: "application/json")
    do {
      return try JSONDecoder().decode(Response.self, from: answer.body)
    } catch {
      throw LoadFailure(decoding: error, from: url)
    }
  }

  /// Gets whatever is at an address.
  /// - Parameter accept: the content types to ask for, as in the header of that name.
  /// - Throws: as ``get(_:at:)``.
  public func get(_ url: URL, accept: String) async throws -> HTTPAnswer {
    var request = URLRequest(url: url)
    request.setValue(accept, forHTTPHeaderField: "Accept")
    var attempt = 1
    while true {
      do {
        return try await answer(to: request)
      } catch let failure as HTTPFailure {
        guard failure.isPassing, let delay = retry.delay(after: attempt, asked: failure.retryAfter)
        else { throw failure.loadFailure(url) }
        try await sleep(delay)
        attempt += 1
      }
    }
  }

  /// One attempt against the clock.
  private func answer(to request: URLRequest) async throws -> HTTPAnswer {
    try await withThrowingTaskGroup(of: HTTPAnswer.self) { [timeout, sleep, transport] group in
      defer { group.cancelAll() }
      group.addTask { try await transport.answer(to: request) }
      group.addTask {
        try await sleep(timeout)
        throw HTTPFailure.timedOut
      }
      // Two tasks were added, so there is a first.
      return try await group.next()!
    }
  }
}
