import Offstage
import OffstageTesting
import Testing

@testable import Showcase

/// Images arrive after their rows, or the placeholder does.
@Suite @CoreActor struct PokedexImageTests {
  private let core = TestCore()
  private let repository = MockPokemon()
  private let images = MockImages()

  @Test func imageArrivesAfterItsRow() async {
    let list = show()
    await load(list, "https://example.com/1.png")
    #expect(image(list) == nil)
    #expect(!list.output.isLoading.value)
    let call = await images.urls.next()
    #expect(call.question == "https://example.com/1.png")
    call.reply("file:///1.png")
    await turns()
    #expect(image(list) == "file:///1.png")
  }

  @Test func failedImageFallsBackToPlaceholder() async {
    let list = show()
    let failures = Events(of: list.output.failed)
    await load(list, "https://example.com/1.png")
    await images.urls.next().fail(LoadFailure.offline)
    await turns()
    #expect(image(list) == FallbackImage.url)
    #expect(failures.values.isEmpty)
    #expect(core.faults.isEmpty)
  }

  @Test(arguments: ["refresh", "reappear"]) func missingImageIsRequestedAgain(input: String) async {
    let list = show()
    let failures = Events(of: list.output.failed)
    await load(list, "https://example.com/1.png")
    await images.urls.next().fail(
      LoadFailure(.rateLimited, "Too many requests.", retryable: true))
    await turns()
    #expect(image(list) == FallbackImage.url)
    #expect(failures.values.map(\.message).first?.hasPrefix("Couldn't load some pictures.") == true)
    if input == "refresh" {
      list.input.refresh.send()
      await reply("https://example.com/1.png")
    } else {
      list.input.didAppear.send()
    }
    await images.urls.next().reply("file:///1.png")
    await turns()
    #expect(image(list) == "file:///1.png")
    #expect(failures.values.count == 1)
  }

  @Test func refreshKeepsTheImage() async {
    let list = show()
    await load(list, "https://example.com/1.png")
    await images.urls.next().reply("file:///1.png")
    await turns()
    list.input.refresh.send()
    await reply("https://example.com/1.png")
    #expect(image(list) == "file:///1.png")
    #expect(images.urls.questions.count == 1)
  }

  @Test func loadingImageIsNotFetchedTwice() async {
    let list = show()
    await load(list, "https://example.com/1.png")
    let call = await images.urls.next()
    list.input.refresh.send()
    await reply("https://example.com/1.png")
    call.reply("file:///1.png")
    await turns()
    #expect(image(list) == "file:///1.png")
    #expect(images.urls.questions.count == 1)
  }

  @Test(arguments: ["data:image/png;base64,AA==", "data:image/svg+xml,x"])
  func whatOpensByItselfIsTaken(_ url: String) async {
    let list = show()
    await load(list, url)
    await turns()
    #expect(image(list) == url)
    #expect(images.urls.questions.isEmpty)
  }

  @Test func missingImageShowsPlaceholder() async {
    let list = show()
    await load(list, nil)
    await turns()
    #expect(image(list) == FallbackImage.url)
    #expect(images.urls.questions.isEmpty)
  }

  @Test func closingCancelsTheSearch() async {
    let list = Weak(show())
    await load(list.object, "https://example.com/1.png")
    let call = await images.urls.next()
    core.closeAll()
    #expect(call.isCancelled)
    await turns()
    #expect(core.liveCounts == (0, 0, 0))
    await turns()
    #expect(list.object == nil)
  }

  // MARK: Helpers

  private func show() -> Pokedex {
    core.show {
      Pokedex(
        dependency: .init(
          repository: repository, images: images, coordinator: MockPokedexCoordinator(),
          accountSwitches: Relay<Trigger>().signal, tracker: MockTracker()))
    }
  }

  /// Returns a list with one row whose image is at `url`.
  private func load(_ list: Pokedex?, _ url: String?) async {
    list?.input.didAppear.send()
    await reply(url)
  }

  private func reply(_ url: String?) async {
    let entry = PokemonEntry(id: 1, name: "bulbasaur", imageURL: url)
    await repository.pages.next().reply(Page([entry], hasMore: false))
    await turns()
  }

  private func image(_ list: Pokedex) -> String? { list.output.pokemon[1]?.image }
}
