import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request, one answer, over a session of its own.
final class HTTPTransport: Sendable {
  private let exchanges: HTTPExchanges
  private let session: URLSession

  init(bodyLimit: Int) {
    exchanges = HTTPExchanges(bodyLimit: bodyLimit)
    session = URLSession(
      configuration: Self.configuration, delegate: exchanges, delegateQueue: nil)
  }

  static var configuration: URLSessionConfiguration {
    // Ephemeral: no cookies and no cache on disk; what is worth keeping, the app keeps itself.
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    // The client watches the clock.
    configuration.timeoutIntervalForRequest = 3600
    return configuration
  }

  deinit {
    // A session keeps itself and its delegate alive until it is told to stop.
    session.invalidateAndCancel()
  }

  /// - Throws: `HTTPFailure`, or `CancellationError` when the task was cancelled, which closes the
  ///   connection.
  func answer(to request: URLRequest) async throws -> HTTPAnswer {
    let task = session.dataTask(with: request)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        exchanges.begin(task.taskIdentifier, continuation)
        task.resume()
        // Cancelled before it began: the handler below found nothing to end.
        if Task.isCancelled { exchanges.end(task, with: .failure(CancellationError())) }
      }
    } onCancel: {
      exchanges.end(task, with: .failure(CancellationError()))
    }
  }
}
