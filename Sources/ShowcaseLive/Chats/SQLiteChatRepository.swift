public import Showcase

/// Chats in the database. A reply is stored in pieces while it streams, so that appending costs what
/// the piece costs, and joined when it is finished.
public struct SQLiteChatRepository: ChatRepository {
  private let database: Database

  public init(database: Database) {
    self.database = database
  }

  public func chats() async throws -> [Chat] {
    try await database.read { connection in
      try connection.rows(
        """
        SELECT chats.id, chats.name, chats.image, messages.text || \(Self.pieces), messages.at
        FROM chats JOIN messages
          ON messages.id = (SELECT max(id) FROM messages WHERE chat = chats.id)
        ORDER BY messages.id DESC
        """
      ) { row in
        let id: String = try row[0]
        return Chat(
          id: id, avatarID: id, name: try row[1], image: try row[2], lastMessage: try row[3],
          at: try row[4])
      }
    }
  }

  public func messages(of chat: String) async throws -> [ChatMessage]? {
    try await database.read { connection in
      guard try connection.row("SELECT 1 FROM chats WHERE id = ?", chat, as: { _ in true }) != nil
      else { return nil }
      return try connection.rows(
        """
        SELECT id, author, text || \(Self.pieces), is_finished FROM messages
        WHERE chat = ? ORDER BY id
        """, chat
      ) { row in
        let author: String = try row[1]
        let isFinished: Bool = try row[3]
        return ChatMessage(
          id: try row[0], author: author == "me" ? .me : .avatar, text: try row[2],
          isCut: !isFinished)
      }
    }
  }

  public func say(_ text: String, to avatar: Avatar, at: Int) async throws -> ChatMessage {
    try await database.write { connection in
      try connection.execute(
        "INSERT OR IGNORE INTO chats (id, name, image) VALUES (?, ?, ?)", avatar.id, avatar.name,
        avatar.image)
      return try connection.insert(text, by: .me, in: avatar.id, at: at, isFinished: true)
    }
  }

  public func beginReply(_ piece: String, in chat: String, at: Int) async throws -> ChatMessage {
    try await database.write { connection in
      try connection.insert(piece, by: .avatar, in: chat, at: at, isFinished: false)
    }
  }

  public func append(_ piece: String, to reply: Int) async throws {
    _ = try await database.write { connection in
      try connection.execute(
        "INSERT INTO reply_pieces (message, text) VALUES (?, ?)", reply, piece)
    }
  }

  public func finishReply(_ reply: Int) async throws {
    _ = try await database.write { connection in
      try connection.execute(
        "UPDATE messages SET text = text || \(Self.pieces), is_finished = 1 WHERE id = ?", reply)
      try connection.execute("DELETE FROM reply_pieces WHERE message = ?", reply)
    }
  }

  public func remove(_ message: Int) async throws {
    _ = try await database.write { connection in
      try connection.execute("DELETE FROM messages WHERE id = ?", message)
    }
  }

  /// The further pieces of a message, in order, as one text.
  private static let pieces = """
    coalesce((SELECT group_concat(text, '') FROM
      (SELECT text FROM reply_pieces WHERE message = messages.id ORDER BY id)), '')
    """
}

extension Connection {
  fileprivate func insert(
    _ text: String, by author: ChatMessage.Author, in chat: String, at: Int, isFinished: Bool
  ) throws -> ChatMessage {
    try execute(
      "INSERT INTO messages (chat, author, text, at, is_finished) VALUES (?, ?, ?, ?, ?)", chat,
      author.rawValue, text, at, isFinished)
    return ChatMessage(id: lastInsertedID, author: author, text: text, isCut: !isFinished)
  }
}

extension Migration {
  /// A chat has the id of its avatar, and a copy of the avatar's name and picture, since the avatar
  /// may be gone.
  static let chats = Migration(
    "chats",
    """
    CREATE TABLE chats (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL,
      image TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE messages (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      chat TEXT NOT NULL REFERENCES chats ON DELETE CASCADE,
      author TEXT NOT NULL CHECK (author IN ('me', 'avatar')),
      text TEXT NOT NULL,
      at INTEGER NOT NULL,
      is_finished INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX messages_by_chat ON messages (chat, id);
    CREATE TABLE reply_pieces (
      id INTEGER PRIMARY KEY,
      message INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
      text TEXT NOT NULL
    ) STRICT;
    CREATE INDEX reply_pieces_by_message ON reply_pieces (message, id)
    """)
}
