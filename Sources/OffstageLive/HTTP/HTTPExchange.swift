import OffstageCurl
import OffstageFoundation
import OffstageSystem

/// One request through libcurl, including its redirects. Confined to the transport's thread.
final class HTTPExchange {
  /// The number of redirects that a request follows.
  static let redirectLimit = 10
  /// The limit for the header fields of a response, in bytes.
  private static let headLimit = 256 << 10

  private static let environment = ProcessInfo.processInfo.environment

  let easy: UnsafeMutableRawPointer
  let buffer: ResponseBuffer
  /// Kept, since the transport asks for it whenever it wakes up, and to find it parses the URL.
  let host: String
  private let request: HTTPRequest
  /// The largest body to accept, in bytes, after decompression.
  private let bodyLimit: Int
  private var address: HTTPAddress
  private var headers: UnsafeMutablePointer<curl_slist>?
  private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

  private var fields: [String: String] = [:]
  private var hasHead = false
  private var headSize = 0
  private var bodySize = 0
  /// Why a callback ended the transfer.
  private var failure: HTTPError.Reason?

  /// Prepares a request. If it is invalid, ends the buffer and returns nil.
  init?(_ request: HTTPRequest, bodyLimit: Int, _ buffer: ResponseBuffer) {
    let isPlain = Self.fields(of: request).joined().utf8.allSatisfy { $0 >= 0x20 || $0 == 0x09 }
    guard isPlain, let address = HTTPAddress(request.url.withoutCredentials),
      let easy = curl_easy_init()
    else {
      let problem =
        isPlain ? "not an http or https address" : "a header field has a control character"
      buffer.finish(.failure(HTTPError.Reason.other(problem)))
      errorText.deallocate()
      return nil
    }
    self.easy = easy
    self.buffer = buffer
    self.request = request
    host = request.host
    self.bodyLimit = bodyLimit
    self.address = address
    prepare()
  }

  deinit {
    curl_easy_cleanup(easy)
    curl_slist_free_all(headers)
    errorText.deallocate()
  }

  /// Hands the result of the transfer to the reader.
  func finish(_ code: CURLcode) {
    do throws(HTTPError.Reason) {
      if let failure { throw failure }
      // This is libcurl's result for a header line of more than 100 KiB.
      if code == CURLE_OUT_OF_MEMORY, !hasHead, headSize > 0 {
        throw .invalid("a header field is too long")
      }
      if code != CURLE_OK {
        throw HTTPError.Reason(
          code, hasHead: hasHead, isRefused: offstage_curl_os_error(easy) == ECONNREFUSED,
          isProxied: isProxyAtFault(code), verifyResult: offstage_curl_verify_result(easy),
          detail: detail)
      }
      if !hasHead { throw .lost }
      buffer.finish(.success(()))
    } catch {
      buffer.finish(.failure(error))
    }
  }

  private func prepare() {
    errorText.pointee = 0
    offstage_curl_set_string(easy, CURLOPT_URL, address.url)
    offstage_curl_allow_http_only(easy)
    // libcurl sends the authorization only to the origin of the request, and turns a POST into a
    // GET unless the status is 307 or 308.
    offstage_curl_set_long(easy, CURLOPT_FOLLOWLOCATION, 1)
    offstage_curl_set_long(easy, CURLOPT_MAXREDIRS, Self.redirectLimit)
    offstage_curl_set_long(easy, CURLOPT_NOSIGNAL, 1)
    offstage_curl_set_long(easy, CURLOPT_CONNECTTIMEOUT, 10)
    offstage_curl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    // If any byte restarted a timeout, a slow server could keep the connection for years. libcurl does
    // not count the time while a full buffer waits for its reader.
    if let timeout = request.stallTimeout {
      let seconds = max(1, Int(timeout.components.seconds))
      offstage_curl_set_long(easy, CURLOPT_LOW_SPEED_TIME, seconds)
      offstage_curl_set_long(easy, CURLOPT_LOW_SPEED_LIMIT, (1 << 20) / seconds)
    }
    // HTTP/2 would buffer up to 32 MiB of a paused stream, and other codings expand further than
    // gzip.
    offstage_curl_set_long(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    offstage_curl_set_string(easy, CURLOPT_ACCEPT_ENCODING, "gzip")
    offstage_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText)
    // Only the command line tool of curl reads them.
    for (name, option) in [("SSL_CERT_FILE", CURLOPT_CAINFO), ("SSL_CERT_DIR", CURLOPT_CAPATH)] {
      if let path = Self.environment[name], !path.isEmpty {
        offstage_curl_set_string(easy, option, path)
      }
    }
    if request.method != .get {
      offstage_curl_set_long(easy, CURLOPT_POST, 1)
      // libcurl would repeat another method than POST after any redirect, so these are not followed.
      if request.method != .post {
        offstage_curl_set_string(easy, CURLOPT_CUSTOMREQUEST, request.method.rawValue)
      }
      (request.body ?? Data()).withUnsafeBytes { bytes in
        let start = bytes.bindMemory(to: CChar.self).baseAddress
        _ = offstage_curl_set_body(easy, start, curl_off_t(bytes.count))
      }
    }
    // Avoid a second round trip before a long body.
    let lines = Self.fields(of: request) + ["Expect:"]
    headers = lines.reduce(nil) { curl_slist_append($0, $1) }
    offstage_curl_set_pointer(easy, CURLOPT_HTTPHEADER, headers)
    setCallbacks()
  }

  private static func fields(of request: HTTPRequest) -> [String] {
    var fields = request.headers
    fields["Authorization"] = request.authorization ?? fields["Authorization"]
    // libcurl would call any body a form.
    if request.method != .get, fields["Content-Type"] == nil {
      fields["Content-Type"] = request.body.map { _ in "application/octet-stream" } ?? ""
    }
    return fields.map { "\($0): \($1)" }
  }

  private func setCallbacks() {
    let context = Unmanaged.passUnretained(self).toOpaque()
    offstage_curl_set_pointer(easy, CURLOPT_HEADERDATA, context)
    offstage_curl_set_pointer(easy, CURLOPT_WRITEDATA, context)
    offstage_curl_set_callback(easy, CURLOPT_HEADERFUNCTION) { start, size, count, context in
      let exchange = Unmanaged<HTTPExchange>.fromOpaque(context!).takeUnretainedValue()
      return exchange.receive(header: UnsafeRawBufferPointer(start: start, count: size * count))
    }
    offstage_curl_set_callback(easy, CURLOPT_WRITEFUNCTION) { start, size, count, context in
      let exchange = Unmanaged<HTTPExchange>.fromOpaque(context!).takeUnretainedValue()
      return exchange.receive(body: UnsafeRawBufferPointer(start: start, count: size * count))
    }
  }

  // MARK: Callbacks, which end the transfer by returning anything but the size of the input

  private func receive(header bytes: UnsafeRawBufferPointer) -> Int {
    headSize += bytes.count
    guard headSize <= Self.headLimit else {
      failure = .invalid("the header fields exceed \(Self.headLimit) bytes")
      return 0
    }
    // Trailer fields come after the body.
    if hasHead { return bytes.count }
    let line = String(decoding: bytes, as: UTF8.self).trimmed
    if line.hasPrefix("HTTP/") {
      fields = [:]
    } else if let colon = line.firstIndex(of: ":") {
      let value = line[line.index(after: colon)...]
      fields[line[..<colon].lowercased()] = value.trimmed
    } else if line.isEmpty {
      return endHead() ? bytes.count : 0
    }
    return bytes.count
  }

  private func endHead() -> Bool {
    let status = offstage_curl_status(easy)
    // An interim response; the final one follows.
    guard status >= 200 else { return true }
    // libcurl does not follow an empty address.
    if (300..<400).contains(status), let location = fields["location"], !location.isEmpty {
      failure = redirect(to: location)
      return failure == nil
    }
    hasHead = true
    if let length = fields["content-length"].flatMap({ Int($0) }), length > bodyLimit {
      failure = .tooLarge(limit: bodyLimit)
      return false
    }
    buffer.receive(HTTPHead(status: status, fields: fields))
    return true
  }

  /// Moves on to the target of a redirect, which libcurl then follows.
  /// - Returns: The reason not to follow the redirect; nil to follow it.
  private func redirect(to location: String) -> HTTPError.Reason? {
    guard let target = HTTPAddress(location, relativeTo: address.url) else {
      return .redirect("redirects to an address that is not http or https")
    }
    guard [.get, .post].contains(request.method) else {
      return .redirect("redirects a \(request.method.rawValue) request")
    }
    guard target.origin == address.origin || request.allowsCrossOriginRedirects else {
      return .redirect("redirects to another origin, \(target.origin)")
    }
    (address, headSize) = (target, 0)
    return nil
  }

  private func receive(body bytes: UnsafeRawBufferPointer) -> Int {
    guard bodySize + bytes.count <= bodyLimit else {
      failure = .tooLarge(limit: bodyLimit)
      return 0
    }
    guard buffer.receive(bytes) else { return Int(CURL_WRITEFUNC_PAUSE) }
    bodySize += bytes.count
    return bytes.count
  }

  /// Returns true if the connection to a proxy failed, or the proxy denied access to the server.
  private func isProxyAtFault(_ code: CURLcode) -> Bool {
    let status = offstage_curl_proxy_status(easy)
    if status >= 300 { return true }
    // libcurl names the machine that it could not connect to.
    return code == CURLE_COULDNT_CONNECT && !detail.isEmpty && !address.isNamed(in: detail)
  }

  private var detail: String {
    errorText.pointee == 0 ? "" : String(cString: errorText)
  }
}

extension HTTPError.Reason {
  /// Creates the reason for any code but `CURLE_OK`.
  init(
    _ code: CURLcode, hasHead: Bool = false, isRefused: Bool = false, isProxied: Bool = false,
    verifyResult: Int = 0, detail: String = ""
  ) {
    let detail = detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail
    switch code {
    case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: self = .proxy(detail)
    case _ where isProxied: self = .proxy(detail)
    case CURLE_COULDNT_CONNECT: self = isRefused ? .refused : .unreachable(detail)
    case CURLE_COULDNT_RESOLVE_HOST: self = .unreachable(detail)
    case CURLE_OPERATION_TIMEDOUT: self = .timedOut
    case CURLE_PEER_FAILED_VERIFICATION where Self.dateErrors.contains(verifyResult):
      self = .certificateDate(detail)
    case CURLE_PEER_FAILED_VERIFICATION where Self.authorityErrors.contains(verifyResult),
      CURLE_SSL_CACERT_BADFILE:
      self = .unknownAuthority(detail)
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM,
      CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_CLIENTCERT,
      CURLE_USE_SSL_FAILED:
      self = .untrusted(detail)
    case CURLE_PARTIAL_FILE: self = .truncated
    case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR:
      self = hasHead ? .truncated : .lost
    case CURLE_TOO_MANY_REDIRECTS:
      self = .redirect("redirects more than \(HTTPExchange.redirectLimit) times")
    // libcurl treats an HTTP/0.9 response as an unsupported protocol.
    case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING,
      CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_HTTP3:
      self = .invalid(detail)
    default: self = .other(detail)
    }
  }

  /// OpenSSL's `X509_V_ERR_CERT_NOT_YET_VALID` and `X509_V_ERR_CERT_HAS_EXPIRED`.
  private static let dateErrors = [9, 10]
  /// OpenSSL's errors for a certificate whose issuer is missing or not trusted.
  private static let authorityErrors = [2, 18, 19, 20, 21]
}
