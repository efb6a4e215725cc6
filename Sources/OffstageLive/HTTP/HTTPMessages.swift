import OffstageCurl
public import OffstageFoundation

extension URL {
  /// Appends to the path, as it is spelled, and to the query. Keeps a trailing slash, because some
  /// servers redirect to it.
  package func appending(endpoint path: String, query: [URLQueryItem] = []) -> URL {
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
  package var isHTTP: Bool { ["http", "https"].contains(scheme?.lowercased()) }

  /// The address without user and password.
  package var withoutCredentials: String {
    var parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
    parts?.user = nil
    parts?.password = nil
    return parts?.string ?? "URL"
  }

  /// The address for messages: without user, password, query, and fragment, which may be secrets.
  package var redacted: String {
    String(withoutCredentials.prefix { $0 != "?" && $0 != "#" })
  }
}

/// A request.
/// ```swift
/// var request = try HTTPRequest(.put, url, json: Star(isOn: true))
/// request.authorization = "Bearer \(token)"
/// try await client.send(request)
/// ```
public struct HTTPRequest: Sendable {
  /// The action to take. Only GET requests are repeated.
  public enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
  }

  /// The method.
  public let method: Method
  /// The address. A user and a password in it become the ``authorization``.
  public let url: URL
  /// The header fields. `If-None-Match` or `If-Modified-Since` allows the response to be unchanged.
  public var headers: [String: String]
  /// The credentials, such as `Bearer 1f3e`, which are sent only to the origin of the address.
  public var authorization: String?
  /// The body; nil for none.
  public var body: Data?
  /// The time until the end of the response; nil for the client's.
  public var timeout: Duration?
  /// The time in which a mebibyte of the response must arrive on average; nil for any speed.
  var stallTimeout: Duration?
  /// False to fail on a redirect to another origin.
  package var allowsCrossOriginRedirects = true

  /// Creates a request.
  /// - Parameters:
  ///   - method: The action to take.
  ///   - url: An http or https address.
  ///   - accept: The media types to ask for, as in the header field of that name.
  ///   - body: The body; nil for none.
  public init(_ method: Method, _ url: URL, accept: String = "*/*", body: Data? = nil) {
    self.method = method
    self.url = url
    self.body = body
    headers = ["Accept": accept]
    if let parts = URLComponents(url: url, resolvingAgainstBaseURL: true), let user = parts.user {
      let credentials = Data("\(user):\(parts.password ?? "")".utf8).base64EncodedString()
      authorization = "Basic \(credentials)"
    }
  }

  /// Creates a request that sends a value as JSON, with sorted members.
  /// - Throws: `EncodingError` if JSON cannot hold the value.
  public init(
    _ method: Method, _ url: URL, accept: String = "application/json", json: some Encodable
  ) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    self.init(method, url, accept: accept, body: try encoder.encode(json))
    headers["Content-Type"] = "application/json"
  }

  var host: String { "\(url.host ?? ""):\(url.port ?? 0)" }

  /// True if the server may answer that its content is still the same.
  var namesVersion: Bool {
    headers.keys.contains { ["if-none-match", "if-modified-since"].contains($0.lowercased()) }
  }
}

/// The status and the header fields of a response.
package struct HTTPHead: Hashable, Sendable {
  package var status: Int
  /// The values, by lowercase name.
  var fields: [String: String] = [:]

  package var isSuccess: Bool { (200..<300).contains(status) }

  /// The media type in lowercase, without its parameters, such as `image/png`.
  package var contentType: String? {
    fields["content-type"]?.prefix { $0 != ";" }.trimmed.lowercased()
  }
}

/// A complete response with a status of 2xx or 304.
public struct HTTPResponse: Sendable {
  /// The address of the request.
  public let url: URL
  let head: HTTPHead
  /// True if the content is still the version that the request named.
  public let isUnchanged: Bool
  /// The content; empty if it is unchanged.
  public internal(set) var body = Data()

  /// The status.
  public var status: Int { head.status }

  /// The header fields, by lowercase name.
  public var headers: [String: String] { head.fields }

  /// The server's identifier for this version of the content.
  public var etag: String? { head.fields["etag"] }

  /// The media type in lowercase, without its parameters, such as `image/png`.
  public var contentType: String? { head.contentType }

  /// Decodes the body from JSON.
  /// - Throws: An error that names the invalid member, or where the text stops being JSON.
  public func decode<Value: Decodable>(_ type: Value.Type) throws(HTTPError) -> Value {
    try Value(json: body, from: url)
  }
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
    text.contains(host.filter { $0 != "[" && $0 != "]" }) && text.contains(port)
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
