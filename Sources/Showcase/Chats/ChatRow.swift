/// A chat as the list shows it.
struct ChatRow: Identifiable, Codable, Hashable, Sendable {
  let id: String
  let avatarId: String
  let name: String
  /// A URL that opens without the network.
  let image: String
  let lastMessage: String
  /// Seconds since 1970.
  let at: Int

  init(_ chat: Chat) {
    id = chat.id
    avatarId = chat.avatarID
    name = chat.name
    image = chat.image
    lastMessage = chat.lastMessage
    at = chat.at
  }
}
