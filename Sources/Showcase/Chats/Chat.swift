package import Offstage

/// Stores chats, and replies piece by piece as they stream in.
package protocol ChatRepository: Sendable {
  /// Returns all chats, the one with the newest message first.
  /// - Throws: `LoadFailure`, or `CancellationError`. So do all methods below.
  func chats() async throws -> [Chat]

  /// Returns the messages of a chat, oldest first; nil if the chat does not exist.
  func messages(of chat: String) async throws -> [ChatMessage]?

  /// Saves a message of the user; the first one creates the chat.
  /// - Parameter at: Seconds since 1970.
  func say(_ text: String, to avatar: Avatar, at: Int) async throws -> ChatMessage

  /// Reserves the reply in a chat for this process, until it is released as often as it was reserved, or
  /// until the process ends.
  /// - Returns: False if another process is writing a reply there.
  func reserveReply(in chat: String) async throws -> Bool

  func releaseReply(in chat: String)

  /// True while another process is writing a reply in a chat.
  func isReplyReserved(in chat: String) -> Bool

  /// Saves the first piece of a reply. The reply counts as cut off until it is finished.
  /// - Parameter old: A message that the reply replaces, in the same transaction.
  /// - Throws: Also `LoadFailure` (`changedElsewhere`) if another process has deleted that message, or the
  ///   one that is to be answered.
  func beginReply(
    _ piece: String, in chat: String, at: Int, replacing old: Int?
  ) async throws -> ChatMessage

  /// Appends a piece to a reply, at a cost in proportion to the piece.
  /// - Throws: Also `LoadFailure` (`changedElsewhere`) if another process has deleted the message. So
  ///   does the method below.
  func append(_ piece: String, to reply: Int) async throws

  func finishReply(_ reply: Int) async throws

  /// Saves why the server ended a reply before the model was done.
  func cutReply(_ reply: Int, _ reason: TruncatedReply.Reason) async throws

  /// Deletes the messages of a chat. The chat stays, but is not listed until it has a message again.
  func clearChat(_ chat: String) async throws

  /// Deletes a chat, so that it can still be restored. An earlier deletion becomes final.
  func deleteChat(_ chat: String) async throws

  /// Restores the deleted chat.
  /// - Throws: `LoadFailure` (`notFound`) if the deletion is final.
  func restoreChat(_ chat: String) async throws

  /// Makes all deletions final, those of other accounts as well.
  func purgeDeletedChats() async throws
}

/// A conversation with one avatar.
package struct Chat: Hashable, Sendable {
  /// The id of the avatar: each avatar has one chat.
  package let id: String
  /// The avatar's name when the chat began.
  package let name: String
  /// The avatar's picture when the chat began.
  package let image: String
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

/// A message of a chat.
package struct ChatMessage: Hashable, Sendable {
  package enum Author: String, Codable, CaseIterable, Sendable {
    case me, avatar
  }

  /// Unique over all chats, increasing.
  package let id: Int
  package let author: Author
  package let text: String
  /// True if the reply was stopped or broke off.
  package let isCut: Bool
  /// nil if the reply is complete, was stopped, or lost its connection.
  package let cutReason: TruncatedReply.Reason?

  package init(
    id: Int, author: Author, text: String, isCut: Bool = false,
    cutReason: TruncatedReply.Reason? = nil
  ) {
    self.id = id
    self.author = author
    self.text = text
    self.isCut = isCut
    self.cutReason = cutReason
  }
}

/// The error of a reply that the server ended before the model was done.
package struct TruncatedReply: Error, Hashable, Sendable {
  /// OpenAI's names.
  package enum Reason: String, Codable, CaseIterable, Sendable {
    case length
    case contentFilter = "content_filter"
  }

  package let reason: Reason

  package init(_ reason: Reason) { self.reason = reason }

  package var failure: LoadFailure {
    let (cause, what): (LoadFailure.Reason, String) =
      switch reason {
      case .length: (.cutOff, "at the server's length limit")
      case .contentFilter: (.filtered, "by the server's content filter")
      }
    return LoadFailure(cause, "The reply was cut off \(what).", retryable: true)
  }
}

/// Generates the replies of avatars.
package protocol ReplySource: Sendable {
  /// The pause before each piece, for a source that has all pieces at once; nil for a source with a
  /// pace of its own.
  var pace: Duration? { get }

  /// Streams the avatar's next message. Canceling the iterating task cancels the request.
  /// - Parameters:
  ///   - conversation: All messages, oldest first; the last one is to be answered.
  ///   - language: The language of the reply.
  /// - Returns: A stream of nonempty pieces, which throws `LoadFailure` if the reply breaks off, and
  ///   `TruncatedReply` if the server ends it early.
  func reply(
    to conversation: [ChatMessage], as avatar: Avatar, in language: LanguageTag
  ) -> AsyncThrowingStream<String, any Error>
}
