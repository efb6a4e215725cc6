/// The reason that something could not be loaded or saved.
///
/// Repositories throw only this and `CancellationError`, so that a view model can turn every
/// failure into a `failed` event.
package struct LoadFailure: Error, Hashable, Sendable {
  /// The cause, with the detail needed to choose a message.
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
    /// The server demands a payment (HTTP 402), or its quota is used up.
    case quota
    /// The resource does not exist (HTTP 404).
    case notFound
    /// The address leads to another server than expected.
    case wrongAddress
    /// The response breaks the rules of HTTP or has an unexpected shape.
    case malformed
    /// The response is a web page, such as the sign-in page of a public network.
    case webPage
    /// The server redirects in a loop, or to an address that the app does not open.
    case redirected
    /// The server rejected the request (HTTP 400, 422, and the like).
    case rejected
    /// The chat server does not have the model.
    case modelNotFound
    /// The conversation is too long for the chat server.
    case tooLong
    /// The server ended a reply early.
    case cutOff
    /// The server's content filter stopped the reply.
    case filtered
    /// Another process of the app changed the chat during the reply.
    case changedElsewhere
    /// Another process of the app signed in or out. Nothing was saved.
    case accountChanged
    /// The server's certificate is for another server, or it has none.
    case untrusted
    /// The server's certificate has expired, or is not valid yet.
    case certificateDate
    /// The server's certificate comes from an authority that is not trusted.
    case unknownAuthority
    /// The database could not be read or written.
    case storage
    /// The request could not be sent.
    case unsent
  }

  package let reason: Reason
  /// The failure and its place, for the log. The user sees a ``Failure``.
  package let detail: String
  /// True if the same request may succeed later.
  package let retryable: Bool
  /// The remedy, if the reason alone does not tell.
  package let remedy: Remedy?

  package enum Remedy: CaseIterable, Sendable {
    /// Wait for another process, which keeps the database locked.
    case busy
    /// Make space on the disk.
    case diskFull
    /// Wait for the database's server.
    case away
  }

  package init(_ reason: Reason, _ detail: String, retryable: Bool, remedy: Remedy? = nil) {
    self.reason = reason
    self.detail = detail
    self.retryable = retryable
    self.remedy = remedy
  }
}

extension LoadFailure: CustomStringConvertible {
  package var description: String { detail }

  /// Creates a failure from any error.
  init(_ error: any Error) {
    self = error as? LoadFailure ?? LoadFailure(.storage, "\(error)", retryable: true)
  }
}

extension (any Error)? {
  /// True if there is an error, and the same request may succeed later.
  var isRetryable: Bool { map { LoadFailure($0).retryable } ?? false }
}

/// A failure as a screen shows it.
struct Failure: Codable, Hashable, Sendable {
  let reason: LoadFailure.Reason
  /// The failure and the remedy, in the user's language.
  let message: String
  /// True if the same request may succeed later.
  let retryable: Bool
  /// The action that failed; not on the wire.
  private var attempt: Attempt?
  private var remedy: LoadFailure.Remedy?

  private enum CodingKeys: String, CodingKey {
    case reason, message, retryable
  }

  init(_ failure: LoadFailure, _ attempt: Attempt?, _ words: Words) {
    (reason, remedy, retryable) = (failure.reason, failure.remedy, failure.retryable)
    self.attempt = attempt
    // If a whole list is missing, the server is another one than expected.
    let isChoice = attempt?.isChoice ?? true
    let advice =
      remedy.map(words.advice)
      ?? words.advice(reason == .notFound && !isChoice ? .wrongAddress : reason)
    let sentences = [attempt.map(words.failed), advice]
    message = sentences.compactMap(\.self).joined(separator: " ")
  }

  func translated(_ words: Words) -> Failure {
    Failure(LoadFailure(reason, "", retryable: retryable, remedy: remedy), attempt, words)
  }
}
