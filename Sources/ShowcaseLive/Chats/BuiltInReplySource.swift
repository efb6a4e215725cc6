package import Offstage
package import Showcase

/// Replies that need no network: each character answers in its own voice, as ELIZA did, from the words
/// of the message. The same conversation gets the same replies.
package struct BuiltInReplySource: ReplySource {
  /// Roughly reading speed.
  package var pace: Duration? { .milliseconds(50) }

  package init() {}

  package func reply(
    to context: ChatHistory, as avatar: Avatar, in language: LanguageTag
  ) -> AsyncThrowingStream<String, any Error> {
    let turn = Turn(
      message: context.messages.last?.text ?? "",
      // Of the earlier ones, every other is the user's.
      count: context.messages.count { $0.author == .me } + (context.earlier + 1) / 2,
      avatar: avatar)
    let text =
      language.language == "ko" ? KoreanScript.reply(to: turn) : EnglishScript.reply(to: turn)
    return AsyncThrowingStream { continuation in
      for piece in Self.pieces(of: text) { continuation.yield(piece) }
      continuation.finish()
    }
  }

  /// Splits a text into words, each with the space before it.
  static func pieces(of text: String) -> [String] {
    text.split(separator: " ").enumerated().map { $0 == 0 ? String($1) : " \($1)" }
  }
}

/// A message that a character answers.
struct Turn {
  let message: String
  /// The number of the user's messages, including this one.
  let count: Int
  let avatar: Avatar

  /// Chooses among texts, so that the same one does not come twice in a row.
  func pick(_ texts: [String]) -> String {
    texts[(count + Int(avatar.id.utf8.fnv1a % 97)) % texts.count]
  }
}

/// What a character, or a category of characters, knows and says.
struct Persona {
  /// What it answers to messages with one of the words.
  let topics: [(words: [String], answer: String)]
  /// What it adds to everything else.
  let sayings: [String]

  /// Reads a table with one character per line: id, topics such as `soup, broth = Start cold.`, and
  /// sayings. A malformed row traps in the first test that uses the table.
  static func table(_ text: String) -> [String: Persona] {
    let rows = text.split(separator: "\n").map { line in
      let parts = line.split(separator: " | ").map(String.init)
      let topics = parts.dropFirst().compactMap { part -> (words: [String], answer: String)? in
        let sides = part.split(separator: " = ", maxSplits: 1)
        guard sides.count == 2 else { return nil }
        return (sides[0].split(separator: ", ").map(String.init), String(sides[1]))
      }
      let sayings = Array(parts.dropFirst(1 + topics.count))
      return (parts[0], Persona(topics: topics, sayings: sayings))
    }
    return Dictionary(uniqueKeysWithValues: rows)
  }

  /// Returns the answer to the first topic with a word that the message has.
  func answer(where hasWord: (String) -> Bool) -> String? {
    topics.first { $0.words.contains(where: hasWord) }?.answer
  }
}

extension [String: Persona] {
  /// Returns the persona of a built-in character, or that of the category.
  func persona(of avatar: Avatar) -> Persona {
    self[avatar.id] ?? self[avatar.category.rawValue]!
  }
}
