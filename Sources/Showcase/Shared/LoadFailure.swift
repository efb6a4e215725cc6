/// Why something could not be loaded or saved, in terms that a person can act on.
///
/// Repositories throw nothing else, so a view model can turn every failure into a `failed` event.
public struct LoadFailure: Error, Hashable, Codable, Sendable {
  /// The cause, coarse enough to decide what to show.
  public enum Reason: String, Codable, CaseIterable, Sendable {
    /// Nothing answers at the address: no network, connection refused, name not found.
    case offline
    /// The other side did not answer in time.
    case timedOut
    /// The other side asks to slow down (HTTP 429), and retrying did not help.
    case rateLimited
    /// The other side does not let us in (HTTP 401 and 403): the key is missing or wrong.
    case unauthorized
    /// The other side failed (HTTP 5xx), and retrying did not help.
    case server
    /// The other side says that there is no such thing (HTTP 404).
    case notFound
    /// The answer was truncated or not of the agreed shape.
    case malformed
    /// The database could not be read or written.
    case storage
  }

  public let reason: Reason
  /// One sentence for a person: what went wrong and where.
  public let message: String
  /// Whether trying the same again later can work.
  public let retryable: Bool

  public init(_ reason: Reason, _ message: String, retryable: Bool) {
    self.reason = reason
    self.message = message
    self.retryable = retryable
  }
}

extension LoadFailure {
  /// Any error as one that a person can act on.
  init(_ error: any Error) {
    self = error as? LoadFailure ?? LoadFailure(.storage, "\(error)", retryable: true)
  }
}
