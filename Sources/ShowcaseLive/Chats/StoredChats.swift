import OffstageLive
package import Showcase

/// Chats in the database. A reply is stored in pieces while it streams, so that appending a piece
/// does not rewrite the reply, and joined when it is finished.
extension PersonalDatabase: ChatRepository {
  package func chats(as owner: Owner) async throws -> [Chat] {
    try await read(as: owner) { connection, owner in
      try connection.rows(
        """
        SELECT avatar, name, image, messages.id, text, is_finished, at
        FROM chats JOIN messages
          ON messages.id = (SELECT max(id) FROM messages WHERE chat = chats.id)
        WHERE chats.owner = ? AND deleted_at IS NULL
        ORDER BY messages.id DESC
        """, owner
      ) { row in
        Chat(
          id: try row[0], name: try row[1], image: try row[2],
          lastMessage: try connection.text(row[4], ofMessage: row[3], isFinished: row[5]),
          at: try row[6])
      }
    }
  }

  package func newestMessages(
    of chat: String, limit: Int, as owner: Owner
  ) async throws -> ChatHistory? {
    try await read(as: owner) { connection, owner in
      guard let chat = try connection.chat(with: chat, owner) else { return nil }
      let messages = try connection.messages(of: chat, before: .max, skipping: 0, limit: limit)
      let count: Int = try connection.value("SELECT count(*) FROM messages WHERE chat = ?", chat)
      return ChatHistory(messages, earlier: count - messages.count)
    }
  }

  package func messages(
    of chat: String, before message: Int, skipping skipped: Int, limit: Int, as owner: Owner
  ) async throws -> [ChatMessage] {
    try await read(as: owner) { connection, owner in
      guard let chat = try connection.chat(with: chat, owner) else { return [] }
      return try connection.messages(of: chat, before: message, skipping: skipped, limit: limit)
    }
  }

  package func say(
    _ text: String, to avatar: Avatar, at: Int, as owner: Owner
  ) async throws -> ChatMessage {
    try await write(as: owner) { connection, owner in
      // A message after a deletion starts a new chat.
      try connection.execute(
        "DELETE FROM chats WHERE owner = ? AND avatar = ? AND deleted_at IS NOT NULL", owner,
        avatar.id)
      try connection.execute(
        """
        INSERT INTO chats (owner, avatar, name, image, category, description)
        VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (owner, avatar) DO UPDATE SET name = excluded.name, image = excluded.image,
          category = excluded.category, description = excluded.description
        """, owner, avatar.id, avatar.name, avatar.image, avatar.category.rawValue,
        avatar.description)
      return try connection.insert(
        text, by: .me, in: avatar.id, owner, at: at, isFinished: true)
    }
  }

  package func reserveReply(in chat: String) async throws -> Bool {
    do { return try database.locks.acquire(lock(chat)) } catch {
      throw LoadFailure.map(error)
    }
  }

  package func releaseReply(in chat: String) { database.locks.release(lock(chat)) }

  package func isReplyReserved(in chat: String) -> Bool {
    database.locks.isHeldElsewhere(lock(chat))
  }

  private func lock(_ chat: String) -> String {
    // Use a hash, because others have chosen the names.
    String("reply in \(chat) to \(visitor)".utf8.fnv1a, radix: 16)
  }

  package func beginReply(
    _ piece: String, in chat: String, at: Int, as owner: Owner
  ) async throws -> ChatMessage {
    try await write(as: owner) { connection, owner in
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
    try await write(as: owner) { connection, owner in
      _ = try connection.chat(ofReply: reply, owner)
      try connection.execute(
        "INSERT INTO reply_pieces (owner, message, text) VALUES (?, ?, ?)", owner, reply, piece)
    }
  }

  package func endReply(_ reply: Int, _ end: ReplyEnd, as owner: Owner) async throws -> [Int] {
    try await write(as: owner) { connection, owner in
      let chat = try connection.chat(ofReply: reply, owner)
      var reason: String?
      if case .cut(let cut) = end { reason = cut?.rawValue }
      try connection.execute(
        "UPDATE messages SET text = text || ?, is_finished = ?, cut_reason = ? WHERE id = ?",
        try connection.pieces(ofMessage: reply), end == .complete, reason, reply)
      try connection.execute("DELETE FROM reply_pieces WHERE message = ?", reply)
      return try connection.deleteSuperseded(in: chat)
    }
  }

  package func clearChat(_ chat: String, as owner: Owner) async throws {
    try await write(as: owner) { connection, owner in
      guard let chat = try connection.chat(with: chat, owner) else { return }
      try connection.execute("DELETE FROM messages WHERE chat = ?", chat)
    }
  }

  package func deleteChat(_ chat: String, at: Duration, as owner: Owner) async throws {
    try await write(as: owner) { connection, owner in
      guard let chat = try connection.chat(with: chat, owner) else { return }
      try connection.execute(
        "UPDATE chats SET deleted_at = ? WHERE id = ?", at / .seconds(1), chat)
    }
  }

  package func restoreChat(_ chat: String, as owner: Owner) async throws {
    let restored = try await write(as: owner) { connection, owner in
      try connection.execute(
        """
        UPDATE chats SET deleted_at = NULL
        WHERE owner = ? AND avatar = ? AND deleted_at IS NOT NULL
        """, owner, chat)
    }
    // A new chat has replaced it, or it has been purged.
    if restored == 0 {
      throw LoadFailure(.notFound, "The chat \(chat) is deleted for good.", retryable: false)
    }
  }

  package func purgeDeletedChats(before time: Duration) async throws {
    try await write(as: .device) { [self] connection, _ in
      try connection.execute(
        """
        DELETE FROM chats WHERE deleted_at <= ?
          AND owner IN (SELECT owner FROM owners WHERE visitor = ?)
        """, time / .seconds(1), visitor)
    }
  }
}

extension Connection {
  /// Returns messages of a chat that are older than another one, oldest first.
  fileprivate func messages(
    of chat: Int, before message: Int, skipping skipped: Int, limit: Int
  ) throws -> [ChatMessage] {
    let newestFirst = try rows(
      """
      SELECT id, author, text, is_finished, cut_reason FROM messages
      WHERE chat = ? AND id < ? ORDER BY id DESC LIMIT ? OFFSET ?
      """, chat, message, limit, skipped
    ) { row in
      let author: String = try row[1]
      let isFinished: Bool = try row[3]
      return ChatMessage(
        id: try row[0], author: ChatMessage.Author(rawValue: author) ?? .avatar,
        text: try text(row[2], ofMessage: row[0], isFinished: isFinished),
        isCut: !isFinished,
        cutReason: (try row[4] as String?).flatMap(TruncatedReplyReason.init(rawValue:)))
    }
    return newestFirst.reversed()
  }

  /// Returns the text of a message with the pieces that have been added to it.
  fileprivate func text(_ start: String, ofMessage id: Int, isFinished: Bool) throws -> String {
    isFinished ? start : start + (try pieces(ofMessage: id))
  }

  /// Returns the pieces of a message after the first as one text; an empty one for a finished message.
  fileprivate func pieces(ofMessage id: Int) throws -> String {
    try rows("SELECT text FROM reply_pieces WHERE message = ? ORDER BY id", id) {
      try $0[0] as String
    }.joined()
  }

  /// Returns the row id of the chat with an avatar.
  fileprivate func chat(with avatar: String, _ owner: Int) throws -> Int? {
    try first(
      "SELECT id FROM chats WHERE owner = ? AND avatar = ? AND deleted_at IS NULL", owner, avatar)
  }

  /// Returns the row id of the chat of a running reply, unless another process has deleted the reply or
  /// moved the chat to another owner.
  fileprivate func chat(ofReply reply: Int, _ owner: Int) throws -> Int {
    let chat: Int? = try first(
      "SELECT chat FROM messages WHERE id = ? AND owner = ?", reply, owner)
    guard let chat else {
      throw LoadFailure(
        .changedElsewhere, "Another process deleted message \(reply) during the reply.",
        retryable: true)
    }
    return chat
  }

  /// Returns true for a chat that does not exist, too.
  fileprivate func hasMessageToAnswer(in avatar: String, _ owner: Int) throws -> Bool {
    guard let chat = try chat(with: avatar, owner) else { return true }
    return try row(
      "SELECT author, is_finished FROM messages WHERE chat = ? ORDER BY id DESC LIMIT 1", chat
    ) { row in
      try row[0] == ChatMessage.Author.me.rawValue || !row[1]
    } ?? false
  }

  /// Deletes each reply to the last message that was cut off and is no longer than another one.
  /// - Returns: The ids of the deleted replies.
  fileprivate func deleteSuperseded(in chat: Int) throws -> [Int] {
    // Of two of the same length, the newer one stays.
    let replies = try rows(
      """
      SELECT id, is_finished, text FROM messages
      WHERE chat = ?1 AND id > (SELECT max(id) FROM messages WHERE chat = ?1 AND author = 'me')
      ORDER BY id
      """, chat
    ) { row in
      let (id, isFinished): (Int, Bool) = (try row[0], try row[1])
      let text = try text(row[2], ofMessage: id, isFinished: isFinished)
      return (id: id, isFinished: isFinished, length: text.unicodeScalars.count)
    }
    let superseded = replies.filter { reply in
      !reply.isFinished
        && replies.contains { ($0.length, $0.id) > (reply.length, reply.id) }
    }.map(\.id)
    for id in superseded { try execute("DELETE FROM messages WHERE id = ?", id) }
    return superseded
  }

  fileprivate func insert(
    _ text: String, by author: ChatMessage.Author, in avatar: String, _ owner: Int, at: Int,
    isFinished: Bool
  ) throws -> ChatMessage {
    guard let chat = try chat(with: avatar, owner) else {
      throw LoadFailure(.notFound, "There is no chat \(avatar).", retryable: false)
    }
    let id: Int = try value(
      """
      INSERT INTO messages (owner, chat, author, text, at, is_finished) VALUES (?, ?, ?, ?, ?, ?)
      RETURNING id
      """, owner, chat, author.rawValue, text, at, isFinished)
    return ChatMessage(id: id, author: author, text: text, isCut: !isFinished)
  }
}
