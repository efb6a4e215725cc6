import Offstage
import Testing

@testable import Showcase
@testable import ShowcaseLive

/// The built-in data has a Korean name for everything that a person sees.
@Suite struct KoreanNamesTests {
  @Test func everyAvatarHasAKoreanName() {
    #expect(Set(KoreanNames.avatars.keys) == Set(Avatar.builtIn.map(\.id)))
  }

  @Test func everyTitleHasAKoreanName() {
    #expect(Set(KoreanNames.titles.keys) == Set(BuiltInTitles.all.map(\.key)))
  }

  @Test func everyShelfHasAKoreanName() {
    #expect(Set(KoreanNames.shelves.keys) == Set(BuiltInTitles.plans.map(\.id)))
  }

  @Test func everyPokemonHasAKoreanName() {
    #expect(Set(KoreanNames.pokemon.keys) == Set(BuiltInPokemonRepository.all.map(\.id)))
    #expect(Set(KoreanNames.pokemon.values).count == KoreanNames.pokemon.count)
    #expect([1, 25, 133, 151].map { KoreanNames.pokemon[$0] } == ["이상해씨", "피카츄", "이브이", "뮤"])
  }

  @Test func everyPlaceHasAKoreanNameAndCategory() {
    for place in BuiltInPlaces.all {
      #expect(Korean().placeName(place).isHangul, "\(place.name)")
      #expect(Korean().placeCategory(place.category).isHangul, "\(place.category)")
    }
  }

  @Test(arguments: [
    (["안녕"], "안녕하세요!"), (["안녕", "음"], "그렇군요."), (["안녕", "왜요?"], "우선 뭉근하게"),
    (["안녕", "고마워요"], "천만에요."), (["안녕", "다음에 봐요"], "안녕히 가세요!"),
  ])
  func repliesAreKorean(messages: [String], beginning: String) async throws {
    let conversation = messages.enumerated().map {
      ChatMessage(id: $0 + 1, author: .me, text: $1)
    }
    var text = ""
    let source = BuiltInReplySource()
    for try await piece in source.reply(
      to: conversation, as: Avatar.builtIn(id: "mina")!, in: "ko-KR")
    {
      text += piece
    }
    #expect(text.hasPrefix(beginning))
  }
}
