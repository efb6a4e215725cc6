import Foundation
import Showcase

/// What can go wrong with one attempt.
enum HTTPFailure: Error, Hashable {
  /// No connection: refused, no route, name not found.
  case unreachable
  /// The connection broke before the answer began, as a kept one does when the server restarts.
  case lost
  /// The connection broke inside the answer.
  case truncated
  case timedOut
  case tooLarge(limit: Int)
  /// An answer other than 2xx.
  case status(Int, retryAfter: Duration?)
  /// An answer of another media type than was asked for.
  case wrongType(String, expected: String)
  /// Something that `URLSession` alone can explain.
  case other(String)

  /// Whether another attempt in a moment is worth it. An address where nobody listens is not asked
  /// again, so that being offline shows at once.
  var isPassing: Bool {
    switch self {
    case .lost, .truncated, .timedOut: true
    case .status(let status, _): [429, 500, 502, 503, 504].contains(status)
    case .unreachable, .tooLarge, .wrongType, .other: false
    }
  }

  /// How long the server asked to be left alone.
  var retryAfter: Duration? {
    if case .status(_, let retryAfter) = self { retryAfter } else { nil }
  }

  func loadFailure(_ url: URL) -> LoadFailure {
    switch self {
    case .unreachable:
      LoadFailure(.offline, "Nothing answers at \(url).", retryable: true)
    case .lost:
      LoadFailure(.offline, "The connection to \(url) was lost.", retryable: true)
    case .truncated:
      LoadFailure(.malformed, "The answer of \(url) broke off.", retryable: true)
    case .timedOut:
      LoadFailure(.timedOut, "\(url) did not answer in time.", retryable: true)
    case .tooLarge(let limit):
      LoadFailure(
        .malformed, "The answer of \(url) is larger than \(limit) bytes.", retryable: false)
    case .wrongType(let found, let expected):
      LoadFailure(
        .malformed, "\(url) answers with \(found), not with \(expected).", retryable: false)
    case .status(401, _), .status(403, _):
      LoadFailure(
        .unauthorized, "\(url) does not let us in (\(statusText)).", retryable: false)
    case .status(404, _), .status(410, _):
      LoadFailure(.notFound, "There is nothing at \(url).", retryable: false)
    case .status(429, _):
      LoadFailure(.rateLimited, "\(url) asks to slow down.", retryable: true)
    case .status(500..., _):
      LoadFailure(.server, "The server of \(url) failed (\(statusText)).", retryable: true)
    case .status:
      LoadFailure(.malformed, "\(url) refused the request (\(statusText)).", retryable: false)
    case .other(let detail):
      LoadFailure(.offline, "\(url) could not be asked: \(detail).", retryable: true)
    }
  }

  private var statusText: String {
    if case .status(let status, _) = self { "HTTP \(status)" } else { "" }
  }
}

extension LoadFailure {
  /// An answer that does not decode: says which member is wrong, or that it is no JSON at all.
  init(decoding error: any Error, from url: URL) {
    let what =
      switch error as? DecodingError {
      case .keyNotFound(let key, let context):
        "\(Self.member(context.codingPath + [key])) is missing"
      case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
        "\(Self.member(context.codingPath)) is not of type \(type)"
      case .dataCorrupted(let context) where context.codingPath.isEmpty: "it is not JSON"
      case .dataCorrupted(let context):
        "\(Self.member(context.codingPath)) is wrong: \(context.debugDescription)"
      case nil: "\(error)"
      @unknown default: "\(error)"
      }
    self.init(.malformed, "The answer of \(url) makes no sense: \(what).", retryable: false)
  }

  /// A path such as `results[3].name`.
  private static func member(_ path: [any CodingKey]) -> String {
    let text = path.reduce(into: "") { text, key in
      if let index = key.intValue {
        text += "[\(index)]"
      } else {
        text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
      }
    }
    return text.isEmpty ? "the whole" : text
  }
}
