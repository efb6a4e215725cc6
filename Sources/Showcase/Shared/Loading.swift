import Offstage

/// The reason that something could not be loaded or saved.
///
/// Repositories throw only this and `CancellationError`, so that a view model can turn every
/// failure into a `failed` event.
package struct LoadFailure: Error, Hashable, Sendable {
  /// The cause, coarse enough to choose a message.
  package enum Reason: String, Codable, CaseIterable, Sendable {
    /// The server is unreachable: no network, no route, or an unknown host.
    case offline
    /// The server's machine accepts no connections.
    case refused
    /// The proxy is unreachable or denies access.
    case proxy
    /// The connection broke before the end of the response.
    case interrupted
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
    /// The response breaks the rules of HTTP or has an unexpected shape.
    case malformed
    /// The response is a web page, such as the sign-in page of a public network.
    case webPage
    /// The server redirects in a circle, or to an address that the app does not open.
    case redirected
    /// The server rejected the request (HTTP 400, 422, and the like).
    case rejected
    /// The chat server has no such model, or another address.
    case modelNotFound
    /// The conversation is too long for the chat server.
    case tooLong
    /// The server ended a reply early.
    case cutOff
    /// The server's content filter stopped the reply.
    case filtered
    /// Another process of the app changed the chat during the reply.
    case changedElsewhere
    /// The server's certificate is invalid, or it has none.
    case untrusted
    /// The database could not be read or written.
    case storage
    /// The request could not be sent.
    case unsent
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

  init(_ reason: LoadFailure.Reason, _ attempt: Attempt?, retryable: Bool, _ words: any Words) {
    self.reason = reason
    self.retryable = retryable
    self.attempt = attempt
    // Another choice does not help if a whole list is missing.
    let isChoice = attempt?.isChoice ?? true
    let advice = words.advice(reason == .notFound && !isChoice ? .server : reason)
    let sentences = [attempt.map(words.failed), advice]
    message = sentences.compactMap(\.self).joined(separator: " ")
  }

  func translated(_ words: any Words) -> Failure {
    Failure(reason, attempt, retryable: retryable, words)
  }
}

extension Localizer {
  /// Shows why the newest load has failed.
  func show(
    _ load: CachedLoad<some Sendable, some Sendable>, _ attempt: Attempt, in output: Out<Failure?>
  ) {
    output.bind(load.failure.map { $0.map { failure($0, attempt) } })
    onChange { output.value = output.value?.translated(words) }
  }
}

/// The inputs of a screen that shows one thing.
struct DetailInput: Ports {
  let didAppear = In<Trigger>()
  let retry = In<Trigger>()
  let refresh = In<Trigger>()
}

/// The outputs of every screen that loads something.
@CoreActor
protocol LoadingOutput: Ports {
  var isLoading: Out<Bool> { get }
  /// The reason that the last load failed; nil once one has succeeded.
  var failure: Out<Failure?> { get }
  /// True if `retry` repeats a load that failed.
  var canRetry: Out<Bool> { get }
}

/// The outputs of a screen that may show a stale value: one from a cache, or one that could not be
/// loaded again. It stays, with the reason in `failure`.
@CoreActor
protocol StaleOutput: LoadingOutput {
  var isStale: Out<Bool> { get }
  /// The time at which a stale value was loaded, in seconds since 1970; nil if it is up to date.
  var staleSince: Out<Int?> { get }
  var failed: Event<Failure> { get }
}

extension LoadingOutput {
  /// Shows the outcome of a loader or pager.
  /// - Parameters:
  ///   - isLoading: By default that of `load`.
  ///   - otherFailure: The failure of another load that `retry` repeats too.
  func show(
    _ load: CachedLoad<some Sendable, some Sendable>, _ attempt: Attempt, _ localizer: Localizer,
    isLoading: Signal<Bool>? = nil, otherFailure: Signal<(any Error)?>? = nil
  ) {
    self.isLoading.bind(isLoading ?? load.isLoading)
    localizer.show(load, attempt, in: failure)
    guard let otherFailure else { return canRetry.bind(load.failure.map { $0 != nil }) }
    canRetry.bind(combineLatest(load.failure, otherFailure).map { $0 != nil || $1 != nil })
  }
}

extension StaleOutput {
  /// Shows the outcome of a loader or pager, and the age of a stale value.
  func bind(
    _ load: CachedLoad<some Sendable, some Sendable>, _ attempt: Attempt, _ localizer: Localizer,
    isLoading: Signal<Bool>? = nil, otherFailure: Signal<(any Error)?>? = nil
  ) {
    show(load, attempt, localizer, isLoading: isLoading, otherFailure: otherFailure)
    isStale.bindStale(staleSince, load.staleSince)
    load.failures.observe { failed.send(localizer.report($0, attempt)) }
  }
}

extension Out<Bool> {
  /// Shows that something is out of date, and in `since` the time at which it was loaded.
  func bindStale(_ since: Out<Int?>, _ loadedAt: Signal<Duration?>) {
    bind(loadedAt.map { $0 != nil })
    since.bind(loadedAt.map { $0.map { Int($0.components.seconds) } })
  }
}

extension Loader {
  /// Loads at once and on `input`, and shows its state in `output`.
  func start(
    on input: DetailInput, _ output: some StaleOutput, _ attempt: Attempt,
    _ localizer: Localizer
  ) {
    output.bind(self, attempt, localizer)
    input.didAppear.merge(input.retry).observe { (_: Trigger) in self.load() }
    input.refresh.observe { self.reload() }
    load()
  }
}
