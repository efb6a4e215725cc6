import Offstage
import Testing

@testable import Showcase
@testable import ShowcaseLive

@Suite struct BuiltInReplySourceTests {
  @Test(
    arguments: [
      (["Hi"], "Hi, I'm Mina."), (["How do I make soup?"], "Start with cold water"),
      (["Hi", "Well"], "That's worth a second look."),
      (["Hi", "Is it late?"], "Is it late? Good question."),
      (["Hi", "Can you help me?"], "Can I help you? Good question."),
      (["Hi", "I feel tired of my job."], "Feeling tired of your job tells you something."),
      (["Hi", "I'm sure you're right"], "So you're sure I'm right."),
      (["Hi", "What's your name?"], "I'm Mina."), (["Hi", "Thanks a lot"], "You're welcome!"),
      (["Hi", "Goodbye!"], "Goodbye!"),
    ])
  func replyAnswersTheLastMessage(messages: [String], beginning: String) async throws {
    try await check(messages, beginning, in: "en")
  }

  @Test(
    arguments: [
      (["안녕하세요"], "안녕하세요! "), (["국은 어떻게 끓여요?"], "찬물에 멸치와"),
      (["안녕", "제 고양이가 보고 싶어요"], "이루어지면 무엇이 달라질까요?"),
      (["안녕", "그럴까요"], "한 번 더 생각해 볼 만하네요."), (["안녕", "왜요?"], "같이 생각해 봐요."),
      (["안녕", "요즘 날씨가 이상하지요?"], "날씨는 저도 자주 생각해요."), (["안녕", "고마워요"], "천만에요."),
      (["안녕", "이름이 뭐예요?"], "모든 국을 육수부터"), (["안녕", "오늘 너무 힘들었어"], "언제부터 그러셨어요?"),
    ])
  func replyAnswersInKorean(messages: [String], beginning: String) async throws {
    try await check(messages, beginning, in: "ko")
  }

  /// The words of a message are those of a topic only if they are about it.
  @Test func topicIsAWord() {
    #expect(KoreanScript.has("달", in: "달이 밝네요"))
    #expect(!KoreanScript.has("달", in: "저는 달라요"))
    #expect(KoreanScript.noun(in: "저는 바다를 봤어요") == "바다")
    #expect(KoreanScript.noun(in: "안녕") == nil)
    #expect(EnglishScript.rest(of: "Amy said that I'm late, sorry", after: "i'm") == "late")
    #expect(EnglishScript.rest(of: "Amy", after: "my") == nil)
  }

  @Test func everyCharacterSpeaksBothLanguages() {
    for personas in [EnglishScript.personas, KoreanScript.personas] {
      for id in Avatar.builtIn.map(\.id) + AvatarCategory.allCases.map(\.rawValue) {
        #expect((personas[id]?.sayings.count ?? 0) >= 3, "\(id)")
        #expect(personas[id]?.topics.isEmpty == false, "\(id)")
      }
    }
  }

  /// Saying the same thing again gets another answer.
  @Test func nextReplyDiffers() async throws {
    let first = try await pieces(["Hi", "It rained."], "en")
    #expect(try await pieces(["Hi", "It rained.", "It rained."], "en") != first)
  }

  private func check(
    _ messages: [String], _ beginning: String, in language: LanguageTag
  ) async throws {
    let pieces = try await pieces(messages, language)
    #expect(pieces.joined().hasPrefix(beginning), "\(pieces.joined())")
    #expect(pieces.count > 3)
    #expect(pieces.allSatisfy { !$0.isEmpty })
    #expect(try await self.pieces(messages, language) == pieces)
  }

  private func pieces(_ messages: [String], _ language: LanguageTag) async throws -> [String] {
    let conversation = messages.enumerated().map {
      ChatMessage(id: $0 + 1, author: .me, text: $1)
    }
    var mina = BuiltInAvatars.mina
    if language.language == "ko", let names = Avatar.korean["mina"] {
      mina = Avatar(
        id: "mina", name: names.name, category: .cooks, description: names.description)
    }
    var pieces: [String] = []
    let source = BuiltInReplySource()
    for try await piece in source.reply(to: conversation, as: mina, in: language) {
      pieces.append(piece)
    }
    return pieces
  }
}
