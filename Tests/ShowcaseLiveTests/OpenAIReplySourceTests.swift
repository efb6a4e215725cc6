import Foundation
import Showcase
import Synchronization
import Testing

@testable import ShowcaseLive

/// The OpenAI client against a real server on the loopback interface.
@Suite struct OpenAIReplySourceTests {
  private static let done = "data: [DONE]\n\n"

  private static func event(_ text: String) -> String {
    #"data: {"choices":[{"index":0,"delta":{"content":"\#(text)"}}]}"# + "\n\n"
  }

  @Test func piecesComeInOrder() async throws {
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

  @Test func theRequestIsWhatTheAPIAsksFor() async throws {
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

  @Test func anEventCutAcrossPacketsIsPutTogether() async throws {
    let bytes = Self.event("one") + Self.event("two") + Self.done
    let server = try LoopbackServer { _ in .events(bytes.map { String($0) }) }
    defer { server.stop() }
    #expect(try await pieces(from: server) == ["one", "two"])
  }

  @Test(
    "fails, typed",
    arguments: [
      (LoopbackReply.status(401), LoadFailure.Reason.unauthorized, false),
      (.status(429, ["Retry-After": "60"]), .rateLimited, true),
      (.status(500), .server, true),
      (.status(404), .notFound, false),
      (.hangUp, .offline, true),
      (.json(#"{"choices":[]}"#), .malformed, false),
      (.events([event("Hel")], .cut), .malformed, true),
      (.events([event("Hel")]), .malformed, true),
      (.events([done]), .malformed, true),
      (.events([event("Hel"), "data: {\"choices\":\n\n"]), .malformed, false),
      (.events([event("Hel"), "data: {\"id\":1}\n\n"]), .malformed, true),
      (.events([event("Hel"), "data: {\"choices\":[{\"delta\":5}]}\n\n"]), .malformed, false),
      (
        .events([event("Hel"), "data: {\"error\":{\"message\":\"overloaded\"}}\n\n"]), .server, true
      ),
    ])
  func fails(reply: LoopbackReply, reason: LoadFailure.Reason, retryable: Bool) async throws {
    let server = try LoopbackServer { _ in reply }
    defer { server.stop() }
    let failure = await #expect(throws: LoadFailure.self) { try await pieces(from: server) }
    #expect(failure?.reason == reason)
    #expect(failure?.retryable == retryable)
    #expect(failure?.message.contains("sk-secret") == false)
    #expect(server.requests.count == 1)
  }

  @Test func whatCameBeforeAFailureIsThere() async throws {
    let server = try LoopbackServer { _ in .events([Self.event("Hel"), Self.event("lo")], .cut) }
    defer { server.stop() }
    var seen: [String] = []
    await #expect(throws: LoadFailure.self) {
      for try await piece in source(server).reply(to: [.well], as: .cook) { seen.append(piece) }
    }
    #expect(seen == ["Hel", "lo"])
  }

  @Test func aServerThatIsGoneIsOffline() async throws {
    let server = try LoopbackServer { _ in .hangUp }
    server.stop()
    let failure = await #expect(throws: LoadFailure.self) { try await pieces(from: server) }
    #expect(failure?.reason == .offline)
  }

  @Test func cancellingClosesTheConnection() async throws {
    let server = try LoopbackServer { _ in .events([Self.event("Hel")], .silence) }
    defer { server.stop() }
    let source = source(server)
    let (seen, note) = AsyncStream<String>.makeStream()
    let reader = Task {
      for try await piece in source.reply(to: [.well], as: .cook) { note.yield(piece) }
    }
    for await piece in seen {
      #expect(piece == "Hel")
      break
    }
    reader.cancel()
    await server.next(.abandoned(path: "/v1/chat/completions"))
  }

  @Test func aServerThatSaysNothingMoreTimesOut() async throws {
    let server = try LoopbackServer { _ in .events([Self.event("Hel")], .silence) }
    defer { server.stop() }
    let expirations = Semaphore()
    let http = HTTPStreaming { _ in try await expirations.wait() }
    let source = OpenAIReplySource(
      base: server.base.appendingPathComponent("v1"), model: "tiny", key: nil, http: http)
    var seen: [String] = []
    let failure = await #expect(throws: LoadFailure.self) {
      for try await piece in source.reply(to: [.well], as: .cook) {
        seen.append(piece)
        // The first may end a wait that something has happened in, the second does not.
        expirations.signal()
        expirations.signal()
      }
    }
    #expect(seen == ["Hel"])
    #expect(failure?.reason == .timedOut)
    await server.next(.abandoned(path: "/v1/chat/completions"))
  }

  @Test func aReplyWithoutEndIsCutOff() async throws {
    let text = String(repeating: "x", count: 1000)
    let server = try LoopbackServer { _ in
      .events(Array(repeating: Self.event(text), count: 50), .silence)
    }
    defer { server.stop() }
    let source = OpenAIReplySource(
      base: server.base, model: "tiny", key: nil, http: HTTPStreaming(bodyLimit: 10_000))
    let failure = await #expect(throws: LoadFailure.self) {
      for try await _ in source.reply(to: [.well], as: .cook) {}
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
    for try await _ in source(server).reply(to: all, as: .cook) {}
    let text = String(decoding: body.withLock { $0 }, as: UTF8.self)
    #expect(!text.contains("message 60.") && text.contains("message 61."))
  }

  // MARK: Helpers

  private func source(_ server: LoopbackServer) -> OpenAIReplySource {
    OpenAIReplySource(
      base: server.base.appendingPathComponent("v1"), model: "tiny", key: "sk-secret")
  }

  private func pieces(from server: LoopbackServer) async throws -> [String] {
    let conversation: [ChatMessage] = [
      .init(id: 1, author: .me, text: "Hi"), .init(id: 2, author: .avatar, text: "Yes?"), .well,
    ]
    var pieces: [String] = []
    for try await piece in source(server).reply(to: conversation, as: .cook) {
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
    id: "mina", name: "Mina", category: .cooks, description: "A cook.", image: "data:,")
}
