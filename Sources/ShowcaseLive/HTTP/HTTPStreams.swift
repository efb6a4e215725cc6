import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The answers that are read while they come, as the session's delegate sees them.
final class HTTPStreams: NSObject, URLSessionDataDelegate, Sendable {
  typealias Continuation = AsyncThrowingStream<Data, any Error>.Continuation

  private struct Stream {
    let continuation: Continuation
    /// The media type that the answer must have.
    let contentType: String
    /// How many bytes have come; nil before the answer has begun.
    var count: Int?
    /// Whether anything has happened since the clock was last looked at.
    var isAlive = true
  }

  private let bodyLimit: Int
  private let streams = Mutex<[Int: Stream]>([:])

  init(bodyLimit: Int) {
    self.bodyLimit = bodyLimit
  }

  func begin(_ id: Int, _ continuation: Continuation, contentType: String) {
    streams.withLock { $0[id] = Stream(continuation: continuation, contentType: contentType) }
  }

  /// Ends a stream, unless that was done before, and stops the request.
  func end(_ task: URLSessionTask, _ failure: (any Error)? = nil) {
    let stream = streams.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    task.cancel()
    stream?.continuation.finish(throwing: failure)
  }

  /// - Returns: whether anything has happened since this was last asked; nil once it has ended.
  func checkAlive(_ id: Int) -> Bool? {
    streams.withLock { streams in
      defer { streams[id]?.isAlive = false }
      return streams[id]?.isAlive
    }
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
      return end(dataTask, HTTPFailure.status(response.statusCode, retryAfter: retryAfter))
    }
    let found = response.mimeType?.lowercased() ?? "nothing"
    let expected = streams.withLock { streams in
      streams[dataTask.taskIdentifier]?.count = 0
      streams[dataTask.taskIdentifier]?.isAlive = true
      return streams[dataTask.taskIdentifier]?.contentType
    }
    if let expected, expected != found {
      end(dataTask, HTTPFailure.wrongType(found, expected: expected))
    }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let (count, continuation) = streams.withLock { streams -> (Int, Continuation?) in
      streams[dataTask.taskIdentifier]?.count? += data.count
      streams[dataTask.taskIdentifier]?.isAlive = true
      let stream = streams[dataTask.taskIdentifier]
      return (stream?.count ?? 0, stream?.continuation)
    }
    if count > bodyLimit { return end(dataTask, HTTPFailure.tooLarge(limit: bodyLimit)) }
    continuation?.yield(data)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let count = streams.withLock { $0[task.taskIdentifier]?.count }
    if let error {
      end(task, HTTPFailure(error, hasBegun: count != nil))
    } else {
      end(task, count == nil ? HTTPFailure.lost : nil)
    }
  }
}
