/// Where the replies of avatars come from.
public protocol ReplySource: Sendable {
  /// How long to wait before each piece, for a source that has them all at once: a reply that is
  /// there in no time is hard to follow. Nil for a source that takes its own time.
  var pace: Duration? { get }

  /// What the avatar says next, piece by piece. Cancelling whoever iterates ends the request.
  /// - Parameter conversation: what was said so far, the oldest first; the last is to be answered.
  /// - Returns: pieces that are not empty; it ends with `LoadFailure` where the reply breaks off.
  func reply(
    to conversation: [ChatMessage], as avatar: Avatar
  ) -> AsyncThrowingStream<String, any Error>
}
