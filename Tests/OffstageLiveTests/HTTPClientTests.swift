import Foundation
import Offstage
import OffstageCurl
import Synchronization
import Testing

@testable import LiveTestSupport
@testable import OffstageLive

@Suite struct HTTPClientTests {
  private static let good = #"{"name":"a","values":[1,2]}"#

  @Test func decodesAndKeepsTheConnection() async throws {
    let server = try LoopbackServer { _ in .json(Self.good) }
    defer { server.stop() }
    let client = NotedWaits().client()
    for _ in 1...5 {
      let reading = try await client.reading(at: server.base)
      #expect(reading == Reading(name: "a", values: [1, 2]))
    }
    #expect(server.requests == Array(repeating: "/reading?q=a%20b%26c", count: 5))
    // On a busy machine, a connection may be idle for so long that it is closed.
    #expect(server.connectionCount < 5)
  }

  @Test func gzippedResponseIsDecompressed() async throws {
    let zipped = "H4sIAAAAAAACA6tWykvMTVWyUkpU0lEqS8wpTS1Wsoo21DGKrQUAmA184xsAAAA="
    let answer = LoopbackAnswer(
      headers: ["Content-Encoding": "gzip"], contentType: "application/json",
      body: Array(Data(base64Encoded: zipped)!))
    let server = try LoopbackServer { _ in .answer(answer) }
    defer { server.stop() }
    #expect(try await NotedWaits().client().reading(at: server.base).values == [1, 2])
    #expect(server.received.first?.headers["accept-encoding"] == "gzip")
  }

  // MARK: Failures

  /// The response to every attempt, the failure's reason and the number of attempts.
  @Test(arguments: [
    (LoopbackReply.status(404), "status(404", 1),
    (.status(410), "status(410", 1),
    (.status(400), "status(400", 1),
    (.status(429), "status(429", 3),
    (.status(500), "status(500", 3),
    (.status(501), "status(501", 1),
    (.status(503), "status(503", 3),
    // libcurl follows no empty address.
    (.redirect(302, to: ""), "status(302", 1),
    (.hangUp, "lost", 3),
    (.truncated(LoopbackAnswer(body: Array("{".utf8))), "truncated", 3),
    (.raw("hello"), "invalid", 1),
    (.raw("HTTP/1.1 200 OK\r\nX: " + String(repeating: "y", count: 1 << 20)), "invalid", 1),
    (.raw("HTTP/1.1 200 OK\r\n" + String(repeating: "X: y\r\n", count: 1 << 16)), "invalid", 1),
    (
      .raw("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}"),
      "invalid", 1
    ),
    (
      .raw("HTTP/1.1 200 OK\r\nX: \(String(repeating: "x", count: 90_000))\r\n\r\n"), "malformed", 1
    ),
    (.redirect(302, to: "reading?q=a%20b%26c"), "redirect", 1),
    (.json("\u{FEFF} <html>"), "wrongType(\"text/html\"", 1),
    (.json(#"{"name":"a"}"#), "malformed", 1),
  ])
  func everyFailureHasItsReason(
    reply: LoopbackReply, reason: String, attempts: Int
  ) async throws {
    let server = try LoopbackServer { _ in reply }
    defer { server.stop() }
    let failure = await failure(of: NotedWaits().client(), at: server.base)
    #expect("\(failure!.reason)".hasPrefix(reason), "\(failure!.reason)")
    #expect(failure?.description.contains("\(server.base)/reading") == true)
    #expect(server.requests.count == (reason == "redirect" ? 11 : attempts))
  }

  @Test(arguments: [
    ("[1,", "not JSON"),
    ("", "not JSON"),
    ("[]", "found array"),
    (#"{"name":"a"}"#, "at /values, found nothing"),
    (#"{"name":null,"values":[]}"#, "expected string at /name, found null"),
    (#"{"name":"a","values":[1,"2"]}"#, "expected integer at /values/1, found string"),
  ])
  func failureNamesTheWrongMember(body: String, what: String) async throws {
    let server = try LoopbackServer { _ in .json(body) }
    defer { server.stop() }
    let failure = await failure(of: NotedWaits().client(), at: server.base)
    #expect(failure?.description.contains(what) == true, "\(failure?.description ?? "none")")
    #expect(failure?.isRetryable == false)
  }

  @Test(arguments: [
    ([LoopbackReply.status(500)], [Duration.milliseconds(500)]),
    ([.status(503), .status(502)], [.milliseconds(500), .seconds(1)]),
    ([.status(429, ["Retry-After": "7"])], [.seconds(7)]),
    ([.status(429, ["Retry-After": "30"])], [.seconds(30)]),
    ([.status(429, ["Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT"])], [.zero]),
    ([.status(429, ["Retry-After": "soon"])], [.milliseconds(500)]),
    ([.truncated(LoopbackAnswer(body: Array("{".utf8)))], [.milliseconds(500)]),
    ([.hangUp], [.milliseconds(500)]),
  ])
  func transientFailuresAreRetried(faults: [LoopbackReply], delays: [Duration]) async throws {
    let orders = Faults(faults, then: .json(Self.good))
    let server = try LoopbackServer { _ in orders.next() }
    defer { server.stop() }
    let waits = NotedWaits()
    _ = try await waits.client().reading(at: server.base)
    #expect(waits.noted == delays)
    #expect(server.requests.count == faults.count + 1)
  }

  @Test func dateToWaitForIsComparedWithTheClientsClock() async throws {
    let server = try LoopbackServer { _ in
      .status(429, ["Retry-After": "Thu, 01 Jan 2026 00:01:00 GMT"])
    }
    defer { server.stop() }
    // A minute earlier: too long a wait.
    let clock = CoreClock(virtualFrom: CoreClock.deterministicStart)
    let failure = await failure(
      of: NotedWaits().client(retry: RetryPolicy(), clock: clock), at: server.base)
    #expect(failure?.status == 429)
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [
    ("http://h/a?k=1+1", "http://h/a/b?k=1+1&q=A%2BB%20C"), ("http://h", "http://h/b?q=A%2BB%20C"),
  ])
  func plusOfAQueryIsNoSpace(base: String, url: String) throws {
    let base = try #require(URL(string: base))
    let query = [URLQueryItem(name: "q", value: "A+B C")]
    #expect(base.appending(endpoint: "b", query: query).absoluteString == url)
  }

  @Test func tooLongAWaitIsAFailure() async throws {
    let server = try LoopbackServer { _ in .status(429, ["Retry-After": "3600"]) }
    defer { server.stop() }
    let waits = NotedWaits()
    let failure = await failure(of: waits.client(), at: server.base)
    #expect(failure?.status == 429)
    #expect(failure?.isRetryable == true)
    #expect(waits.noted.isEmpty)
    #expect(server.requests.count == 1)
  }

  @Test func refusedConnectionIsNotRetried() async throws {
    let server = try LoopbackServer { _ in .hangUp }
    server.stop()
    let waits = NotedWaits()
    let failure = await failure(of: waits.client(), at: server.base)
    #expect(failure?.reason == .refused)
    #expect(failure?.isRetryable == true)
    #expect(waits.noted.isEmpty)
  }

  /// A label of 64 letters is in no name, which the system knows without asking a server.
  @Test func unknownNameIsOffline() async throws {
    let name = String(repeating: "x", count: 64) + ".invalid"
    let base = try #require(URL(string: "http://\(name)"))
    let failure = await failure(of: NotedWaits().client(), at: base)
    #expect(failure?.description.contains("resolve host") == true, "\(failure?.description ?? "")")
  }

  /// The errors of libcurl that no server of the tests brings about.
  @Test(arguments: [
    (CURLE_COULDNT_RESOLVE_HOST, "unreachable"), (CURLE_COULDNT_CONNECT, "unreachable"),
    (CURLE_COULDNT_RESOLVE_PROXY, "proxy"), (CURLE_PROXY, "proxy"),
    (CURLE_OPERATION_TIMEDOUT, "timedOut"), (CURLE_SSL_CONNECT_ERROR, "untrusted"),
    (CURLE_SSL_CERTPROBLEM, "untrusted"), (CURLE_SSL_CIPHER, "untrusted"),
    (CURLE_SSL_PINNEDPUBKEYNOTMATCH, "untrusted"), (CURLE_SSL_CLIENTCERT, "untrusted"),
    (CURLE_TOO_MANY_REDIRECTS, "redirect"), (CURLE_WEIRD_SERVER_REPLY, "invalid"),
    (CURLE_UNSUPPORTED_PROTOCOL, "invalid"), (CURLE_BAD_CONTENT_ENCODING, "invalid"),
    (CURLE_PARTIAL_FILE, "truncated"), (CURLE_RECV_ERROR, "lost"),
    (CURLE_GOT_NOTHING, "lost"), (CURLE_SEND_ERROR, "lost"),
    (CURLE_OUT_OF_MEMORY, "other"), (CURLE_FAILED_INIT, "other"), (CURLE_URL_MALFORMAT, "other"),
  ])
  func everyErrorOfTheTransportHasItsReason(code: CURLcode, reason: String) {
    #expect("\(HTTPError.Reason(code))".hasPrefix(reason))
  }

  /// OpenSSL's result of checking a certificate: the clock is not always at fault.
  @Test(arguments: [
    (9, "certificateDate"), (10, "certificateDate"), (18, "unknownAuthority"),
    (19, "unknownAuthority"), (20, "unknownAuthority"), (62, "untrusted"), (0, "untrusted"),
  ])
  func certificateErrorHasItsReason(result: Int, reason: String) {
    let found = HTTPError.Reason(CURLE_PEER_FAILED_VERIFICATION, verifyResult: result)
    #expect("\(found)".hasPrefix(reason))
  }

  @Test(.enabled(if: TLSServer.isAvailable)) func selfSignedCertificateIsReportedAsSuch()
    async throws
  {
    let server = try TLSServer()
    let failure = await failure(of: NotedWaits().client(), at: server.base)
    #expect(
      failure?.description.contains("The connection to \(server.base)/reading is not trusted")
        == true)
    #expect("\(failure!.reason)".hasPrefix("unknownAuthority"))
    #expect(failure?.description.contains("certificate") == true, "\(failure?.description ?? "")")
  }

  @Test func secretsInTheAddressAreInNoFailure() async throws {
    let replies = Faults(
      [.status(404), .status(500), .hangUp, .json("{}"), .redirect(302, to: "ftp://x/")],
      then: .status(403))
    let server = try LoopbackServer { _ in replies.next() }
    defer { server.stop() }
    let base = try #require(
      URL(string: "http://kim:s3cret@127.0.0.1:\(server.port.number)/v1?key=s3cret"))
    let client = NotedWaits().client(retry: RetryPolicy(attempts: 1))
    for _ in 1...6 {
      let failure = await failure(of: client, at: base)
      #expect(failure?.description.contains("s3cret") == false)
      #expect(failure?.description.contains("kim") == false)
    }
    server.stop()
    #expect(await failure(of: client, at: base)?.description.contains("s3cret") == false)
    #expect(server.received.first?.headers["authorization"] == "Basic a2ltOnMzY3JldA==")
  }

  // MARK: Redirects

  @Test(arguments: [
    ("/elsewhere/", "/elsewhere/"), ("/a/?x=1&y=2", "/a/?x=1&y=2"),
    ("elsewhere/", "/v1/elsewhere/"),
    ("../up/", "/up/"), ("?again", "/v1/reading?again"), ("//HOST/p/", "/p/"),
    ("http://HOST/q/#part", "/q/"), ("/with space", "/with%20space"),
  ])
  func redirectsAreResolved(location: String, target: String) async throws {
    let orders = Mutexed<String?>(nil)
    let server = try LoopbackServer { _ in
      guard let location = orders.take() else { return .json(Self.good) }
      return .redirect(302, to: location)
    }
    defer { server.stop() }
    orders.set(location.replacingOccurrences(of: "HOST", with: "127.0.0.1:\(server.port.number)"))
    let base = server.base.appendingPathComponent("v1")
    #expect(try await NotedWaits().client().reading(at: base).name == "a")
    #expect(server.requests.last == target)
  }

  /// RFC 9110, 15.4, and what browsers make of it.
  @Test(arguments: [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
  func onlySomeRedirectsKeepTheMethod(status: Int, method: String) async throws {
    let orders = Faults([.redirect(status, to: "/other/")], then: .json(Self.good))
    let server = try LoopbackServer { _ in orders.next() }
    defer { server.stop() }
    let client = NotedWaits().client()
    let request = HTTPRequest(.post, server.base, body: Data("body".utf8))
    #expect(try await client.send(request).body == Data(Self.good.utf8))
    let second = try #require(server.received.last)
    #expect(second.method == method)
    #expect(second.path == "/other/")
    #expect(second.body == (method == "POST" ? Array("body".utf8) : []))
  }

  @Test func tenRedirectsAreFollowedAndNoMore() async throws {
    let server = try LoopbackServer { .redirect(301, to: "\($0.path)x") }
    defer { server.stop() }
    let failure = await failure(of: NotedWaits().client(), at: server.base)
    #expect(failure?.description.contains("redirects more than 10 times") == true)
    #expect(server.requests.count == 11)
  }

  @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/", "javascript:alert(1)", "http://"])
  func redirectsLeadToHTTPOnly(location: String) async throws {
    let server = try LoopbackServer { _ in .redirect(302, to: location) }
    defer { server.stop() }
    let failure = await failure(of: NotedWaits().client(), at: server.base)
    #expect(failure?.description.contains("redirects to an address that is not http") == true)
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func authorizationStaysWithItsOrigin(status: Int) async throws {
    let other = try LoopbackServer { _ in .json(Self.good) }
    defer { other.stop() }
    let server = try LoopbackServer { request in
      request.path == "/reading"
        ? .redirect(status, to: "/same") : .redirect(status, to: "\(other.base)/other")
    }
    defer { server.stop() }
    let base = try #require(URL(string: "http://kim:pw@127.0.0.1:\(server.port.number)"))
    _ = try await NotedWaits().client().reading(at: base)
    #expect(server.received.map { $0.headers["authorization"] != nil } == [true, true])
    #expect(other.received.map { $0.headers["authorization"] } == [nil])
    #expect(other.requests == ["/other"])
  }

  // MARK: Limits

  /// A server gets six requests at a time, and the time of the others begins when they start.
  @Test func waitingForOtherRequestsIsNoPartOfTheTimeout() async throws {
    let load = Mutex((now: 0, most: 0))
    let server = try LoopbackServer { _ in
      load.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
      Thread.sleep(forTimeInterval: 2)
      load.withLock { $0.now -= 1 }
      return .json("{}")
    }
    defer { server.stop() }
    let client = NotedWaits().client(timeout: .seconds(3), retry: RetryPolicy(attempts: 1))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...12 {
        group.addTask { _ = try await client.get(server.base.appending(path: "\(number)")) }
      }
      try await group.waitForAll()
    }
    #expect(load.withLock(\.most) == HTTPTransport.requestLimit)
  }

  @Test func timesOutAndTriesAgain() async throws {
    let orders = Faults([.silence], then: .json(Self.good))
    let server = try LoopbackServer { _ in orders.next() }
    defer { server.stop() }
    // On a busy machine a good response may need more than one attempt, too.
    let client = NotedWaits().client(timeout: .milliseconds(200), retry: RetryPolicy(attempts: 100))
    let reading = try await client.reading(at: server.base)
    #expect(reading.name == "a")
    await server.next(.abandoned(path: "/reading"))
  }

  @Test(arguments: [LoopbackReply.silence, .endless, .events(["x"], .silence)])
  func timesOutOnTime(reply: LoopbackReply) async throws {
    let server = try LoopbackServer { _ in reply }
    defer { server.stop() }
    let waits = NotedWaits()
    let client = waits.client(timeout: .milliseconds(200), bodyLimit: 1 << 40)
    let stream = try client.open(HTTPRequest(.get, server.base))
    await #expect(throws: HTTPError.Reason.timedOut) { while try await stream.next() != nil {} }
    // On a busy machine the time may be over before the server reads the request.
    guard !server.requests.isEmpty else { return }
    await server.next(.abandoned(path: "/"))
    let time =
      try #require(server.time(of: .abandoned(path: "/")))
      - #require(server.time(of: .received(path: "/")))
    #expect(time < .seconds(60))
  }

  @Test func timesOutForGood() async throws {
    let server = try LoopbackServer { _ in .silence }
    defer { server.stop() }
    let waits = NotedWaits()
    let client = waits.client(timeout: .milliseconds(50))
    #expect(await failure(of: client, at: server.base)?.reason == .timedOut)
    #expect(waits.noted.count == 2)
  }

  @Test(arguments: [LoopbackReply.silence, .endless])
  func cancellationClosesTheConnection(reply: LoopbackReply) async throws {
    let server = try LoopbackServer { _ in reply }
    defer { server.stop() }
    let client = NotedWaits().client(bodyLimit: 1 << 40)
    let task = Task {
      let stream = try client.open(HTTPRequest(.get, server.base))
      while try await stream.next() != nil {}
    }
    await server.next(.received(path: "/"))
    task.cancel()
    await server.next(.abandoned(path: "/"))
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func canceledTaskSendsNothing() async throws {
    let server = try LoopbackServer { _ in .json(Self.good) }
    defer { server.stop() }
    let client = NotedWaits().client()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await client.reading(at: server.base)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(server.requests.isEmpty)
  }

  /// With the length announced, with the connection's end as the only end, and without an end.
  @Test(arguments: [
    LoopbackReply.json(good), .truncated(LoopbackAnswer(body: Array(good.utf8))), .endless,
  ])
  func largeBodiesAreRefused(reply: LoopbackReply) async throws {
    let server = try LoopbackServer { _ in reply }
    defer { server.stop() }
    let failure = await failure(of: NotedWaits().client(bodyLimit: 10), at: server.base)
    #expect(failure?.reason == .tooLarge(limit: 10))
    #expect(failure?.description.contains("exceeds 10 bytes") == true)
    #expect(server.requests.count == 1)
  }

  /// Data that the reader does not take stays with the sender, except for the system's buffers.
  @Test func slowReaderStopsAFastSender() async throws {
    let server = try LoopbackServer { _ in .endless }
    defer { server.stop() }
    let client = NotedWaits().client(timeout: .seconds(600), bodyLimit: 1 << 40)
    let stream = try client.open(HTTPRequest(.get, server.base))
    _ = try await stream.next()
    await server.next(.stalled(path: "/"))
    #expect(server.endlessBytes < 16 << 20)
    // It continues where it stopped.
    var count = 0
    while count < 32 << 20 { count += try #require(try await stream.next()).count }
  }

  // MARK: Requests

  @Test(arguments: [HTTPRequest.Method.post, .put, .patch, .delete])
  func requestsThatChangeSomethingAreSentOnce(method: HTTPRequest.Method) async throws {
    let server = try LoopbackServer { _ in .status(503) }
    defer { server.stop() }
    var request = try HTTPRequest(method, server.base, json: ["b": 1, "a": 2])
    request.authorization = "Bearer 1f3e"
    let failure = await #expect(throws: HTTPError.self) {
      try await NotedWaits().client().send(request)
    }
    #expect(failure?.status == 503)
    #expect(server.received.count == 1)
    let received = try #require(server.received.first)
    #expect(received.method == method.rawValue)
    #expect(received.body == Array(#"{"a":2,"b":1}"#.utf8))
    #expect(received.headers["content-type"] == "application/json")
    #expect(received.headers["authorization"] == "Bearer 1f3e")
    #expect(received.headers["user-agent"] == "tests")
  }

  @Test func requestWithoutABodyHasNoType() async throws {
    let server = try LoopbackServer { _ in .answer(LoopbackAnswer(status: 204, body: [])) }
    defer { server.stop() }
    let response = try await NotedWaits().client().send(HTTPRequest(.delete, server.base))
    #expect(response.status == 204)
    #expect(server.received.first?.headers["content-type"] == nil)
    #expect(server.received.first?.headers["content-length"] ?? "0" == "0")
  }

  /// libcurl would turn none of them into a GET.
  @Test(arguments: [HTTPRequest.Method.put, .patch, .delete], [301, 303, 308])
  func onlyGetAndPostAreRedirected(method: HTTPRequest.Method, status: Int) async throws {
    let server = try LoopbackServer { _ in .redirect(status, to: "/other") }
    defer { server.stop() }
    let failure = await #expect(throws: HTTPError.self) {
      try await NotedWaits().client().send(HTTPRequest(method, server.base))
    }
    #expect(failure?.reason == .redirect("redirects a \(method.rawValue) request"))
    #expect(server.requests == ["/"])
  }

  @Test(arguments: ["If-None-Match", "if-modified-since"])
  func unchangedContentIsNoFailure(name: String) async throws {
    let server = try LoopbackServer { request in
      request.headers[name.lowercased()] == "1"
        ? .answer(LoopbackAnswer(status: 304, headers: ["ETag": "2"], body: [])) : .json("{}")
    }
    defer { server.stop() }
    var request = HTTPRequest(.get, server.base)
    request.headers[name] = "1"
    let response = try await NotedWaits().client().send(request)
    #expect(response.isUnchanged)
    #expect(response.etag == "2")
    #expect(response.body.isEmpty)
  }

  /// A line break would start another field, or another request.
  @Test(arguments: ["a\r\nX: 1", "a\nb", "a\0"])
  func fieldsAreOneLine(value: String) async throws {
    let server = try LoopbackServer { _ in .json("{}") }
    defer { server.stop() }
    for name in ["X", "X\(value)"] {
      var request = HTTPRequest(.get, server.base)
      request.headers[name] = value
      let failure = await #expect(throws: HTTPError.self) {
        try await NotedWaits().client().send(request)
      }
      #expect(failure?.reason == .other("a header field has a control character"))
    }
    #expect(server.requests == [])
  }

  @Test func errorBecomesOneOfTheApp() async throws {
    struct AppError: Error { let detail: String }
    let server = try LoopbackServer { _ in .status(404) }
    defer { server.stop() }
    let client = NotedWaits { AppError(detail: "\($0)") }.client()
    let error = await #expect(throws: AppError.self) { try await client.get(server.base) }
    #expect(
      error?.detail == "\(server.base)/ was not found."
        || error?.detail == "\(server.base) was not found.")
  }

  private func failure(of client: HTTPClient, at base: URL) async -> HTTPError? {
    await #expect(throws: HTTPError.self) { try await client.reading(at: base) }
  }
}

private struct Reading: Codable, Equatable, Sendable {
  var name: String
  var values: [Int]
}

extension HTTPClient {
  /// Requests a reading and decodes it.
  fileprivate func reading(at base: URL) async throws -> Reading {
    let query = [URLQueryItem(name: "q", value: "a b&c")]
    let url = base.appending(endpoint: "reading", query: query)
    return try await get(url, accept: "application/json").decode(Reading.self)
  }
}
