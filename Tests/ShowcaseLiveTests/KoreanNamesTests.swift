import Offstage
import Testing

@testable import Showcase
@testable import ShowcaseLive

/// The built-in data has a Korean name for everything that a user sees.
@Suite struct KoreanNamesTests {
  @Test func everyAvatarHasAKoreanName() {
    #expect(Set(Avatar.korean.keys) == Set(Avatar.builtIn.map(\.id)))
  }

  @Test func everyTitleHasAKoreanName() {
    #expect(Set(BuiltInTitles.korean.keys) == Set(BuiltInTitles.all.map(\.key)))
  }

  @Test func everyShelfHasAKoreanName() {
    for plan in BuiltInTitles.plans {
      #expect(Words.korean.label("shelf.\(plan.id)")?.title.isHangul == true, "\(plan.id)")
    }
  }

  @Test func everyFactHasAKoreanLabel() {
    for model in BuiltInTitles.all {
      let personal = model.personal(PersonalRecord(isBookmarked: true, progress: 0.5))
      for fact in personal.facts(Words.korean) { #expect(fact.label.isHangul, "\(fact.id)") }
    }
  }

  @Test func everyPokemonHasAKoreanName() {
    let names = BuiltInPokemonRepository.all.map(\.entry).map {
      Words.korean.pokemon($0.name, $0.names)
    }
    #expect(names.allSatisfy { $0.isHangul })
    #expect(Set(names).count == 151)
    let some = [1, 25, 133, 151].map { names[$0 - 1] }
    #expect(some == ["이상해씨", "피카츄", "이브이", "뮤"])
  }

  @Test func irregularNamesAreOfficial() {
    let names = BuiltInPokemonRepository.all.map(\.entry).map {
      Words.english.pokemon($0.name, $0.names)
    }
    let irregular = [29, 32, 83, 122].map { names[$0 - 1] }
    #expect(irregular == ["Nidoran♀", "Nidoran♂", "Farfetch'd", "Mr. Mime"])
  }

  @Test func everyPlaceHasAKoreanNameAndCategory() {
    for place in BuiltInPlaces.all {
      #expect(Words.korean.placeName(place).isHangul, "\(place.name)")
      #expect(Words.korean.placeCategory(place.category).isHangul, "\(place.category)")
    }
  }

  @Test(arguments: [
    (["안녕"], "안녕하세요!"), (["안녕", "음"], "한 번 더"), (["안녕", "왜요?"], "같이 생각해"),
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
