package import Offstage
package import OffstageFoundation
package import OffstageLive
package import Showcase

/// Replies from an OpenAI-compatible server, streamed as server-sent events.
package struct OpenAIReplySource: ReplySource {
  /// The number of a conversation's newest messages that are sent at first.
  static let contextLimit = 40

  fileprivate let url: URL
  private let model: String
  private let key: String?
  fileprivate let client: HTTPClient
  private let firstPiece: Duration
  fileprivate let nextPiece: Duration

  /// - Parameters:
  ///   - base: The address that `chat/completions` is appended to, such as
  ///     `https://api.openai.com/v1`.
  ///   - key: The bearer token, sent only to the base's origin and never shown; nil for a server
  ///     that needs none. See ``key(_:)``.
  ///   - firstPiece: The time to the first piece. A model may take minutes to read a conversation.
  ///   - nextPiece: The time from each piece to the next.
  package init(
    base: URL, model: String, key: String?, firstPiece: Duration = .seconds(300),
    nextPiece: Duration = .seconds(60), client: HTTPClient = .showcase()
  ) {
    url = base.appending(endpoint: "chat/completions")
    self.model = model
    self.key = key
    (self.firstPiece, self.nextPiece) = (firstPiece, nextPiece)
    self.client = client
  }

  /// Trims white space, such as the line feed at the end of a key file.
  /// - Returns: nil if the key has characters other than visible ASCII, which a header field cannot
  ///   hold.
  package static func key(_ text: String) -> String? {
    let key = text.trimmed
    return key.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? key : nil
  }

  package var pace: Duration? { nil }

  package func reply(
    to context: ChatHistory, as avatar: Avatar, in language: LanguageTag
  ) -> AsyncThrowingStream<String, any Error> {
    let reply = OpenAIReply(self, to: context.messages, as: avatar, in: language)
    return AsyncThrowingStream { try await reply.next() }
  }

  fileprivate func request(
    _ conversation: some Sequence<ChatMessage>, as avatar: Avatar, in language: LanguageTag
  ) throws -> HTTPRequest {
    var role =
      "You are \(avatar.name). \(avatar.description) Stay in this character and answer briefly."
    if language.language != "en" { role += " Answer in the language \(language)." }
    let messages = conversation.map {
      ChatCompletionRequest.Message(
        role: $0.author == .me ? "user" : "assistant", content: $0.text)
    }
    let body = ChatCompletionRequest(
      model: model, messages: [.init(role: "system", content: role)] + messages)
    var request = try HTTPRequest(
      .post, url, accept: "text/event-stream, application/json", json: body)
    request.timeout = firstPiece
    request.allowsCrossOriginRedirects = false
    if let key { request.authorization = "Bearer \(key)" }
    return request
  }

  /// Returns the server's message for a user: on one line, shortened, and without the key.
  fileprivate func text(of error: ChatError) -> String {
    var text = error.message.split(whereSeparator: \.isNewline).joined(separator: " ")
    if let key, !key.isEmpty { text = text.replacing(key, with: "…") }
    return String(text.prefix(500))
  }
}

/// One reply, read piece by piece. Releasing it closes the connection.
private actor OpenAIReply {
  /// The end of a reply.
  private enum End {
    case complete
    case failed(any Error)
  }

  /// The format of a body, by its first character: servers and proxies mislabel replies.
  private enum Format {
    /// Only white space so far.
    case unknown(Data)
    case events(ServerSentEvents)
    /// A whole response, from a server that does not stream.
    case json(Data)
  }

  private let source: OpenAIReplySource
  private let avatar: Avatar
  private let language: LanguageTag
  private var conversation: ArraySlice<ChatMessage>
  private var stream: HTTPStream?
  private var format = Format.unknown(Data())
  private var thoughts = ThoughtFilter()
  /// Pieces received but not yet returned.
  private var pieces: ArraySlice<String> = []
  private var end: End?
  private var hasBegun = false

  init(
    _ source: OpenAIReplySource, to conversation: [ChatMessage], as avatar: Avatar,
    in language: LanguageTag
  ) {
    self.source = source
    self.avatar = avatar
    self.language = language
    self.conversation = conversation.suffix(OpenAIReplySource.contextLimit)
  }

  /// Returns the next piece, which is not empty; nil at the end.
  func next() async throws -> String? {
    do {
      while true {
        if let piece = pieces.popFirst() {
          hasBegun = true
          stream?.restartClock(source.nextPiece)
          return piece
        }
        switch end {
        case nil: break
        case .complete where hasBegun: return nil
        case .complete: throw malformed("the reply is empty")
        case .failed(let error): throw error
        }
        do {
          try await read()
        } catch {
          // Pieces that came with the error are part of the reply.
          guard !pieces.isEmpty else { throw error }
          end = .failed(error)
        }
      }
    } catch let reason as HTTPError.Reason {
      throw LoadFailure(HTTPError(reason, source.url))
    } catch let error as HTTPError {
      throw LoadFailure(error)
    } catch let failure as ServerSentEvents.Failure {
      throw malformed(failure.rawValue)
    }
  }

  private func read() async throws {
    let stream = if let stream { stream } else { try await open() }
    guard let data = try await stream.next() else { return try endOfBody() }
    try take(data)
  }

  private func take(_ data: Data) throws {
    switch format {
    case .unknown(let start):
      let body = start + data
      switch body.firstVisible {
      case nil: format = .unknown(body)
      case UInt8(ascii: "{"): format = .json(body.drop { $0 != UInt8(ascii: "{") })
      case UInt8(ascii: "<"):
        throw HTTPError.Reason.wrongType(HTTPError.webPage, expected: "text/event-stream")
      default:
        format = .events(ServerSentEvents())
        try take(body)
      }
    case .json(let start): format = .json(start + data)
    case .events(var events):
      for event in try events.take(data) where stream != nil { try take(event) }
      format = .events(events)
    }
  }

  /// Sends the request. As long as the server finds the conversation too long, sends it again with
  /// half of it.
  private func open() async throws -> HTTPStream {
    while true {
      let stream = try source.client.open(
        try source.request(conversation, as: avatar, in: language))
      let head = try await stream.head()
      if head.isSuccess {
        if head.contentType == HTTPError.webPage {
          throw HTTPError.Reason.wrongType(HTTPError.webPage, expected: "text/event-stream")
        }
        format = .unknown(Data())
        thoughts = ThoughtFilter()
        self.stream = stream
        return stream
      }
      let error = try? ChatError(json: await stream.collect(), from: source.url)
      try Task.checkCancellation()
      let reason = error?.reason(status: head.status)
      if shortenConversation(reason) { continue }
      let failure = LoadFailure(
        HTTPError(
          HTTPError.Reason(
            head, now: await source.client.now(), message: error.map(source.text)), source.url))
      throw LoadFailure(
        reason ?? (failure.reason == .notFound ? .wrongAddress : failure.reason), failure.detail,
        retryable: failure.retryable)
    }
  }

  /// Drops the older half, and the replies before the user's first message in the newer half.
  /// - Returns: False if that cannot help.
  private func shortenConversation(_ reason: LoadFailure.Reason?) -> Bool {
    guard reason == .tooLong, conversation.count > 1, !hasBegun, pieces.isEmpty else {
      return false
    }
    let half = conversation.suffix(conversation.count / 2)
    let rest = half.drop { $0.author != .me }
    conversation = rest.isEmpty ? conversation.suffix(1) : rest
    return true
  }

  private func endOfBody() throws {
    switch format {
    case .unknown: throw HTTPError.Reason.truncated
    case .json(let body):
      try take(json: body)
      if stream != nil { end(.complete) }
    case .events(var events):
      // A malformed last event means that the connection broke.
      do { if let event = try events.finish() { try take(event) } } catch is HTTPError {
        throw HTTPError.Reason.truncated
      }
      // If `stream` is nil, the reply has ended or is requested again.
      if stream != nil { throw HTTPError.Reason.truncated }
    }
  }

  private func take(_ event: String) throws {
    if event.allSatisfy(\.isWhitespace) { return }
    if event.trimmed == "[DONE]" { return end(.complete) }
    try take(json: Data(event.utf8))
  }

  private func take(json: Data) throws {
    let chunk = try ChatCompletionChunk(json: json, from: source.url)
    let choice = chunk.choices?.first { ($0.index ?? 0) == 0 }
    let text = thoughts.text(choice?.text ?? "")
    if !text.isEmpty { pieces.append(text) }
    if thoughts.isThinking { stream?.restartClock(source.nextPiece) }
    if let error = chunk.error { return try fail(error) }
    // Pings and usage reports have neither choices nor a message.
    if chunk.choices == nil, let error = try? ChatError(json: json, from: source.url) {
      return try fail(error)
    }
    switch choice?.finishReason {
    case nil, "": break
    case "error": try fail(.unexplained)
    case let reason?: end(TruncatedReplyReason(rawValue: reason).map { .failed($0) } ?? .complete)
    }
  }

  /// Retries with a shorter conversation if that can help.
  private func fail(_ error: ChatError) throws {
    stream = nil
    let reason = error.reason(status: nil)
    if shortenConversation(reason) { return }
    throw LoadFailure(
      reason ?? .server, source.text(of: error), retryable: [nil, .quota].contains(reason))
  }

  private func end(_ end: End) {
    let rest = thoughts.rest()
    if !rest.isEmpty { pieces.append(rest) }
    self.end = end
    stream = nil
  }

  private func malformed(_ what: String) -> LoadFailure {
    .malformed(url: source.url, what, retryable: true)
  }
}
