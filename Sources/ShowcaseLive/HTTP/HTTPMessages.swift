import Foundation
import ShowcaseCurl

extension URL {
  /// Appends to the path, as it is spelled, and to the query. Keeps a trailing slash, because some
  /// servers redirect to it.
  func appending(endpoint path: String, query: [URLQueryItem] = []) -> URL {
    guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return self }
    if !parts.percentEncodedPath.hasSuffix("/") { parts.percentEncodedPath += "/" }
    parts.percentEncodedPath += path
    if !query.isEmpty {
      var items = URLComponents()
      items.queryItems = query
      // Servers read a plus sign as a space.
      let text = items.percentEncodedQuery?.replacing("+", with: "%2B")
      parts.percentEncodedQuery = [parts.percentEncodedQuery, text].compactMap(\.self)
        .joined(separator: "&")
    }
    return parts.url ?? self
  }

  /// True for an http or https address.
  var isHTTP: Bool { ["http", "https"].contains(scheme?.lowercased()) }

  /// The address without user and password.
  var withoutCredentials: String {
    var parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
    parts?.user = nil
    parts?.password = nil
    return parts?.string ?? "URL"
  }

  /// The address for messages: without user, password, query, and fragment, which may be secrets.
  var redacted: String {
    String(withoutCredentials.prefix { $0 != "?" && $0 != "#" })
  }
}

/// A request and the limits of its response.
struct HTTPRequest: Sendable {
  /// The address without user and password, which are in `authorization`.
  var url: String
  var headers: [String: String] = [:]
  /// The credentials, which are sent only to the origin of `url`.
  var authorization: String?
  /// The body of a POST request; nil for GET.
  var body: Data?
  /// The time until the end of the response, unless the reader restarts the clock.
  var timeout: Duration
  /// The largest body to accept, in bytes, after decompression.
  var bodyLimit: Int
  /// False to fail on a redirect to another origin.
  var allowsCrossOriginRedirects = true

  init(_ url: URL, accept: String, timeout: Duration, bodyLimit: Int) {
    if let parts = URLComponents(url: url, resolvingAgainstBaseURL: true), let user = parts.user {
      let credentials = Data("\(user):\(parts.password ?? "")".utf8).base64EncodedString()
      authorization = "Basic \(credentials)"
    }
    self.url = url.withoutCredentials
    headers["Accept"] = accept
    self.timeout = timeout
    self.bodyLimit = bodyLimit
  }
}

/// The status and the header fields of a response.
struct HTTPHead: Hashable, Sendable {
  var status: Int
  /// The values, by lowercase name.
  var fields: [String: String] = [:]

  var isSuccess: Bool { (200..<300).contains(status) }

  /// The server's identifier for this version of the content.
  var etag: String? { fields["etag"] }

  /// The media type in lowercase, without its parameters, such as `image/png`.
  var contentType: String? {
    fields["content-type"]?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
  }
}

/// A complete response with a status of 2xx or 304.
struct HTTPResponse: Sendable {
  var head: HTTPHead
  /// True if the content is still the version that the request named.
  var isUnchanged = false
  /// The content; empty if it is unchanged or was saved to a file.
  var body = Data()
}

/// An http or https address, resolved and parsed by libcurl. Comparing origins with a different
/// parser than the one that connects would be a security hole.
struct HTTPAddress {
  let url: String
  /// Scheme, host, and port.
  let origin: String
  private let host: String
  private let port: String

  /// Resolves a reference (RFC 3986); nil unless the result is an http or https address.
  init?(_ reference: String, relativeTo base: String? = nil) {
    guard let parts = curl_url() else { return nil }
    defer { curl_url_cleanup(parts) }
    if let base, curl_url_set(parts, CURLUPART_URL, base, 0) != CURLUE_OK { return nil }
    let encode = UInt32(CURLU_URLENCODE)
    guard curl_url_set(parts, CURLUPART_URL, reference, encode) == CURLUE_OK,
      curl_url_set(parts, CURLUPART_FRAGMENT, nil, 0) == CURLUE_OK,
      let url = Self.text(of: parts, CURLUPART_URL),
      let scheme = Self.text(of: parts, CURLUPART_SCHEME), ["http", "https"].contains(scheme),
      let host = Self.text(of: parts, CURLUPART_HOST),
      let port = Self.text(of: parts, CURLUPART_PORT, UInt32(CURLU_DEFAULT_PORT))
    else { return nil }
    self.url = url
    self.host = host
    self.port = port
    origin = "\(scheme)://\(host.lowercased()):\(port)"
  }

  /// Returns true if a message from libcurl names this host and port.
  func isNamed(in text: String) -> Bool {
    text.contains(host.trimmingCharacters(in: ["[", "]"])) && text.contains(port)
  }

  private static func text(
    of parts: OpaquePointer, _ part: CURLUPart, _ flags: UInt32 = 0
  ) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard curl_url_get(parts, part, &text, flags) == CURLUE_OK, let text else { return nil }
    defer { curl_free(text) }
    return String(cString: text)
  }
}
