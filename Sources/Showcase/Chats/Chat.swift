package import Offstage

/// Stores chats, and replies piece by piece as they stream in.
package protocol ChatRepository: Sendable {
  /// Returns all chats, the one with the newest message first.
  func chats(as owner: Owner) async throws -> [Chat]

  /// Returns the newest messages of a chat, up to a limit; nil if the chat does not exist.
  func newestMessages(
    of chat: String, limit: Int, as owner: Owner
  ) async throws -> ChatHistory?

  /// Returns messages of a chat that are older than another one and those skipped, oldest first.
  func messages(
    of chat: String, before message: Int, skipping skipped: Int, limit: Int, as owner: Owner
  ) async throws -> [ChatMessage]

  /// Saves a message from the user, with its time in seconds since 1970. The first one creates the chat.
  func say(
    _ text: String, to avatar: Avatar, at: Int, as owner: Owner
  ) async throws -> ChatMessage

  /// Reserves the reply in a chat for this process, until every reservation is released or the
  /// process ends.
  /// - Returns: False if another process is writing a reply.
  func reserveReply(in chat: String) async throws -> Bool

  func releaseReply(in chat: String)

  /// Returns true while another process is writing a reply in a chat.
  func isReplyReserved(in chat: String) -> Bool

  /// Saves the first piece of a reply. The reply counts as cut off until it ends as complete.
  /// - Throws: Also `LoadFailure` (`changedElsewhere`) if another process has answered, or has
  ///   deleted the message to answer.
  func beginReply(
    _ piece: String, in chat: String, at: Int, as owner: Owner
  ) async throws -> ChatMessage

  /// Appends a piece to a reply, in time proportional to the length of the piece.
  /// - Throws: Also `LoadFailure` (`changedElsewhere`) if another process has deleted the message.
  ///   So does the method below.
  func append(_ piece: String, to reply: Int, as owner: Owner) async throws

  /// Ends a reply, and deletes each reply to the same message that was cut off and is no longer than
  /// another one.
  /// - Returns: The ids of the deleted replies, which may include this one.
  func endReply(_ reply: Int, _ end: ReplyEnd, as owner: Owner) async throws -> [Int]

  /// Deletes the messages of a chat. The chat stays, but is not listed while it has no messages.
  func clearChat(_ chat: String, as owner: Owner) async throws

  /// Deletes a chat, which can be restored until it is purged.
  func deleteChat(_ chat: String, at: Duration, as owner: Owner) async throws

  /// Restores a deleted chat.
  /// - Throws: `LoadFailure` (`notFound`) if the deletion is final.
  func restoreChat(_ chat: String, as owner: Owner) async throws

  /// Makes the deletions of all accounts up to a time final.
  func purgeDeletedChats(before time: Duration) async throws
}

package enum ReplyEnd: Hashable, Sendable {
  case complete
  /// The user stopped it, or it broke off.
  /// - Parameter reason: nil unless the server ended it early.
  case cut(TruncatedReplyReason?)
}

/// A conversation with one avatar.
package struct Chat: Hashable, Sendable {
  /// The id of the avatar: each avatar has one chat.
  package let id: String
  /// The avatar's name when the chat began.
  package internal(set) var name: String
  /// The avatar's picture when the chat began.
  package internal(set) var image: String
  package let lastMessage: String
  /// The time of the last message, in seconds since 1970.
  package let at: Int

  package init(id: String, name: String, image: String, lastMessage: String, at: Int) {
    self.id = id
    self.name = name
    self.image = image
    self.lastMessage = lastMessage
    self.at = at
  }
}

/// A message in a chat.
package struct ChatMessage: Hashable, Sendable {
  package enum Author: String, Codable, CaseIterable, Sendable {
    case me, avatar
  }

  /// Unique across all chats, and increasing.
  package let id: Int
  package let author: Author
  package let text: String
  /// True if the reply was stopped or broke off.
  package let isCut: Bool
  /// nil if the reply is complete, was stopped, or lost its connection.
  package let cutReason: TruncatedReplyReason?

  package init(
    id: Int, author: Author, text: String, isCut: Bool = false,
    cutReason: TruncatedReplyReason? = nil
  ) {
    self.id = id
    self.author = author
    self.text = text
    self.isCut = isCut
    self.cutReason = cutReason
  }
}

/// The newest messages of a chat.
package struct ChatHistory: Hashable, Sendable {
  /// Oldest first.
  package let messages: [ChatMessage]
  /// The number of messages before them.
  package let earlier: Int

  package init(_ messages: [ChatMessage], earlier: Int) {
    self.messages = messages
    self.earlier = earlier
  }

  /// The number of all messages.
  var count: Int { earlier + messages.count }
}

/// The error for a reply that the server ended early: the reason, under OpenAI's name.
package enum TruncatedReplyReason: String, Error, Codable, CaseIterable {
  case length
  case contentFilter = "content_filter"

  package var failure: LoadFailure {
    let (cause, what): (LoadFailure.Reason, String) =
      switch self {
      case .length: (.cutOff, "at the server's length limit")
      case .contentFilter: (.filtered, "by the server's content filter")
      }
    return LoadFailure(cause, "The reply was cut off \(what).", retryable: true)
  }
}

/// Generates the replies of avatars.
package protocol ReplySource: Sendable {
  /// The pause before each piece, for a source that has all pieces at once; nil for a source with
  /// its own pace.
  var pace: Duration? { get }

  /// Streams the avatar's answer to the last message in nonempty pieces. Canceling the iterating task cancels the
  /// request.
  /// - Throws: `LoadFailure` if the reply breaks off, and `TruncatedReplyReason` if the server ends it early.
  func reply(
    to context: ChatHistory, as avatar: Avatar, in language: LanguageTag
  ) -> AsyncThrowingStream<String, any Error>
}
