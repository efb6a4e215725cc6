import Testing

@testable import LiveTestSupport
@testable import Showcase
@testable import ShowcaseLive

/// Replies of servers that bend the API.
extension OpenAIReplySourceTests {
  /// As OpenRouter and llama.cpp put it: with choices, whose reason may be `error`.
  @Test(arguments: [
    (
      #"{"error":{"code":"server_error","message":"gone"},"#
        + #""choices":[{"delta":{"content":""},"finish_reason":"error"}]}"#, "gone"
    ),
    (#"{"choices":[],"error":{"message":"gone"}}"#, "gone"),
    (#"{"choices":[{"delta":{"content":"f"},"finish_reason":"stop"}],"error":"gone"}"#, "gone"),
    (#"{"choices":[],"error":{"code":502}}"#, "an error without a message"),
    (
      #"{"choices":[{"delta":{},"finish_reason":"error"}],"error":null}"#,
      "an error without a message"
    ),
  ])
  func errorBesideChoicesFailsTheReply(chunk: String, message: String) async throws {
    for end in ["\n\n" + Self.done, ""] {
      let server = try LoopbackServer { _ in
        .events([Self.event("Half"), "data: \(chunk)\(end)"])
      }
      defer { server.stop() }
      let failure = await #expect(throws: LoadFailure.self) { try await pieces(from: server) }
      #expect(failure == LoadFailure(.server, message, retryable: true))
    }
  }

  @Test(arguments: ["text/plain", "text/event-stream", "application/json", ""])
  func contentTypeDoesNotMatter(contentType: String) async throws {
    let json = #"{"choices":[{"message":{"content":"Hello"},"finish_reason":"stop"}]}"#
    let bodies = [
      [json], [" \r\n", json], ["\u{FEFF}" + json], [Self.event("Hello"), Self.done],
      ["\n", Self.event("Hello") + Self.done], [": ping\n\n" + Self.event("Hello") + Self.done],
    ]
    for body in bodies {
      let server = try LoopbackServer { _ in
        .stream(contentType: contentType, body, .complete)
      }
      defer { server.stop() }
      #expect(try await pieces(from: server) == ["Hello"])
    }
  }

  @Test func unlabeledWebPageIsRecognized() async throws {
    let server = try LoopbackServer { _ in
      .stream(contentType: "text/plain", ["\n<!doctype html>"], .complete)
    }
    defer { server.stop() }
    let failure = await #expect(throws: LoadFailure.self) { try await pieces(from: server) }
    #expect(failure?.reason == .webPage)
  }

  @Test(arguments: ["data: [DONE] \n\n", "data:\t[DONE]\t\n\n", "data: [DONE] "])
  func endMayHaveWhiteSpaceAroundIt(end: String) async throws {
    let server = try LoopbackServer { _ in .events([Self.event("Hello"), end]) }
    defer { server.stop() }
    #expect(try await pieces(from: server) == ["Hello"])
  }

  @Test func refusalIsShownInTheModelsWords() async throws {
    let refusal = #"data: {"choices":[{"delta":{"content":null,"refusal":"I can't help."}}]}"#
    let server = try LoopbackServer { _ in .events([refusal + "\n\n", Self.done]) }
    defer { server.stop() }
    #expect(try await pieces(from: server) == ["I can't help."])
  }

  @Test func onlyTheFirstOfSeveralRepliesIsRead() async throws {
    let chunks = [
      #"{"choices":[{"index":0,"delta":{"content":"Hel"}}]}"#,
      #"{"choices":[{"index":1,"delta":{"content":"Good"},"finish_reason":"stop"}]}"#,
      #"{"choices":[{"index":1,"delta":{"content":"bye"}},{"index":0,"delta":{"content":"lo"}}]}"#,
    ]
    let server = try LoopbackServer { _ in .events(chunks.map { "data: \($0)\n\n" } + [Self.done]) }
    defer { server.stop() }
    #expect(try await pieces(from: server) == ["Hel", "lo"])
  }

  /// The pieces of a stream, and what is shown.
  @Test(
    arguments: [
      (["<think>Who is it?</think>\\n\\nHello"], "Hello"),
      (["<th", "ink>Who", " is it?</thi", "nk>", "\\n", " Hello"], "Hello"),
      (["Well <think>hm</think> yes", "<think></think> or no"], "Well yes or no"),
      (["1 < 2 <thin", " air"], "1 < 2 <thin air"),
      (["Write `<think>` first"], "Write `<think>` first"),
      (["Done <thi"], "Done <thi"),
      (["Hello <think>never ends", "so it goes"], "Hello "),
    ] as [([String], String)])
  func thoughtsAreLeftOut(texts: [String], shown: String) async throws {
    let server = try LoopbackServer { _ in .events(texts.map(Self.event) + [Self.done]) }
    defer { server.stop() }
    #expect(try await pieces(from: server).joined() == shown)
  }

  /// As OpenAI, Ollama, OpenRouter, Azure, llama.cpp, vLLM, and proxies put it.
  @Test(
    arguments: [
      (
        404, #"{"message":"The model `x` does not exist","code":"model_not_found"}"#, .modelNotFound
      ),
      (404, #"{"message":"page not found"}"#, .wrongAddress),
      (404, #"{"detail":"Not Found"}"#, .wrongAddress),
      (402, #"{"message":"Insufficient Balance","code":"invalid_request_error"}"#, .quota),
      (
        429, #"{"message":"You exceeded your current quota","code":"insufficient_quota"}"#, .quota
      ),
      (429, #"{"message":"Rate limit reached for gpt-4o"}"#, .rateLimited),
      (400, #"{"message":"model x not found, try pulling it first"}"#, .modelNotFound),
      (400, #"{"message":"x is not a valid model ID","code":400}"#, .modelNotFound),
      (400, #"{"message":"filtered by policy","code":"content_filter"}"#, .filtered),
      (400, #"{"message":"the request exceeds the available context size"}"#, .tooLong),
      (400, #"{"message":"the model needs a temperature"}"#, .rejected),
      (422, #"{"message":"messages: field required"}"#, .rejected),
      (500, #"{"message":"context deadline exceeded"}"#, .server),
    ] as [(Int, String, LoadFailure.Reason)])
  func refusalHasItsReason(status: Int, error: String, reason: LoadFailure.Reason) async throws {
    let server = try LoopbackServer { _ in
      .answer(
        LoopbackAnswer(
          status: status, contentType: "application/json", body: Array("{\"error\":\(error)}".utf8))
      )
    }
    defer { server.stop() }
    let failure = await #expect(throws: LoadFailure.self) { try await pieces(from: server) }
    #expect(failure?.reason == reason)
    #expect(failure?.detail.hasSuffix(" (HTTP \(status))") == true)
  }

  @Test(arguments: [
    (500, "context deadline exceeded", 1), (400, "context deadline exceeded", 1),
    (503, "the context length is unavailable", 1), (400, "maximum context length is 9 tokens", 2),
    (413, "the context window is full", 2), (400, "prompt is too long: 9 tokens > 8 maximum", 2),
  ])
  func onlyALimitOfTheContextTrimsTheConversation(
    status: Int, message: String, requests: Int
  ) async throws {
    let error = #"{"error":{"message":"\#(message)"}}"#
    let server = try LoopbackServer { _ in
      .answer(
        LoopbackAnswer(status: status, contentType: "application/json", body: Array(error.utf8)))
    }
    defer { server.stop() }
    let failure = await #expect(throws: LoadFailure.self) { try await pieces(from: server) }
    #expect(failure?.detail == "\(message) (HTTP \(status))")
    #expect(server.requests.count == requests)
  }
}
