public import OffstageFoundation
import OffstageJSON

/// A request that failed, and why.
///
/// The description is for developers and for apps in English: it names the address, without user,
/// password, and query, which may be secrets. An app with more than one language finds its words by
/// the ``reason``.
/// ```swift
/// do {
///   try await client.send(request)
/// } catch let error as HTTPError where error.status == 401 {
///   signOut()
/// }
/// ```
public struct HTTPError: Error, Hashable, Sendable {
  /// The cause of a failure.
  public enum Reason: Error, Hashable, Sendable {
    /// No connection, in libcurl's words: no route, or an unknown name.
    case unreachable(String)
    /// The server's machine refuses the connection.
    case refused
    /// The proxy is unreachable or denies access, in libcurl's words.
    case proxy(String)
    /// The connection broke before the response began, for example because the server restarted.
    case lost
    /// The connection broke inside the response.
    case truncated
    /// The server did not respond in time.
    case timedOut
    /// The response has more bytes than the client accepts.
    case tooLarge(limit: Int)
    /// A status other than 2xx, with the time that the server asks to wait before the next attempt,
    /// and the server's explanation, if the app has read one.
    case status(Int, retryAfter: Duration? = nil, message: String? = nil)
    /// A response of another media type than the request accepts.
    case wrongType(String, expected: String)
    /// The content is not as expected. The text says what is wrong.
    case malformed(String)
    /// A certificate for another server, or no TLS at all.
    case untrusted(String)
    /// A certificate that has expired, or is not valid yet.
    case certificateDate(String)
    /// A certificate from an authority that is not trusted.
    case unknownAuthority(String)
    /// A redirect that is not followed. The text completes the sentence "URL …".
    case redirect(String)
    /// A response that is not valid HTTP.
    case invalid(String)
    /// Any other error, in libcurl's words.
    case other(String)
  }

  /// The cause.
  public let reason: Reason
  /// The address, without user, password, query, and fragment.
  public let url: String

  /// Creates an error, for example in a test.
  public init(_ reason: Reason, _ url: URL) {
    self.reason = reason
    self.url = url.redacted
  }

  /// The status of the response; nil if there was none, or if its content is at fault.
  public var status: Int? {
    if case .status(let status, _, _) = reason { status } else { nil }
  }

  /// True if the same request may succeed later, so that it makes sense to offer a retry.
  public var isRetryable: Bool {
    switch reason {
    case .tooLarge, .malformed, .redirect: false
    case .wrongType(let found, _): found == Self.webPage
    case .status(let status, _, _): status >= 500 || [402, 429].contains(status)
    case .unreachable, .refused, .proxy, .lost, .truncated, .timedOut, .untrusted,
      .certificateDate, .unknownAuthority, .invalid, .other:
      true
    }
  }

  /// The media type of a page where data was expected, such as the sign-in page of a public network.
  package static let webPage = "text/html"
}

extension HTTPError: CustomStringConvertible {
  /// What failed, and where.
  public var description: String {
    switch reason {
    case .unreachable(let detail): "Could not connect to \(url): \(detail)."
    case .refused: "\(url) refused the connection."
    case .proxy(let detail): "The proxy did not connect to \(url): \(detail)."
    case .lost: "\(url) closed the connection without a response."
    case .truncated: "The response from \(url) is incomplete."
    case .timedOut: "\(url) did not respond in time."
    case .tooLarge(let limit): "The response from \(url) exceeds \(limit) bytes."
    case .status(let status, _, let message?): "\(message) (HTTP \(status))"
    case .status(let status, _, nil): Self.description(status, url)
    case .wrongType(Self.webPage, let expected): "\(url) sent a web page instead of \(expected)."
    case .wrongType(let found, let expected):
      "Invalid response from \(url): expected \(expected), found \(found)."
    case .malformed(let what), .invalid(let what): "Invalid response from \(url): \(what)."
    case .untrusted(let detail), .certificateDate(let detail), .unknownAuthority(let detail):
      "The connection to \(url) is not trusted: \(detail)."
    case .redirect(let what): "\(url) \(what)."
    case .other(let detail): "Could not load \(url): \(detail)."
    }
  }

  private static func description(_ status: Int, _ url: String) -> String {
    switch status {
    case 401, 403: "\(url) denied access (HTTP \(status))."
    case 402: "\(url) demands a payment (HTTP 402)."
    case 407: "The proxy on the way to \(url) asks for a password (HTTP 407)."
    case 404, 410: "\(url) was not found."
    case 429: "Too many requests to \(url)."
    case 500...: "\(url) failed (HTTP \(status))."
    case 400...: "\(url) rejected the request (HTTP \(status))."
    default: "\(url) responded with HTTP \(status)."
    }
  }
}

extension HTTPError.Reason {
  /// True if another attempt soon may succeed. A refused connection is not retried, so that the app
  /// shows at once that it is offline.
  var isTransient: Bool {
    switch self {
    case .lost, .truncated, .timedOut: true
    case .status(let status, _, _): [429, 500, 502, 503, 504].contains(status)
    case .unreachable, .refused, .proxy, .tooLarge, .wrongType, .malformed, .untrusted,
      .certificateDate, .unknownAuthority, .redirect, .invalid, .other:
      false
    }
  }

  /// The time that the server asks to wait before the next attempt.
  var retryAfter: Duration? {
    if case .status(_, let retryAfter, _) = self { retryAfter } else { nil }
  }

  /// Returns the reason for a text that is not JSON.
  /// - Parameter text: The beginning of the response.
  package static func notJSON(_ text: some Collection<UInt8>, _ what: String) -> HTTPError.Reason {
    text.isMarkup
      ? .wrongType(HTTPError.webPage, expected: "JSON") : .malformed("not JSON: \(what)")
  }
}

extension Decodable {
  /// Decodes a response's body.
  /// - Throws: An error that names the invalid member, or where the text stops being JSON.
  package init(json: some Collection<UInt8>, from url: URL) throws(HTTPError) {
    do {
      self = try JSONText(Array(json)).withRoot { try $0.decode(Self.self) }
    } catch let error as JSONMismatch {
      throw HTTPError(.malformed("\(error)"), url)
    } catch {
      throw HTTPError(.notJSON(json, "\(error)"), url)
    }
  }
}

extension Collection<UInt8> {
  /// True if the text starts like a web page.
  package var isMarkup: Bool { firstVisible == UInt8(ascii: "<") }

  /// The first byte that is neither white space nor part of a byte order mark.
  package var firstVisible: UInt8? {
    let space: Set<UInt8> = [0x09, 0x0A, 0x0D, 0x20, 0xEF, 0xBB, 0xBF]
    return first { !space.contains($0) }
  }
}
