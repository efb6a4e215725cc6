public import Foundation
public import Showcase

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Replies from an OpenAI-compatible endpoint, streamed as server-sent events.
public struct OpenAIReplySource: ReplySource {
  /// How many messages are sent with each request, the newest: an endpoint takes only so many.
  static let contextLimit = 40

  private let url: URL
  private let model: String
  private let key: String?
  private let http: HTTPStreaming

  /// - Parameters:
  ///   - base: what `chat/completions` is appended to, such as `https://api.openai.com/v1`.
  ///   - key: sent as a bearer token, and never shown; nil for a server that needs none.
  public init(base: URL, model: String, key: String?, http: HTTPStreaming = HTTPStreaming()) {
    url = base.appendingPathComponent("chat/completions")
    self.model = model
    self.key = key
    self.http = http
  }

  public var pace: Duration? { nil }

  public func reply(
    to conversation: [ChatMessage], as avatar: Avatar
  ) -> AsyncThrowingStream<String, any Error> {
    AsyncThrowingStream { continuation in
      let task = Task {
        do {
          try await stream(conversation, avatar) { continuation.yield($0) }
          continuation.finish()
        } catch let failure as HTTPFailure {
          continuation.finish(throwing: failure.loadFailure(url))
        } catch is ServerSentEvents.Failure {
          continuation.finish(throwing: malformed("it is no stream of events"))
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  private func stream(
    _ conversation: [ChatMessage], _ avatar: Avatar, _ yield: (String) -> Void
  ) async throws {
    var events = ServerSentEvents()
    var isEmpty = true
    for try await data in http.body(
      of: try request(conversation, avatar), contentType: "text/event-stream")
    {
      for event in try events.take(data) {
        if event == "[DONE]" {
          if isEmpty { throw malformed("the reply is empty") }
          return
        }
        let piece = try piece(of: event)
        if piece.isEmpty { continue }
        isEmpty = false
        yield(piece)
      }
    }
    try Task.checkCancellation()
    throw HTTPFailure.truncated
  }

  /// The text of an event; empty for one that brings none, as the first and the last do.
  private func piece(of event: String) throws -> String {
    let chunk: ChatCompletionChunk
    do {
      chunk = try JSONDecoder().decode(ChatCompletionChunk.self, from: Data(event.utf8))
    } catch {
      throw LoadFailure(decoding: error, from: url)
    }
    if let failure = chunk.error {
      throw LoadFailure(.server, "\(url) gave up: \(failure.message)", retryable: true)
    }
    guard let choices = chunk.choices else { throw malformed("choices is missing") }
    return choices.first?.delta.content ?? ""
  }

  private func malformed(_ what: String) -> LoadFailure {
    LoadFailure(.malformed, "The answer of \(url) makes no sense: \(what).", retryable: true)
  }

  private func request(_ conversation: [ChatMessage], _ avatar: Avatar) throws -> URLRequest {
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.setValue("text/event-stream", forHTTPHeaderField: "Accept")
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    if let key { request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization") }
    let role =
      "You are \(avatar.name). \(avatar.description) Stay in this character and answer briefly."
    let messages = conversation.suffix(Self.contextLimit).map {
      ChatCompletionRequest.Message(
        role: $0.author == .me ? "user" : "assistant", content: $0.text)
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    request.httpBody = try encoder.encode(
      ChatCompletionRequest(
        model: model, messages: [.init(role: "system", content: role)] + messages))
    return request
  }
}
