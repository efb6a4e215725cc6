internal import Offstage

/// What a chat needs to know of the world.
@CoreActor
protocol ChatInteractor {
  func avatar(id: String) async throws -> Avatar
  /// What was said so far; nothing where the chat has not begun.
  /// - Throws: also `LoadFailure` (`notFound`) for a chat that must be there and is not.
  func messages(of delegate: ChatDelegate) async throws -> [ChatMessage]
  func say(_ text: String, to avatar: Avatar) async throws -> ChatMessage
  /// How long to wait before each piece of a reply; nil where the pieces take their own time.
  var replyPace: Duration? { get }
  func reply(
    to conversation: [ChatMessage], as avatar: Avatar
  ) -> AsyncThrowingStream<String, any Error>
  func beginReply(_ piece: String, of avatar: Avatar) async throws -> ChatMessage
  func append(_ piece: String, to reply: Int) async throws
  func finishReply(_ reply: Int) async throws
  func removeMessage(_ id: Int) async throws
  func trackEvent(_ event: TrackedEvent)
}

extension CoreInteractor: ChatInteractor {}
