extension CoreInteractor {
  func chats() async throws -> [Chat] { try await chatRepository.chats() }

  func messages(of delegate: ChatDelegate) async throws -> [ChatMessage] {
    let messages = try await chatRepository.messages(of: delegate.chatId ?? delegate.avatarId)
    if messages == nil, let id = delegate.chatId {
      throw LoadFailure(.notFound, "There is no chat \(id).", retryable: false)
    }
    return messages ?? []
  }

  func say(_ text: String, to avatar: Avatar) async throws -> ChatMessage {
    try await chatRepository.say(text, to: avatar, at: now)
  }

  var replyPace: Duration? { replies.pace }

  func reply(
    to conversation: [ChatMessage], as avatar: Avatar
  ) -> AsyncThrowingStream<String, any Error> {
    replies.reply(to: conversation, as: avatar)
  }

  func beginReply(_ piece: String, of avatar: Avatar) async throws -> ChatMessage {
    try await chatRepository.beginReply(piece, in: avatar.id, at: now)
  }

  func append(_ piece: String, to reply: Int) async throws {
    try await chatRepository.append(piece, to: reply)
  }

  func finishReply(_ reply: Int) async throws { try await chatRepository.finishReply(reply) }
  func removeMessage(_ id: Int) async throws { try await chatRepository.remove(id) }
}
