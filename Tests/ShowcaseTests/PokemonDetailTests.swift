import Offstage
import OffstageTesting
import Testing

@testable import Showcase

/// The Pokémon screen.
@Suite @CoreActor struct PokemonDetailTests {
  private let core = TestCore()
  private let repository = MockPokemon()
  private let images = MockImages()

  @Test func loadsWithoutAnInput() async {
    let detail = show()
    #expect(detail.output.isLoading.value)
    #expect(detail.output.detail.value == nil)
    let call = await repository.details.next()
    #expect(call.question == 25)
    call.reply(.pikachu)
    await turns()
    #expect(!detail.output.isLoading.value)
    #expect(detail.output.detail.value?.name == "Pikachu")
    #expect(detail.output.detail.value?.types == ["electric"])
    #expect(detail.output.detail.value?.height == 4)
    #expect(detail.output.detail.value?.weight == 60)
  }

  @Test func cachedDetailIsShownWhileItLoads() async {
    let repository = MockPokemon(cached: 25...25)
    let detail = core.show {
      PokemonDetail(
        dependency: .init(id: 25, repository: repository, images: images, tracker: MockTracker()))
    }
    await turns()
    #expect(detail.output.detail.value?.name == "Pikachu")
    #expect(detail.output.isLoading.value)
    var renamed = Pokemon.pikachu
    renamed.entry.name = "raichu"
    await repository.details.next().reply(renamed)
    await turns()
    #expect(detail.output.detail.value?.name == "Raichu")
    #expect(!detail.output.isLoading.value)
  }

  @Test func appearingAgainLoadsNothing() async {
    let detail = show()
    detail.input.didAppear.send()
    let call = await repository.details.next()
    detail.input.didAppear.send()
    call.reply(.pikachu)
    await turns()
    detail.input.didAppear.send()
    detail.input.retry.send()
    await turns()
    #expect(repository.details.questions == [25])
    #expect(!detail.output.isLoading.value)
  }

  @Test func failureIsEmittedAndCanBeRetried() async {
    let detail = show()
    let failures = Events(of: detail.output.failed)
    await repository.details.next().fail(LoadFailure.offline)
    await turns()
    #expect(failures.values.map(\.reason) == [.offline])
    #expect(!detail.output.isLoading.value)

    detail.input.retry.send()
    #expect(detail.output.isLoading.value)
    await repository.details.next().reply(.pikachu)
    await turns()
    #expect(detail.output.detail.value?.id == 25)
    #expect(failures.values.count == 1)
    #expect(core.faults.isEmpty)
  }

  @Test func leavingCancelsTheLoad() async {
    let detail = Weak(show())
    let call = await repository.details.next()
    core.closeAll()
    #expect(call.isCancelled)
    #expect(core.liveCounts == (0, 0, 0))
    await turns()
    await turns()
    #expect(detail.object == nil)
    #expect(core.faults.isEmpty)
  }

  @Test func imageArrivesLater() async {
    let detail = show()
    var pikachu = Pokemon.pikachu
    pikachu.entry.imageURL = "https://example.com/25.png"
    await repository.details.next().reply(pikachu)
    let call = await images.urls.next()
    #expect(detail.output.detail.value?.image == nil)
    #expect(!detail.output.isLoading.value)
    call.reply("file:///25.png")
    await turns()
    #expect(detail.output.detail.value?.image == "file:///25.png")
  }

  @Test func failedImageShowsPlaceholder() async {
    let detail = show()
    let failures = Events(of: detail.output.failed)
    var pikachu = Pokemon.pikachu
    pikachu.entry.imageURL = "https://example.com/25.png"
    await repository.details.next().reply(pikachu)
    await images.urls.next().fail(LoadFailure.offline)
    await turns()
    #expect(detail.output.detail.value?.image == FallbackImage.url)
    #expect(failures.values.isEmpty)
  }

  private func show() -> PokemonDetail {
    core.show {
      PokemonDetail(
        dependency: .init(id: 25, repository: repository, images: images, tracker: MockTracker()))
    }
  }
}

extension Pokemon {
  static let pikachu = Pokemon(
    PokemonEntry(id: 25, name: "pikachu", imageURL: "data:,25"), types: ["electric"], height: 4,
    weight: 60)
}
