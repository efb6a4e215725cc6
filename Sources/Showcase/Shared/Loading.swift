import Offstage

/// The reason that something could not be loaded or saved, in terms that a person can act on.
///
/// Repositories throw no other error but `CancellationError`, so that a view model can turn every
/// failure into a `failed` event.
package struct LoadFailure: Error, Hashable, Codable, Sendable {
  /// The cause, coarse enough to choose a message.
  package enum Reason: String, Codable, CaseIterable, Sendable {
    /// The server is unreachable: no network, connection refused, or unknown host.
    case offline
    /// The server did not respond in time.
    case timedOut
    /// The server limits the rate of requests (HTTP 429), and retrying did not help.
    case rateLimited
    /// The server denies access (HTTP 401 and 403): the key is missing or wrong.
    case unauthorized
    /// The server failed (HTTP 5xx), and retrying did not help.
    case server
    /// The resource does not exist (HTTP 404).
    case notFound
    /// The response was truncated or has an unexpected shape.
    case malformed
    /// The database could not be read or written.
    case storage
  }

  package let reason: Reason
  /// One sentence for a person: what failed and where.
  package let message: String
  /// True if the same request may succeed later.
  package let retryable: Bool

  package init(_ reason: Reason, _ message: String, retryable: Bool) {
    self.reason = reason
    self.message = message
    self.retryable = retryable
  }
}

extension LoadFailure: CustomStringConvertible {
  package var description: String { message }

  /// Wraps any error.
  init(_ error: any Error) {
    self = error as? LoadFailure ?? LoadFailure(.storage, "\(error)", retryable: true)
  }
}

/// The inputs of a screen that shows one thing.
struct DetailInput: Ports {
  let didAppear = In<Trigger>()
  let retry = In<Trigger>()
  let refresh = In<Trigger>()
}

extension Loader {
  /// Loads at once and on `input`, and reports to the outputs that every such screen has.
  func start(
    on input: DetailInput, _ isLoading: Out<Bool>, _ failure: Out<LoadFailure?>,
    _ failed: Event<LoadFailure>
  ) {
    isLoading.bind(self.isLoading)
    failure.bind(self.failure.map { $0.map(LoadFailure.init) })
    failures.observe { failed.send(LoadFailure($0)) }
    input.didAppear.merge(input.retry).observe { (_: Trigger) in self.load() }
    input.refresh.observe { self.reload() }
    load()
  }
}
