package import Showcase

/// Canned replies that need no network: few, and the same each time.
package struct BuiltInReplySource: ReplySource {
  /// About the speed of reading.
  package var pace: Duration? { .milliseconds(50) }

  package init() {}

  package func reply(
    to conversation: [ChatMessage], as avatar: Avatar
  ) -> AsyncThrowingStream<String, any Error> {
    let text = Self.text(
      conversation.last?.text ?? "", count: conversation.count { $0.author == .me }, avatar)
    return AsyncThrowingStream { continuation in
      for piece in Self.pieces(of: text) { continuation.yield(piece) }
      continuation.finish()
    }
  }

  /// - Parameter count: the number of the person's messages, this one included.
  static func text(_ message: String, count: Int, _ avatar: Avatar) -> String {
    let words = Set(message.lowercased().split { !$0.isLetter }.map(String.init))
    if count == 1 {
      return "Hello! I am \(avatar.name). \(avatar.description) What shall we talk about?"
    }
    if !words.isDisjoint(with: ["thanks", "thank"]) {
      return "You are welcome. Is there anything else?"
    }
    if !words.isDisjoint(with: ["bye", "goodbye"]) {
      return "Goodbye! I will be here when you come back."
    }
    if message.contains("?") { return "\(opening(avatar.category)) What do you think yourself?" }
    return "I see. Tell me more, and I will tell you what I make of it."
  }

  private static func opening(_ category: AvatarCategory) -> String {
    switch category {
    case .cooks: "Let it simmer first: good questions need low heat."
    case .travellers: "There are two ways to get there, and I would take the longer one."
    case .scientists: "One could try and see, and change one thing at a time."
    case .artists: "I would leave something out, and look again."
    case .animals: "I would sniff at it from all sides."
    case .machines: "I have considered this for a while, and it depends."
    }
  }

  /// Word by word, each with the space before it.
  static func pieces(of text: String) -> [String] {
    text.split(separator: " ").enumerated().map { $0 == 0 ? String($1) : " \($1)" }
  }
}
