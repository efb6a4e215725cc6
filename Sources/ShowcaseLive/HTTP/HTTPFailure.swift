import Foundation
import OffstageJSON
import Showcase

/// The failure of one attempt.
enum HTTPFailure: Error, Hashable {
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
  case timedOut
  case tooLarge(limit: Int)
  /// A status other than 2xx, with the server's explanation, if any.
  case status(Int, retryAfter: Duration? = nil, message: String? = nil)
  /// A response of another media type than the request accepts.
  case wrongType(String, expected: String)
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

  /// True if another attempt soon may succeed. A refused connection is not retried, so that the app
  /// shows at once that it is offline.
  var isTransient: Bool {
    switch self {
    case .lost, .truncated, .timedOut: true
    case .status(let status, _, _): [429, 500, 502, 503, 504].contains(status)
    case .unreachable, .refused, .proxy, .tooLarge, .wrongType, .untrusted, .certificateDate,
      .unknownAuthority, .redirect, .invalid, .other:
      false
    }
  }

  /// True if the server has too many requests.
  var isOverload: Bool {
    if case .status(let status, _, _) = self { [429, 503].contains(status) } else { false }
  }

  /// The time that the server asks to wait before the next attempt.
  var retryAfter: Duration? {
    if case .status(_, let retryAfter, _) = self { retryAfter } else { nil }
  }

  /// Returns the failure for a user, without secrets in the address.
  func loadFailure(_ address: URL) -> LoadFailure {
    let url = address.redacted
    return switch self {
    case .unreachable(let detail):
      LoadFailure(.offline, "Could not connect to \(url): \(detail).", retryable: true)
    case .refused: LoadFailure(.refused, "\(url) refused the connection.", retryable: true)
    case .proxy(let detail):
      LoadFailure(.proxy, "The proxy did not connect to \(url): \(detail).", retryable: true)
    case .lost:
      LoadFailure(
        .interrupted, "\(url) closed the connection without a response.", retryable: true)
    case .truncated:
      LoadFailure(.interrupted, "The response from \(url) is incomplete.", retryable: true)
    case .timedOut: LoadFailure(.timedOut, "\(url) did not respond in time.", retryable: true)
    case .tooLarge(let limit):
      LoadFailure(.malformed, "The response from \(url) exceeds \(limit) bytes.", retryable: false)
    case .wrongType("text/html", let expected):
      .webPage(url: address, expected: expected)
    case .wrongType(let found, let expected):
      .malformed(url: address, "expected \(expected), found \(found)")
    case .invalid(let detail): .malformed(url: address, detail, retryable: true)
    case .status(let status, _, let message):
      Self.loadFailure(status, "\(url)", message.map { "\($0) (HTTP \(status))" })
    case .untrusted(let detail): .untrusted(.untrusted, "\(url)", detail)
    case .certificateDate(let detail): .untrusted(.certificateDate, "\(url)", detail)
    case .unknownAuthority(let detail): .untrusted(.unknownAuthority, "\(url)", detail)
    case .redirect(let what): LoadFailure(.redirected, "\(url) \(what).", retryable: false)
    case .other(let detail):
      LoadFailure(.unsent, "Could not load \(url): \(detail).", retryable: true)
    }
  }

  private static func loadFailure(_ status: Int, _ url: String, _ message: String?) -> LoadFailure {
    switch status {
    case 401, 403:
      LoadFailure(
        .unauthorized, message ?? "\(url) denied access (HTTP \(status)).", retryable: false)
    case 402:
      LoadFailure(
        .quota, message ?? "\(url) demands a payment (HTTP 402).", retryable: true)
    case 407:
      LoadFailure(
        .proxy, "The proxy on the way to \(url) asks for a password (HTTP 407).", retryable: false)
    case 404, 410: LoadFailure(.notFound, message ?? "\(url) was not found.", retryable: false)
    case 429:
      LoadFailure(.rateLimited, message ?? "Too many requests to \(url).", retryable: true)
    case 500...:
      LoadFailure(.server, message ?? "\(url) failed (HTTP \(status)).", retryable: true)
    case 400...:
      LoadFailure(
        .rejected, message ?? "\(url) rejected the request (HTTP \(status)).", retryable: false)
    default:
      LoadFailure(
        .malformed, message ?? "\(url) responded with HTTP \(status).", retryable: false)
    }
  }
}

extension LoadFailure {
  fileprivate static func untrusted(
    _ reason: Reason, _ url: String, _ detail: String
  ) -> LoadFailure {
    LoadFailure(reason, "The connection to \(url) is not trusted: \(detail).", retryable: true)
  }

  /// Returns the failure for a response that is not in the requested form.
  static func malformed(url: URL, _ what: String, retryable: Bool = false) -> LoadFailure {
    LoadFailure(.malformed, "Invalid response from \(url.redacted): \(what).", retryable: retryable)
  }

  /// - Parameter text: The beginning of the response.
  static func notJSON(
    _ text: some Collection<UInt8>, _ what: String, url: URL
  ) -> LoadFailure {
    text.isMarkup ? webPage(url: url, expected: "JSON") : malformed(url: url, "not JSON: \(what)")
  }

  static func webPage(url: URL, expected: String) -> LoadFailure {
    LoadFailure(
      .webPage, "\(url.redacted) sent a web page instead of \(expected).", retryable: true)
  }
}

extension Decodable {
  /// Decodes a response's body.
  /// - Throws: A `LoadFailure` that names the invalid member, or where the text stops being JSON.
  init(json: some Collection<UInt8>, from url: URL) throws(LoadFailure) {
    do {
      self = try JSONText(Array(json)).withRoot { try $0.decode(Self.self) }
    } catch let error as JSONMismatch {
      throw .malformed(url: url, "\(error)")
    } catch {
      throw .notJSON(json, "\(error)", url: url)
    }
  }
}

extension Collection<UInt8> {
  /// True if the text starts like a web page.
  var isMarkup: Bool { firstVisible == UInt8(ascii: "<") }

  /// The first byte that is neither white space nor part of a byte order mark.
  var firstVisible: UInt8? {
    let space: Set<UInt8> = [0x09, 0x0A, 0x0D, 0x20, 0xEF, 0xBB, 0xBF]
    return first { !space.contains($0) }
  }
}
