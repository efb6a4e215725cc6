import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The requests on their way, as the session's delegate sees them.
final class HTTPExchanges: NSObject, URLSessionDataDelegate, Sendable {
  typealias Continuation = CheckedContinuation<HTTPAnswer, any Error>

  private struct Exchange {
    let continuation: Continuation
    var contentType: String?
    var body: Data?
  }

  private let bodyLimit: Int
  private let exchanges = Mutex<[Int: Exchange]>([:])

  init(bodyLimit: Int) {
    self.bodyLimit = bodyLimit
  }

  func begin(_ id: Int, _ continuation: Continuation) {
    exchanges.withLock { $0[id] = Exchange(continuation: continuation) }
  }

  /// Answers whoever waits, unless that was done before, and stops the request.
  func end(_ task: URLSessionTask, with result: Result<HTTPAnswer, any Error>) {
    let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    task.cancel()
    exchange?.continuation.resume(with: result)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    completionHandler(.allow)
    guard let response = response as? HTTPURLResponse else { return }
    if !(200..<300).contains(response.statusCode) {
      let retryAfter = response.value(forHTTPHeaderField: "Retry-After")
        .flatMap { RetryAfter.duration($0, now: Date()) }
      let failure = HTTPFailure.status(response.statusCode, retryAfter: retryAfter)
      return end(dataTask, with: .failure(failure))
    }
    if response.expectedContentLength > bodyLimit {
      return end(dataTask, with: .failure(HTTPFailure.tooLarge(limit: bodyLimit)))
    }
    exchanges.withLock {
      $0[dataTask.taskIdentifier]?.contentType = response.mimeType?.lowercased()
      $0[dataTask.taskIdentifier]?.body = Data()
    }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let size = exchanges.withLock {
      $0[dataTask.taskIdentifier]?.body?.append(data)
      return $0[dataTask.taskIdentifier]?.body?.count ?? 0
    }
    if size > bodyLimit {
      end(dataTask, with: .failure(HTTPFailure.tooLarge(limit: bodyLimit)))
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    guard let exchange = exchanges.withLock({ $0[task.taskIdentifier] }) else { return }
    if (error as? URLError)?.code == .cancelled {
      // The task was cancelled before the exchange began, so nobody has ended it.
      end(task, with: .failure(CancellationError()))
    } else if let error {
      end(task, with: .failure(HTTPFailure(error, hasBegun: exchange.body != nil)))
    } else if let body = exchange.body {
      end(task, with: .success(HTTPAnswer(contentType: exchange.contentType, body: body)))
    } else {
      end(task, with: .failure(HTTPFailure.lost))
    }
  }
}

extension HTTPFailure {
  /// - Parameter hasBegun: whether some of the answer had arrived.
  init(_ error: any Error, hasBegun: Bool) {
    guard let error = error as? URLError else {
      self = .other(error.localizedDescription)
      return
    }
    switch error.code {
    case .timedOut: self = .timedOut
    case .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .notConnectedToInternet:
      self = .unreachable
    case _ where hasBegun: self = .truncated
    // The other two are what Linux says when the connection closes without a word.
    case .networkConnectionLost, .badServerResponse, .unknown: self = .lost
    default: self = .other(error.localizedDescription)
    }
  }
}
