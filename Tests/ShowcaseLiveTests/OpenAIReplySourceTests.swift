import Foundation
import Offstage
import OffstageLive
import Synchronization
import Testing

@testable import LiveTestSupport
@testable import Showcase
@testable import ShowcaseLive

/// The OpenAI client against a real server on the loopback interface.
@Suite struct OpenAIReplySourceTests {
  static let done = "data: [DONE]\n\n"

  static func event(_ text: String) -> String {
    #"data: {"choices":[{"index":0,"delta":{"content":"\#(text)"}}]}"# + "\n\n"
  }

  @Test func piecesArriveInOrder() async throws {
    let reply = LoopbackReply.events([
      "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n",
      Self.event("Hel"), Self.event("lo, "), Self.event("👋") + Self.event("!"),
      "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n",
      "data: {\"choices\":[],\"usage\":{\"total_tokens\":9}}\n\n", Self.done,
    ])
    let server = try LoopbackServer { _ in reply }
    defer { server.stop() }
    #expect(try await pieces(from: server) == ["Hel", "lo, ", "👋", "!"])
  }

  @Test func requestFollowsTheAPI() async throws {
    let seen = Mutex<LoopbackRequest?>(nil)
    let server = try LoopbackServer { request in
      seen.withLock { $0 = request }
      return .events([Self.event("x"), Self.done])
    }
    defer { server.stop() }
    _ = try await pieces(from: server)
    let request = try #require(seen.withLock { $0 })
    #expect(request.method == "POST")
    #expect(request.target == "/v1/chat/completions")
    #expect(request.headers["authorization"] == "Bearer sk-secret")
    #expect(request.headers["content-type"] == "application/json")
    #expect(
      String(decoding: request.body, as: UTF8.self)
        == #"{"messages":[{"content":"You are Mina. A cook. Stay in this character and answer "#
        + #"briefly.","role":"system"},{"content":"Hi","role":"user"},{"content":"Yes?","#
        + #""role":"assistant"},{"content":"Well","role":"user"}],"model":"tiny","stream":true}"#)
  }

  @Test func eventMayBeCutAcrossPackets() async throws {
    let bytes = Self.event("one") + Self.event("two") + Self.done
    let server = try LoopbackServer { _ in .events(bytes.map { String($0) }) }
    defer { server.stop() }
    #expect(try await pieces(from: server) == ["one", "two"])
  }

  @Test(arguments: [
    (0xFF, 1, "an event is not UTF-8"),
    (0x78, ServerSentEvents.limit, "an event exceeds 1 MiB"),
  ])
  func brokenStreamSaysWhatIsWrong(byte: UInt8, count: Int, what: String) async throws {
    let body = Array("data: ".utf8) + Array(repeating: byte, count: count) + Array("\n\n".utf8)
    let server = try LoopbackServer { _ in
      .answer(LoopbackAnswer(contentType: "text/event-stream", body: body))
    }
    defer { server.stop() }
    let failure = await #expect(throws: LoadFailure.self) { try await pieces(from: server) }
    #expect(failure?.reason == .malformed)
    #expect(failure?.detail.hasSuffix(": \(what).") == true, "\(failure?.detail ?? "none")")
  }

  @Test(
    arguments: [
      (LoopbackReply.status(401), LoadFailure.Reason.unauthorized, false),
      (.status(429, ["Retry-After": "60"]), .rateLimited, true),
      (.status(500), .server, true),
      (.status(400), .rejected, false),
      (.status(402), .quota, true),
      (.status(404), .wrongAddress, false),
      (.hangUp, .interrupted, true),
      (.json(#"{"choices":[]}"#), .malformed, true),
      (.stream(contentType: "text/html", ["<html>"], .complete), .webPage, true),
      (.events([event("Hel")], .cut), .interrupted, true),
      (.events([event("Hel")]), .interrupted, true),
      (.events([done]), .malformed, true),
      (.events([event("Hel"), "data: {\"choices\":\n\n"]), .malformed, false),
      (.events([event("Hel"), "data: {\"id\":1}\n\n"]), .interrupted, true),
      (.events([event("Hel"), "data: {\"choices\":[{\"delta\":5}]}\n\n"]), .malformed, false),
      (
        .events([event("Hel"), "data: {\"error\":{\"message\":\"overloaded\"}}\n\n"]), .server, true
      ),
    ])
  func failedReplyHasItsReason(reply: LoopbackReply, reason: LoadFailure.Reason, retryable: Bool)
    async throws
  {
    let server = try LoopbackServer { _ in reply }
    defer { server.stop() }
    let failure = await #expect(throws: LoadFailure.self) { try await pieces(from: server) }
    #expect(failure?.reason == reason)
    #expect(failure?.retryable == retryable)
    #expect(failure?.detail.contains("sk-secret") == false)
    #expect(server.requests.count == 1)
  }

  // MARK: Streams as servers send them

  private static let stop = #"data: {"choices":[{"delta":{},"finish_reason":"stop"}]}"# + "\n\n"

  @Test(
    arguments: [
      // Ended by the reason alone, by a marker without its empty line, or without any line end.
      [event("Hello"), stop],
      [#"data: {"choices":[{"delta":{"content":"Hello"},"finish_reason":"stop"}]}"# + "\n\n"],
      [event("Hello"), "data: [DONE]\n"],
      [event("Hello"), "data: [DONE]"],
      // Nulls, usage, and choices without a delta.
      [event("Hello"), "data: {\"choices\":null,\"usage\":{\"total_tokens\":9}}\n\n", done],
      [event("Hello"), "data: {\"choices\":[{\"finish_reason\":\"stop\"}]}\n\n", done],
      [event("Hello"), "data: {\"choices\":[{\"delta\":null,\"finish_reason\":null}]}\n\n", done],
      [
        event("Hel"),
        #"data: {"choices":[{"delta":{"content":"lo"},"finish_reason":""}]}"# + "\n\n", done,
      ],
      // Pings and comments.
      ["event: ping\ndata: {\"type\":\"ping\"}\n\n", event("Hello"), ": ping\n\n", stop],
      ["data: \n\n", event("Hello"), stop],
      ["data: {\"type\":\"ping\"}\n\n", event("Hello"), done],
    ])
  func replyIsTheTextOfItsEvents(events: [String]) async throws {
    let server = try LoopbackServer { _ in .events(events) }
    defer { server.stop() }
    #expect(try await pieces(from: server).joined() == "Hello")
  }

  @Test(arguments: [
    "application/json", "application/json; charset=utf-8", "application/problem+json",
  ])
  func serverThatDoesNotStreamWorks(contentType: String) async throws {
    let body =
      #"{"choices":[{"message":{"role":"assistant","content":"Hello"},"finish_reason":"stop"}]}"#
    let server = try LoopbackServer { _ in
      .answer(LoopbackAnswer(contentType: contentType, body: Array(body.utf8)))
    }
    defer { server.stop() }
    #expect(try await pieces(from: server) == ["Hello"])
  }

  @Test(arguments: [
    ("length", LoadFailure.Reason.cutOff, "The reply was cut off at the server's length limit."),
    ("content_filter", .filtered, "The reply was cut off by the server's content filter."),
  ])
  func cutReplySaysWhy(reason: String, cause: LoadFailure.Reason, message: String) async throws {
    let end = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"\(reason)\"}]}\n\n"
    let server = try LoopbackServer { _ in .events([Self.event("Hel"), end, Self.done]) }
    defer { server.stop() }
    var seen: [String] = []
    let cut = await #expect(throws: TruncatedReplyReason.self) {
      for try await piece in source(server).reply(to: [.well], as: .cook, in: "en") {
        seen.append(piece)
      }
    }
    #expect(seen == ["Hel"])
    #expect(cut?.rawValue == reason)
    #expect(cut?.failure == LoadFailure(cause, message, retryable: true))
  }

  /// As OpenAI, llama.cpp, vLLM and FastAPI put it, before a stream and inside one.
  @Test(arguments: [
    #"{"error":{"message":"the model is overloaded","type":"x","code":503}}"#,
    #"{"error":"the model is overloaded"}"#, #"{"detail":"the model is overloaded"}"#,
    #"{"object":"error","message":"the model is overloaded","code":400}"#,
  ])
  func serversOwnMessageIsReported(body: String) async throws {
    for status in [400, 503] {
      let server = try LoopbackServer { _ in
        .answer(
          LoopbackAnswer(status: status, contentType: "application/json", body: Array(body.utf8)))
      }
      defer { server.stop() }
      let failure = await #expect(throws: LoadFailure.self) { try await pieces(from: server) }
      #expect(failure?.detail == "the model is overloaded (HTTP \(status))")
    }
    let server = try LoopbackServer { _ in .events([Self.event("Hel"), "data: \(body)\n\n"]) }
    defer { server.stop() }
    let failure = await #expect(throws: LoadFailure.self) { try await pieces(from: server) }
    #expect(failure == LoadFailure(.server, "the model is overloaded", retryable: true))
  }

  @Test func keyIsNotRepeatedFromTheServersMessage() async throws {
    let server = try LoopbackServer { _ in
      .answer(
        LoopbackAnswer(
          status: 401, contentType: "application/json",
          body: Array(#"{"error":{"message":"Incorrect API key: sk-secret\nSee x"}}"#.utf8)))
    }
    defer { server.stop() }
    let failure = await #expect(throws: LoadFailure.self) { try await pieces(from: server) }
    #expect(failure?.detail == "Incorrect API key: … See x (HTTP 401)")
    #expect(failure?.reason == .unauthorized)
  }

  /// The server's limit is not known beforehand.
  @Test(arguments: [true, false]) func conversationIsTrimmedToWhatFits(inStream: Bool) async throws
  {
    let refusal =
      #"{"error":{"code":400,"message":"the request exceeds the available context size","#
      + #""type":"exceed_context_size_error","n_ctx":512}}"#
    let server = try LoopbackServer { request in
      guard request.body.count > 1000 else { return .events([Self.event("Hello"), Self.done]) }
      if inStream { return .events(["data: \(refusal)\n\n"]) }
      return .answer(
        LoopbackAnswer(status: 400, contentType: "application/json", body: Array(refusal.utf8)))
    }
    defer { server.stop() }
    let long = (1...60).map {
      ChatMessage(
        id: $0, author: $0.isMultiple(of: 2) ? .avatar : .me, text: "message \($0), and more")
    }
    var seen: [String] = []
    for try await piece in source(server).reply(to: long + [.well], as: .cook, in: "en") {
      seen.append(piece)
    }
    #expect(seen == ["Hello"])
    let last = String(decoding: server.received.last?.body ?? [], as: UTF8.self)
    #expect(last.contains(#""content":"Well""#))
    #expect(last.contains("message 59"))
    // It begins with the user's words, as some models insist.
    #expect(last.split(separator: "role").dropFirst(2).first?.contains("user") == true)

    let tooLong = ChatMessage(id: 1, author: .me, text: String(repeating: "x", count: 2000))
    let failure = await #expect(throws: LoadFailure.self) {
      for try await _ in source(server).reply(to: [tooLong], as: .cook, in: "en") {}
    }
    #expect(failure?.detail.hasPrefix("the request exceeds the available context size") == true)
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func keyStaysWithItsOrigin(status: Int) async throws {
    let other = try LoopbackServer { _ in .events([Self.event("x"), Self.done]) }
    defer { other.stop() }
    let server = try LoopbackServer { _ in
      .redirect(status, to: "\(other.base)/v1/chat/completions")
    }
    defer { server.stop() }
    let failure = await #expect(throws: LoadFailure.self) { try await pieces(from: server) }
    #expect(failure?.detail.hasSuffix("redirects to another origin, \(other.base).") == true)
    #expect(other.requests.isEmpty)
  }

  @Test(arguments: [
    ("sk-1\n", "sk-1"), (" sk-1\r\n", "sk-1"), ("sk-1", "sk-1"), ("sk\n1", nil), ("clé", nil),
    ("a b", nil),
  ])
  func keyIsOneWord(text: String, key: String?) {
    #expect(OpenAIReplySource.key(text) == key)
  }

  @Test func piecesBeforeAFailureAreKept() async throws {
    let server = try LoopbackServer { _ in .events([Self.event("Hel"), Self.event("lo")], .cut) }
    defer { server.stop() }
    var seen: [String] = []
    await #expect(throws: LoadFailure.self) {
      for try await piece in source(server).reply(to: [.well], as: .cook, in: "en") {
        seen.append(piece)
      }
    }
    #expect(seen == ["Hel", "lo"])
  }

  @Test func refusedConnectionIsReportedAsSuch() async throws {
    let server = try LoopbackServer { _ in .hangUp }
    server.stop()
    let failure = await #expect(throws: LoadFailure.self) { try await pieces(from: server) }
    #expect(failure?.reason == .refused)
  }

  @Test func cancelingClosesTheConnection() async throws {
    let server = try LoopbackServer { _ in .events([Self.event("Hel")], .silence) }
    defer { server.stop() }
    let source = source(server)
    let (seen, note) = AsyncStream<String>.makeStream()
    let reader = Task {
      for try await piece in source.reply(to: [.well], as: .cook, in: "en") { note.yield(piece) }
    }
    for await piece in seen {
      #expect(piece == "Hel")
      break
    }
    reader.cancel()
    await server.next(.abandoned(path: "/v1/chat/completions"))
  }

  /// Pings do not count as pieces.
  @Test(arguments: [[], ["data: {\"choices\":[]}\n\n"], [": ping\n\n"]])
  func firstPieceHasATimeout(events: [String]) async throws {
    let server = try LoopbackServer { _ in .events(events, .silence) }
    defer { server.stop() }
    let failure = await #expect(throws: LoadFailure.self) {
      let source = source(server, firstPiece: .milliseconds(200))
      for try await _ in source.reply(to: [.well], as: .cook, in: "en") {}
    }
    #expect(failure?.reason == .timedOut)
    // On a busy machine the time may be over before the server reads the request.
    guard !server.requests.isEmpty else { return }
    await server.next(.abandoned(path: "/v1/chat/completions"))
  }

  @Test func everyOtherPieceHasATimeout() async throws {
    let server = try LoopbackServer { _ in .events([Self.event("Hel")], .silence) }
    defer { server.stop() }
    var seen: [String] = []
    let failure = await #expect(throws: LoadFailure.self) {
      let source = source(server, nextPiece: .milliseconds(200))
      for try await piece in source.reply(to: [.well], as: .cook, in: "en") {
        seen.append(piece)
      }
    }
    #expect(seen == ["Hel"])
    #expect(failure?.reason == .timedOut)
    await server.next(.abandoned(path: "/v1/chat/completions"))
  }

  @Test func endlessReplyIsCutOff() async throws {
    let text = String(repeating: "x", count: 1000)
    let server = try LoopbackServer { _ in
      .events(Array(repeating: Self.event(text), count: 50), .silence)
    }
    defer { server.stop() }
    let source = OpenAIReplySource(
      base: server.base, model: "tiny", key: nil, client: .showcase(bodyLimit: 10_000))
    let failure = await #expect(throws: LoadFailure.self) {
      for try await _ in source.reply(to: [.well], as: .cook, in: "en") {}
    }
    #expect(failure?.reason == .malformed)
  }

  @Test func onlyTheNewestMessagesAreSent() async throws {
    let body = Mutex<[UInt8]>([])
    let server = try LoopbackServer { request in
      body.withLock { $0 = request.body }
      return .events([Self.event("x"), Self.done])
    }
    defer { server.stop() }
    let all = (1...100).map { ChatMessage(id: $0, author: .me, text: "message \($0).") }
    for try await _ in source(server).reply(to: all, as: .cook, in: "en") {}
    let text = String(decoding: body.withLock { $0 }, as: UTF8.self)
    #expect(!text.contains("message 60."))
    #expect(text.contains("message 61."))
  }

  // MARK: Helpers

  private func source(
    _ server: LoopbackServer, firstPiece: Duration = .seconds(600),
    nextPiece: Duration = .seconds(600)
  ) -> OpenAIReplySource {
    OpenAIReplySource(
      base: server.base.appendingPathComponent("v1"), model: "tiny", key: "sk-secret",
      firstPiece: firstPiece, nextPiece: nextPiece)
  }

  func pieces(from server: LoopbackServer) async throws -> [String] {
    let conversation: [ChatMessage] = [
      .init(id: 1, author: .me, text: "Hi"), .init(id: 2, author: .avatar, text: "Yes?"), .well,
    ]
    var pieces: [String] = []
    for try await piece in source(server).reply(to: conversation, as: .cook, in: "en") {
      pieces.append(piece)
    }
    return pieces
  }
}

extension ChatMessage {
  fileprivate static let well = ChatMessage(id: 3, author: .me, text: "Well")
}

extension Avatar {
  fileprivate static let cook = Avatar(
    id: "mina", name: "Mina", category: .cooks, description: "A cook.")
}
