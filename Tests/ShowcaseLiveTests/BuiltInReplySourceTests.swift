import Offstage
import Testing

@testable import Showcase
@testable import ShowcaseLive

@Suite struct BuiltInReplySourceTests {
  @Test(
    arguments: [
      (["Hi"], "Hi, I'm Mina."), (["Hi", "Well"], "I see."),
      (["Hi", "Why?"], "Let it simmer first"), (["Hi", "Thanks a lot"], "You're welcome!"),
      (["Hi", "Goodbye!"], "Goodbye!"),
    ])
  func replyAnswersTheLastMessage(messages: [String], beginning: String) async throws {
    let conversation = messages.enumerated().map {
      ChatMessage(id: $0 + 1, author: .me, text: $1)
    }
    let pieces = try await pieces(conversation)
    #expect(pieces.joined().hasPrefix(beginning))
    #expect(pieces.count > 3)
    #expect(pieces.allSatisfy { !$0.isEmpty })
    #expect(try await self.pieces(conversation) == pieces)
  }

  private func pieces(_ conversation: [ChatMessage]) async throws -> [String] {
    var pieces: [String] = []
    let source = BuiltInReplySource()
    for try await piece in source.reply(
      to: conversation, as: BuiltInAvatars.mina, in: "en")
    {
      pieces.append(piece)
    }
    return pieces
  }
}
