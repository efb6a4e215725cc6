/// What a chat is opened with.
struct ChatDelegate: Codable, Hashable, Sendable {
  let avatarId: String
  /// A chat that must be there already; nil to go on with the avatar's, or begin it.
  let chatId: String?

  init(avatarId: String, chatId: String? = nil) {
    self.avatarId = avatarId
    self.chatId = chatId
  }
}
