import Foundation
import Showcase
import Testing

@testable import ShowcaseLive

@Suite struct HTTPClientTests {
  private struct Reading: Codable, Equatable, Sendable {
    var name: String
    var values: [Int]
  }

  private static let good = #"{"name":"a","values":[1,2]}"#
  private static let endpoint = Endpoint<Reading>(
    path: "reading", query: [URLQueryItem(name: "q", value: "a b&c")])

  @Test func decodesAndKeepsTheConnection() async throws {
    let server = try LoopbackServer { _ in .json(Self.good) }
    defer { server.stop() }
    let client = Waits().client()
    for _ in 1...5 {
      let reading = try await client.get(Self.endpoint, at: server.base)
      #expect(reading == Reading(name: "a", values: [1, 2]))
    }
    #expect(server.requests == Array(repeating: "/reading?q=a%20b%26c", count: 5))
    #expect(server.connectionCount == 1)
  }

  /// What every attempt gets, what comes of it and how many attempts that takes.
  @Test(arguments: [
    (LoopbackReply.status(404), LoadFailure.Reason.notFound, 1),
    (.status(410), .notFound, 1),
    (.status(403), .unauthorized, 1),
    (.status(429), .rateLimited, 3),
    (.status(500), .server, 3),
    (.status(501), .server, 1),
    (.status(503), .server, 3),
    (.hangUp, .offline, 3),
    (.truncated(LoopbackAnswer(body: Array("{".utf8))), .malformed, 3),
    (.json("<html>"), .malformed, 1),
    (.json(#"{"name":"a"}"#), .malformed, 1),
  ])
  func everyFaultHasItsReason(
    reply: LoopbackReply, reason: LoadFailure.Reason, attempts: Int
  ) async throws {
    let server = try LoopbackServer { _ in reply }
    defer { server.stop() }
    let failure = await failure(of: Waits().client(), at: server.base)
    #expect(failure?.reason == reason)
    #expect(failure?.message.contains("\(server.base)/reading") == true)
    #expect(server.requests.count == attempts)
  }

  @Test(arguments: [
    ("[1,", "it is not JSON"),
    ("", "it is not JSON"),
    ("[]", "the whole is not of type"),
    (#"{"name":"a"}"#, "values is missing"),
    (#"{"name":null,"values":[]}"#, "name is not of type String"),
    (#"{"name":"a","values":[1,"2"]}"#, "values[1] is not of type Int"),
  ])
  func namesTheWrongMember(body: String, what: String) async throws {
    let server = try LoopbackServer { _ in .json(body) }
    defer { server.stop() }
    let failure = await failure(of: Waits().client(), at: server.base)
    #expect(failure?.message.contains(what) == true, "\(failure?.message ?? "none")")
    #expect(failure?.retryable == false)
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
  func triesAgain(faults: [LoopbackReply], delays: [Duration]) async throws {
    let orders = Faults(faults, then: .json(Self.good))
    let server = try LoopbackServer { _ in orders.next() }
    defer { server.stop() }
    let waits = Waits()
    _ = try await waits.client().get(Self.endpoint, at: server.base)
    #expect(waits.noted == delays)
    #expect(server.requests.count == faults.count + 1)
  }

  /// Somebody looks at a spinner: what the server will not have soon fails at once, and can be retried.
  @Test func aWaitThatIsTooLongIsAFailure() async throws {
    let server = try LoopbackServer { _ in .status(429, ["Retry-After": "3600"]) }
    defer { server.stop() }
    let waits = Waits()
    let failure = await failure(of: waits.client(), at: server.base)
    #expect(failure?.reason == .rateLimited && failure?.retryable == true)
    #expect(waits.noted.isEmpty && server.requests.count == 1)
  }

  @Test func followsARedirection() async throws {
    let orders = Faults([.status(302, ["Location": "/elsewhere"])], then: .json(Self.good))
    let server = try LoopbackServer { _ in orders.next() }
    defer { server.stop() }
    let reading = try await Waits().client().get(Self.endpoint, at: server.base)
    #expect(reading.name == "a")
    #expect(server.requests.last == "/elsewhere")
  }

  @Test func nobodyListens() async throws {
    let server = try LoopbackServer { _ in .hangUp }
    defer { server.stop() }
    server.stop()
    let waits = Waits()
    let failure = await failure(of: waits.client(), at: server.base)
    #expect(failure?.reason == .offline)
    #expect(failure?.retryable == true)
    #expect(waits.noted.isEmpty)
  }

  @Test func timesOutAndTriesAgain() async throws {
    let orders = Faults([.silence], then: .json(Self.good))
    let server = try LoopbackServer { _ in orders.next() }
    defer { server.stop() }
    let waits = Waits()
    async let reading = waits.client().get(Self.endpoint, at: server.base)
    await server.next(.received(path: "/reading"))
    waits.expire()
    await server.next(.abandoned(path: "/reading"))
    #expect(try await reading.name == "a")
  }

  @Test func timesOutForGood() async throws {
    let server = try LoopbackServer { _ in .silence }
    defer { server.stop() }
    let waits = Waits()
    let client = waits.client()
    for _ in 1...3 { waits.expire() }
    #expect(await failure(of: client, at: server.base)?.reason == .timedOut)
    #expect(waits.noted.count == 2)
  }

  @Test func cancellationClosesTheConnection() async throws {
    let server = try LoopbackServer { _ in .silence }
    defer { server.stop() }
    let client = Waits().client()
    let task = Task { try await client.get(Self.endpoint, at: server.base) }
    await server.next(.received(path: "/reading"))
    task.cancel()
    await server.next(.abandoned(path: "/reading"))
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func aCancelledTaskAsksNothing() async throws {
    let server = try LoopbackServer { _ in .json(Self.good) }
    defer { server.stop() }
    let client = Waits().client()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await client.get(Self.endpoint, at: server.base)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  /// With the length announced, and with the connection's end as the only end.
  @Test(arguments: [LoopbackReply.json(good), .truncated(LoopbackAnswer(body: Array(good.utf8)))])
  func refusesWhatIsTooLarge(reply: LoopbackReply) async throws {
    let server = try LoopbackServer { _ in reply }
    defer { server.stop() }
    let failure = await failure(of: Waits().client(bodyLimit: 10), at: server.base)
    #expect(failure?.reason == .malformed)
    #expect(failure?.message.contains("larger than 10 bytes") == true)
    #expect(server.requests.count == 1)
  }

  private func failure(of client: HTTPClient, at base: URL) async -> LoadFailure? {
    await #expect(throws: LoadFailure.self) { try await client.get(Self.endpoint, at: base) }
  }
}
