package import OffstageLive
package import Showcase

/// Chats in the database. A reply is stored in pieces while it streams, so that appending a piece
/// does not rewrite the reply, and joined when it is finished.
package struct SQLiteChatRepository: ChatRepository {
  private let database: Database

  package init(database: Database) {
    self.database = database
  }

  package func chats(as owner: Owner) async throws -> [Chat] {
    try await database.read { connection in
      try connection.rows(
        """
        SELECT avatar, chats.name, chats.image, messages.text || \(Self.pieces), messages.at
        FROM chats JOIN messages
          ON messages.id = (SELECT max(id) FROM messages WHERE chat = chats.id)
        WHERE owner = ? AND deleted_at IS NULL
        ORDER BY messages.id DESC
        """, try connection.id(of: owner)
      ) { row in
        Chat(
          id: try row[0], name: try row[1], image: try row[2], lastMessage: try row[3],
          at: try row[4])
      }
    }
  }

  package func messages(of chat: String, as owner: Owner) async throws -> [ChatMessage]? {
    try await database.read { connection in
      guard let chat = try connection.chat(with: chat, owner) else { return nil }
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

  package func say(
    _ text: String, to avatar: Avatar, at: Int, as owner: Owner
  ) async throws -> ChatMessage {
    try await database.write { connection in
      let id = try connection.id(of: owner)
      // A message after a deletion starts a new chat.
      try connection.execute(
        "DELETE FROM chats WHERE owner = ? AND avatar = ? AND deleted_at IS NOT NULL", id, avatar.id
      )
      try connection.execute(
        """
        INSERT INTO chats (owner, avatar, name, image, category, description)
        VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET name = excluded.name, image = excluded.image,
          category = excluded.category, description = excluded.description
        """, id, avatar.id, avatar.name, avatar.image, avatar.category.rawValue,
        avatar.description)
      return try connection.insert(
        text, by: .me, in: avatar.id, owner, at: at, isFinished: true)
    }
  }

  package func reserveReply(in chat: String) async throws -> Bool {
    do { return try database.locks.acquire(Self.lock(chat)) } catch { throw LoadFailure.map(error) }
  }

  package func releaseReply(in chat: String) { database.locks.release(Self.lock(chat)) }

  package func isReplyReserved(in chat: String) -> Bool {
    database.locks.isHeldElsewhere(Self.lock(chat))
  }

  private static func lock(_ chat: String) -> String {
    // Use a hash, because a server may have chosen the name.
    String("reply in \(chat)".utf8.fnv1a, radix: 16)
  }

  package func beginReply(
    _ piece: String, in chat: String, at: Int, as owner: Owner
  ) async throws -> ChatMessage {
    try await database.write { connection in
      guard try connection.hasMessageToAnswer(in: chat, owner) else {
        throw LoadFailure(
          .changedElsewhere, "Another process answered or removed the message to answer.",
          retryable: true)
      }
      return try connection.insert(
        piece, by: .avatar, in: chat, owner, at: at, isFinished: false)
    }
  }

  package func append(_ piece: String, to reply: Int, as owner: Owner) async throws {
    try await database.write { connection in
      _ = try connection.chat(ofReply: reply, owner)
      try connection.execute(
        "INSERT INTO reply_pieces (message, text) VALUES (?, ?)", reply, piece)
    }
  }

  package func endReply(_ reply: Int, _ end: ReplyEnd, as owner: Owner) async throws -> [Int] {
    try await database.write { connection in
      let chat = try connection.chat(ofReply: reply, owner)
      var reason: String?
      if case .cut(let cut) = end { reason = cut?.rawValue }
      try connection.execute(
        """
        UPDATE messages SET text = text || \(Self.pieces), is_finished = ?, cut_reason = ?
        WHERE id = ?
        """, end == .complete, reason, reply)
      try connection.execute("DELETE FROM reply_pieces WHERE message = ?", reply)
      return try connection.deleteSuperseded(in: chat)
    }
  }

  package func clearChat(_ chat: String, as owner: Owner) async throws {
    try await database.write { connection in
      guard let chat = try connection.chat(with: chat, owner) else { return }
      try connection.execute("DELETE FROM messages WHERE chat = ?", chat)
    }
  }

  package func deleteChat(_ chat: String, at: Duration, as owner: Owner) async throws {
    try await database.write { connection in
      guard let chat = try connection.chat(with: chat, owner) else { return }
      try connection.execute(
        "UPDATE chats SET deleted_at = ? WHERE id = ?", at / .seconds(1), chat)
    }
  }

  package func restoreChat(_ chat: String, as owner: Owner) async throws {
    let restored = try await database.write { connection in
      try connection.execute(
        """
        UPDATE chats SET deleted_at = NULL
        WHERE owner = ? AND avatar = ? AND deleted_at IS NOT NULL
        """, try connection.id(of: owner), chat)
    }
    // A new chat has replaced it, or it has been purged.
    if restored == 0 {
      throw LoadFailure(.notFound, "The chat \(chat) is deleted for good.", retryable: false)
    }
  }

  package func purgeDeletedChats(before time: Duration) async throws {
    try await database.write {
      try $0.execute("DELETE FROM chats WHERE deleted_at <= ?", time / .seconds(1))
    }
  }

  /// The pieces of a message after the first, in order, as one text.
  fileprivate static let pieces = """
    coalesce((SELECT group_concat(text, '') FROM
      (SELECT text FROM reply_pieces WHERE message = messages.id ORDER BY id)), '')
    """
}

extension Connection {
  /// Returns the row id of the chat with an avatar.
  fileprivate func chat(with avatar: String, _ owner: Owner) throws -> Int? {
    try row(
      "SELECT id FROM chats WHERE owner = ? AND avatar = ? AND deleted_at IS NULL",
      try id(of: owner), avatar
    ) { try $0[0] }
  }

  /// Returns the row id of the chat of a running reply.
  /// - Throws: `LoadFailure` (`changedElsewhere`) if another process has deleted the reply, or moved
  ///   the chat to another owner.
  fileprivate func chat(ofReply reply: Int, _ owner: Owner) throws -> Int {
    let chat: Int? = try row(
      """
      SELECT chats.id FROM messages JOIN chats ON chats.id = chat
      WHERE messages.id = ? AND owner = ?
      """, reply, try id(of: owner)
    ) { try $0[0] }
    guard let chat else {
      throw LoadFailure(
        .changedElsewhere, "Another process deleted message \(reply) during the reply.",
        retryable: true)
    }
    return chat
  }

  /// Returns true for a chat that does not exist, too.
  fileprivate func hasMessageToAnswer(in avatar: String, _ owner: Owner) throws -> Bool {
    guard let chat = try chat(with: avatar, owner) else { return true }
    return try row(
      "SELECT author = 'me' OR NOT is_finished FROM messages WHERE chat = ? ORDER BY id DESC LIMIT 1",
      chat
    ) { try $0[0] } ?? false
  }

  /// Deletes each reply to the last message that was cut off and is no longer than another one.
  /// - Returns: The ids of the deleted replies.
  fileprivate func deleteSuperseded(in chat: Int) throws -> [Int] {
    // Of two of the same length, the newer one stays.
    let replies = try rows(
      """
      SELECT id, is_finished, length(text || \(SQLiteChatRepository.pieces)) FROM messages
      WHERE chat = ?1 AND id > (SELECT max(id) FROM messages WHERE chat = ?1 AND author = 'me')
      ORDER BY id
      """, chat
    ) { (id: try $0[0] as Int, isFinished: try $0[1] as Bool, length: try $0[2] as Int) }
    let superseded = replies.filter { reply in
      !reply.isFinished
        && replies.contains { ($0.length, $0.id) > (reply.length, reply.id) }
    }.map(\.id)
    for id in superseded { try execute("DELETE FROM messages WHERE id = ?", id) }
    return superseded
  }

  fileprivate func insert(
    _ text: String, by author: ChatMessage.Author, in avatar: String, _ owner: Owner, at: Int,
    isFinished: Bool
  ) throws -> ChatMessage {
    guard let chat = try chat(with: avatar, owner) else {
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

  /// Keeps the time of a deletion, in seconds since 1970, and all of the avatar.
  static let chatDeletions = Migration(
    """
    ALTER TABLE chats ADD COLUMN deleted_at REAL;
    UPDATE chats SET deleted_at = 0 WHERE is_deleted;
    ALTER TABLE chats DROP COLUMN is_deleted;
    ALTER TABLE chats ADD COLUMN category TEXT NOT NULL DEFAULT 'cooks';
    ALTER TABLE chats ADD COLUMN description TEXT NOT NULL DEFAULT ''
    """)
}
