/// Keeps what is said in chats, piece by piece as it comes.
public protocol ChatRepository: Sendable {
  /// All chats, the one with the newest message first.
  /// - Throws: `LoadFailure`, or `CancellationError`; so do all.
  func chats() async throws -> [Chat]

  /// What was said in a chat, the oldest first; nil where there is no such chat.
  func messages(of chat: String) async throws -> [ChatMessage]?

  /// Keeps what the person says to an avatar; the first message begins the chat.
  /// - Parameter at: seconds since 1970.
  func say(_ text: String, to avatar: Avatar, at: Int) async throws -> ChatMessage

  /// Begins a reply, which counts as cut short until it is finished.
  /// - Parameter piece: the beginning of what it says.
  func beginReply(_ piece: String, in chat: String, at: Int) async throws -> ChatMessage

  /// Keeps a further piece of a reply, in time and space in proportion to the piece.
  func append(_ piece: String, to reply: Int) async throws

  func finishReply(_ reply: Int) async throws

  /// Forgets a message; that it was not there is no failure.
  func remove(_ message: Int) async throws
}

/// A conversation with one avatar.
public struct Chat: Hashable, Sendable {
  /// The id of the avatar: there is one chat with each.
  public let id: String
  public let avatarID: String
  /// The avatar's name when the chat began.
  public let name: String
  /// The avatar's picture when the chat began.
  public let image: String
  public let lastMessage: String
  /// When that was said, in seconds since 1970.
  public let at: Int

  public init(
    id: String, avatarID: String, name: String, image: String, lastMessage: String, at: Int
  ) {
    self.id = id
    self.avatarID = avatarID
    self.name = name
    self.image = image
    self.lastMessage = lastMessage
    self.at = at
  }
}

/// Something that was said.
public struct ChatMessage: Hashable, Sendable {
  public enum Author: String, Codable, CaseIterable, Sendable {
    case me, avatar
  }

  /// Counted up over all chats.
  public let id: Int
  public let author: Author
  public let text: String
  /// Whether it was stopped, or broke off, before its end.
  public let isCut: Bool

  public init(id: Int, author: Author, text: String, isCut: Bool = false) {
    self.id = id
    self.author = author
    self.text = text
    self.isCut = isCut
  }
}
