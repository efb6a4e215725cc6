import Foundation
import Showcase

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Asks by HTTP for answers that are read while they come.
///
/// There is one attempt: what has been shown of an answer cannot be taken back.
public final class HTTPStreaming: Sendable {
  private let timeout: Duration
  private let sleep: HTTPClient.Sleep
  private let streams: HTTPStreams
  private let session: URLSession

  /// - Parameters:
  ///   - timeout: how long the other side may say nothing, at least; at most twice that.
  ///   - bodyLimit: how many bytes an answer may have.
  ///   - sleep: how to wait.
  public init(
    timeout: Duration = .seconds(30), bodyLimit: Int = 8 << 20,
    sleep: @escaping HTTPClient.Sleep = { try await Task.sleep(for: $0) }
  ) {
    self.timeout = timeout
    self.sleep = sleep
    streams = HTTPStreams(bodyLimit: bodyLimit)
    session = URLSession(
      configuration: HTTPTransport.configuration, delegate: streams, delegateQueue: nil)
  }

  deinit {
    // A session keeps itself and its delegate alive until it is told to stop.
    session.invalidateAndCancel()
  }

  /// The body of an answer, as it comes. Cancelling whoever iterates closes the connection.
  /// - Parameter contentType: the media type that the answer must have.
  /// - Returns: data that ends with `HTTPFailure` where something goes wrong.
  func body(
    of request: URLRequest, contentType: String
  ) -> AsyncThrowingStream<Data, any Error> {
    let task = session.dataTask(with: request)
    return AsyncThrowingStream { continuation in
      streams.begin(task.taskIdentifier, continuation, contentType: contentType)
      let watch = Task { [streams, timeout, sleep] in
        while streams.checkAlive(task.taskIdentifier) == true { try await sleep(timeout) }
        streams.end(task, HTTPFailure.timedOut)
      }
      // Keeps the session, too, for as long as somebody reads.
      continuation.onTermination = { [self] _ in
        watch.cancel()
        streams.end(task)
      }
      task.resume()
    }
  }
}
