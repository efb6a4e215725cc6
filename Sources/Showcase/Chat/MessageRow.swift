/// A message as the chat shows it.
struct MessageRow: Identifiable, Codable, Hashable, Sendable {
  let id: Int
  let author: ChatMessage.Author
  /// The text in the pieces that it came in: a further piece is added, and what is there already is
  /// not sent again.
  var pieces: [String]
  var isStreaming: Bool
  /// Whether it was stopped, or broke off, before its end.
  var isCut: Bool

  init(_ message: ChatMessage, isStreaming: Bool = false) {
    id = message.id
    author = message.author
    pieces = [message.text]
    self.isStreaming = isStreaming
    isCut = message.isCut && !isStreaming
  }

  var message: ChatMessage {
    ChatMessage(id: id, author: author, text: pieces.joined(), isCut: isCut)
  }
}
