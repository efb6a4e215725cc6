package import Showcase

/// Chats in the database. A reply is stored in pieces while it streams, so that appending a piece
/// does not rewrite the reply, and joined when it is finished.
package struct SQLiteChatRepository: ChatRepository {
  private let database: Database

  package init(database: Database) {
    self.database = database
  }

  package func chats() async throws -> [Chat] {
    try await database.read { connection in
      try connection.rows(
        """
        SELECT avatar, chats.name, chats.image, messages.text || \(Self.pieces), messages.at
        FROM chats JOIN messages
          ON messages.id = (SELECT max(id) FROM messages WHERE chat = chats.id)
        WHERE owner = \(Connection.owner) AND NOT is_deleted
        ORDER BY messages.id DESC
        """
      ) { row in
        Chat(
          id: try row[0], name: try row[1], image: try row[2], lastMessage: try row[3],
          at: try row[4])
      }
    }
  }

  package func messages(of chat: String) async throws -> [ChatMessage]? {
    try await database.read { connection in
      guard let chat = try connection.chat(with: chat) else { return nil }
      return try connection.rows(
        """
        SELECT id, author, text || \(Self.pieces), is_finished, cut_reason FROM messages
        WHERE chat = ? ORDER BY id
        """, chat
      ) { row in
        let author: String = try row[1]
        let isFinished: Bool = try row[3]
        return ChatMessage(
          id: try row[0], author: ChatMessage.Author(rawValue: author) ?? .avatar, text: try row[2],
          isCut: !isFinished,
          cutReason: (try row[4] as String?).flatMap(TruncatedReply.Reason.init(rawValue:)))
      }
    }
  }

  package func say(_ text: String, to avatar: Avatar, at: Int) async throws -> ChatMessage {
    try await database.write { connection in
      // A message after a deletion starts a new chat.
      try connection.execute(
        "DELETE FROM chats WHERE owner = \(Connection.owner) AND avatar = ? AND is_deleted",
        avatar.id)
      try connection.execute(
        """
        INSERT OR IGNORE INTO chats (owner, avatar, name, image)
        VALUES (\(Connection.owner), ?, ?, ?)
        """, avatar.id, avatar.name, avatar.image)
      return try connection.insert(text, by: .me, in: avatar.id, at: at, isFinished: true)
    }
  }

  package func reserveReply(in chat: String) async throws -> Bool {
    try database.locks.acquire(Self.lock(chat))
  }

  package func releaseReply(in chat: String) { database.locks.release(Self.lock(chat)) }

  package func isReplyReserved(in chat: String) -> Bool {
    database.locks.isHeldElsewhere(Self.lock(chat))
  }

  private static func lock(_ chat: String) -> String { "reply in \(chat)" }

  package func beginReply(
    _ piece: String, in chat: String, at: Int, replacing old: Int?
  ) async throws -> ChatMessage {
    try await database.write { connection in
      if let old {
        let count = try connection.execute("DELETE FROM messages WHERE id = ?", old)
        if count == 0 { throw LoadFailure.deleted(old) }
      }
      guard try connection.isLastMessageMine(in: chat) else {
        throw LoadFailure(
          .changedElsewhere, "Another process removed the message to answer.", retryable: true)
      }
      return try connection.insert(piece, by: .avatar, in: chat, at: at, isFinished: false)
    }
  }

  package func append(_ piece: String, to reply: Int) async throws {
    try await database.write { connection in
      let count = try connection.execute(
        "INSERT INTO reply_pieces (message, text) SELECT id, ? FROM messages WHERE id = ?", piece,
        reply)
      if count == 0 { throw LoadFailure.deleted(reply) }
    }
  }

  package func finishReply(_ reply: Int) async throws {
    try await database.write { connection in
      let count = try connection.execute(
        "UPDATE messages SET text = text || \(Self.pieces), is_finished = 1 WHERE id = ?", reply)
      if count == 0 { throw LoadFailure.deleted(reply) }
      try connection.execute("DELETE FROM reply_pieces WHERE message = ?", reply)
    }
  }

  package func cutReply(_ reply: Int, _ reason: TruncatedReply.Reason) async throws {
    try await database.write { connection in
      try connection.execute(
        "UPDATE messages SET cut_reason = ? WHERE id = ?", reason.rawValue, reply)
    }
  }

  package func clearChat(_ chat: String) async throws {
    try await database.write { connection in
      guard let chat = try connection.chat(with: chat) else { return }
      try connection.execute("DELETE FROM messages WHERE chat = ?", chat)
    }
  }

  package func deleteChat(_ chat: String) async throws {
    try await database.write { connection in
      try connection.execute(Self.purge)
      try connection.execute(
        "UPDATE chats SET is_deleted = 1 WHERE owner = \(Connection.owner) AND avatar = ?", chat)
    }
  }

  package func restoreChat(_ chat: String) async throws {
    let restored = try await database.write { connection in
      try connection.execute(
        """
        UPDATE chats SET is_deleted = 0
        WHERE owner = \(Connection.owner) AND avatar = ? AND is_deleted
        """, chat)
    }
    // A new chat has replaced it, or another process of the app has purged it.
    if restored == 0 {
      throw LoadFailure(.notFound, "The chat \(chat) is deleted for good.", retryable: false)
    }
  }

  /// Purges the deleted chats of all accounts: a deletion cannot be undone under another account.
  package func purgeDeletedChats() async throws {
    try await database.write { try $0.execute(Self.purge) }
  }

  private static let purge = "DELETE FROM chats WHERE is_deleted"

  /// The pieces of a message after the first, in order, as one text.
  private static let pieces = """
    coalesce((SELECT group_concat(text, '') FROM
      (SELECT text FROM reply_pieces WHERE message = messages.id ORDER BY id)), '')
    """
}

extension LoadFailure {
  /// Returns the failure for a missing message: only another process deletes one during a reply.
  fileprivate static func deleted(_ message: Int) -> LoadFailure {
    LoadFailure(
      .changedElsewhere, "Another process deleted message \(message) during the reply.",
      retryable: true)
  }
}

extension Connection {
  /// Returns the row id of the chat with an avatar.
  fileprivate func chat(with avatar: String) throws -> Int? {
    try row(
      "SELECT id FROM chats WHERE owner = \(Connection.owner) AND avatar = ? AND NOT is_deleted",
      avatar
    ) { try $0[0] }
  }

  /// Returns true for a chat that does not exist, too.
  fileprivate func isLastMessageMine(in avatar: String) throws -> Bool {
    guard let chat = try chat(with: avatar) else { return true }
    return try row("SELECT author FROM messages WHERE chat = ? ORDER BY id DESC LIMIT 1", chat) {
      try $0[0]
    } == ChatMessage.Author.me.rawValue
  }

  fileprivate func insert(
    _ text: String, by author: ChatMessage.Author, in avatar: String, at: Int, isFinished: Bool
  ) throws -> ChatMessage {
    guard let chat = try chat(with: avatar) else {
      throw LoadFailure(.notFound, "There is no chat \(avatar).", retryable: false)
    }
    try execute(
      "INSERT INTO messages (chat, author, text, at, is_finished) VALUES (?, ?, ?, ?, ?)", chat,
      author.rawValue, text, at, isFinished)
    return ChatMessage(id: lastInsertedID, author: author, text: text, isCut: !isFinished)
  }
}

extension Migration {
  /// A chat has the id of its avatar and a copy of the avatar's name and picture, because the
  /// avatar may be gone.
  static let chats = Migration(
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

  static let cutReasons = Migration(
    "ALTER TABLE messages ADD COLUMN cut_reason TEXT")
}
