package import Offstage
package import Showcase

/// A few canned replies that need no network and are the same each time.
package struct BuiltInReplySource: ReplySource {
  /// Roughly reading speed.
  package var pace: Duration? { .milliseconds(50) }

  package init() {}

  package func reply(
    to conversation: [ChatMessage], as avatar: Avatar, in language: LanguageTag
  ) -> AsyncThrowingStream<String, any Error> {
    let message = conversation.last?.text ?? ""
    let count = conversation.count { $0.author == .me }
    let text =
      language.language == "ko"
      ? KoreanReplies.text(message, count: count, avatar)
      : Self.text(message, count: count, avatar)
    return AsyncThrowingStream { continuation in
      for piece in Self.pieces(of: text) { continuation.yield(piece) }
      continuation.finish()
    }
  }

  /// - Parameter count: The number of the user's messages, including this one.
  static func text(_ message: String, count: Int, _ avatar: Avatar) -> String {
    let words = Set(message.lowercased().split { !$0.isLetter }.map(String.init))
    if count == 1 {
      return "Hi, I'm \(avatar.name). \(avatar.description) What should we talk about?"
    }
    if !words.isDisjoint(with: ["thanks", "thank"]) {
      return "You're welcome! Is there anything else?"
    }
    if !words.isDisjoint(with: ["bye", "goodbye"]) {
      return "Goodbye! I'll be here when you come back."
    }
    if message.contains("?") { return "\(opening(avatar.category)) What do you think?" }
    return "I see. Tell me more, and I'll tell you what I think."
  }

  private static func opening(_ category: AvatarCategory) -> String {
    switch category {
    case .cooks: "Let it simmer first: good questions need low heat."
    case .travelers: "There are two ways to get there, and I'd take the longer one."
    case .scientists: "Try it and see, changing one thing at a time."
    case .artists: "I'd leave something out and look again."
    case .animals: "I'd sniff it from every side."
    case .machines: "I have considered this for a while, and it depends."
    }
  }

  /// Splits a text into words, each with the space before it.
  static func pieces(of text: String) -> [String] {
    text.split(separator: " ").enumerated().map { $0 == 0 ? String($1) : " \($1)" }
  }
}

/// The replies in Korean.
private enum KoreanReplies {
  static func text(_ message: String, count: Int, _ avatar: Avatar) -> String {
    if count == 1 {
      let name = avatar.name.withCopula
      let description =
        avatar.description.hasSuffix(".")
        ? String(avatar.description.dropLast()) : avatar.description
      let introduction = description.isEmpty ? name : "\(description), \(name)"
      return "안녕하세요! \(introduction). 무슨 이야기를 해 볼까요?"
    }
    if ["고마", "고맙", "감사"].contains(where: { message.contains($0) }) {
      return "천만에요. 더 궁금한 것이 있나요?"
    }
    if ["안녕히", "잘 가", "잘 있어", "다음에 봐"].contains(where: { message.contains($0) }) {
      return "안녕히 가세요! 다시 오실 때까지 여기 있을게요."
    }
    if message.contains("?") { return "\(opening(avatar.category)) 어떻게 생각하세요?" }
    return "그렇군요. 더 이야기해 주시면 제 생각도 말씀드릴게요."
  }

  private static func opening(_ category: AvatarCategory) -> String {
    switch category {
    case .cooks: "우선 뭉근하게 끓여 보세요. 좋은 질문에는 약한 불이 필요해요."
    case .travelers: "가는 길은 두 가지인데, 저라면 더 먼 길로 갈래요."
    case .scientists: "직접 해 보면 알 수 있어요. 한 번에 하나씩만 바꿔 보세요."
    case .artists: "저라면 무언가를 덜어 내고 다시 볼 거예요."
    case .animals: "저라면 사방에서 킁킁 냄새를 맡아 볼 거예요."
    case .machines: "한동안 생각해 봤는데, 상황에 따라 달라요."
    }
  }
}
