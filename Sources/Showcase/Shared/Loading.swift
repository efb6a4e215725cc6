import Offstage

/// The reason that something could not be loaded or saved.
///
/// Repositories throw no other error but `CancellationError`, so that a view model can turn every
/// failure into a `failed` event.
package struct LoadFailure: Error, Hashable, Sendable {
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
    /// The server ended a reply early.
    case cutOff
    /// The database could not be read or written.
    case storage
  }

  package let reason: Reason
  /// What failed and where, for the log. A person sees a ``Failure``.
  package let detail: String
  /// True if the same request may succeed later.
  package let retryable: Bool

  package init(_ reason: Reason, _ detail: String, retryable: Bool) {
    self.reason = reason
    self.detail = detail
    self.retryable = retryable
  }
}

extension LoadFailure: CustomStringConvertible {
  package var description: String { detail }

  /// Wraps any error.
  init(_ error: any Error) {
    self = error as? LoadFailure ?? LoadFailure(.storage, "\(error)", retryable: true)
  }
}

/// A failure as a screen shows it.
struct Failure: Codable, Hashable, Sendable {
  let reason: LoadFailure.Reason
  /// What happened and what to do, in the person's language.
  let message: String
  /// True if the same request may succeed later.
  let retryable: Bool
  /// What the app tried to do; not on the wire.
  private var attempt: Attempt?

  private enum CodingKeys: String, CodingKey {
    case reason, message, retryable
  }

  init(_ failure: LoadFailure, _ attempt: Attempt?, _ words: any Words) {
    self.init(failure.reason, attempt, retryable: failure.retryable, words)
  }

  private init(
    _ reason: LoadFailure.Reason, _ attempt: Attempt?, retryable: Bool, _ words: any Words
  ) {
    self.reason = reason
    self.retryable = retryable
    self.attempt = attempt
    let sentences = [attempt.map(words.failed), words.advice(reason)]
    message = sentences.compactMap(\.self).joined(separator: " ")
  }

  func translated(_ words: any Words) -> Failure {
    Failure(reason, attempt, retryable: retryable, words)
  }
}

extension Localizer {
  /// Shows why the newest load has failed.
  func show<Value>(_ loader: Loader<Value>, _ attempt: Attempt, in output: Out<Failure?>) {
    output.bind(loader.failure.map { $0.map { failure($0, attempt) } })
    onChange { output.value = output.value?.translated(words) }
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
    on input: DetailInput, _ isLoading: Out<Bool>, _ failure: Out<Failure?>,
    _ failed: Event<Failure>, _ attempt: Attempt, _ localizer: Localizer
  ) {
    isLoading.bind(self.isLoading)
    localizer.show(self, attempt, in: failure)
    failures.observe { failed.send(localizer.report($0, attempt)) }
    input.didAppear.merge(input.retry).observe { (_: Trigger) in self.load() }
    input.refresh.observe { self.reload() }
    load()
  }
}
