import Offstage
import OffstageTesting
import Showcase
import Testing

/// The list, with pages that come when the test says so.
@Suite @CoreActor struct PokedexTests {
  private let core = TestCore()
  private let repository = MockPokemon()
  private let coordinator = MockPokedexCoordinator()

  @Test func appearingLoadsTheFirstPageOnce() async {
    let list = show()
    #expect(!list.output.isLoading.value)
    list.input.didAppear.send()
    #expect(list.output.isLoading.value)
    await reply(1...20)
    check(list, shows: 1...20)
    list.input.didAppear.send()
    await turns()
    #expect(repository.pages.questions == [0])
  }

  @Test func aPageWhileOneRunsIsDropped() async {
    let list = await showFirstPage()
    for _ in 1...3 { list.input.reachedEnd.send() }
    let call = await repository.pages.next()
    list.input.reachedEnd.send()
    list.input.didAppear.send()
    #expect(repository.pages.questions == [0, 20])
    call.reply(PokemonPage(21...40))
    await turns()
    #expect(repository.pages.questions == [0, 20])
    check(list, shows: 1...40)
  }

  @Test func furtherPagesAreAppended() async {
    let list = await showFirstPage()
    for page in 1...3 {
      list.input.reachedEnd.send()
      #expect(list.output.isLoading.value)
      await reply(page * 20 + 1...page * 20 + 20)
    }
    #expect(repository.pages.questions == [0, 20, 40, 60])
    check(list, shows: 1...80)
  }

  @Test func afterTheEndNothingIsAsked() async {
    let list = await showFirstPage()
    list.input.reachedEnd.send()
    await reply(21...25, hasMore: false)
    check(list, shows: 1...25, hasMore: false)
    list.input.reachedEnd.send()
    await turns()
    #expect(repository.pages.questions == [0, 20])
    #expect(!list.output.isLoading.value)
  }

  @Test func afterAFailureTheGuardIsReleased() async {
    let list = await showFirstPage()
    let failures = Events(of: list.output.failed)
    list.input.reachedEnd.send()
    await fail()
    #expect(failures.values == [.offline])
    check(list, shows: 1...20)
    list.input.reachedEnd.send()
    await reply(21...40)
    check(list, shows: 1...40)
    #expect(core.faults.isEmpty)
  }

  @Test func retryRepeatsTheSamePage() async {
    let list = await showFirstPage()
    list.input.retry.send()
    list.input.reachedEnd.send()
    await fail()
    list.input.retry.send()
    #expect(list.output.isLoading.value)
    await fail()
    list.input.retry.send()
    await reply(21...40)
    #expect(repository.pages.questions == [0, 20, 20, 20])
    check(list, shows: 1...40)
    list.input.retry.send()
    await turns()
    #expect(repository.pages.questions.count == 4)
  }

  @Test func theFirstPageCanBeRetried() async {
    let list = show()
    list.input.didAppear.send()
    await fail()
    check(list, shows: [])
    list.input.retry.send()
    await reply(1...20)
    #expect(repository.pages.questions == [0, 0])
    check(list, shows: 1...20)
  }

  @Test func anyErrorIsTyped() async {
    struct Strange: Error, CustomStringConvertible { let description = "strange" }
    let list = show()
    let failures = Events(of: list.output.failed)
    list.input.didAppear.send()
    await repository.pages.next().fail(Strange())
    await turns()
    #expect(failures.values == [LoadFailure(.storage, "strange", retryable: true)])
  }

  @Test func tappingShowsThePokemon() {
    let list = show()
    list.input.pokemonTapped.send(25)
    #expect(coordinator.calls == ["showPokemon was called, with 25"])
  }

  // MARK: Helpers

  private func show() -> Pokedex {
    core.show {
      Pokedex(
        dependency: .init(
          repository: repository, images: MockImages(), coordinator: coordinator))
    }
  }

  private func showFirstPage() async -> Pokedex {
    let list = show()
    list.input.didAppear.send()
    await reply(1...20)
    return list
  }

  private func reply(_ ids: ClosedRange<Int>, hasMore: Bool = true) async {
    await repository.pages.next().reply(PokemonPage(ids, hasMore: hasMore))
    await turns()
  }

  private func fail() async {
    await repository.pages.next().fail(LoadFailure.offline)
    await turns()
  }

  private func check(
    _ list: Pokedex, shows ids: some Sequence<Int>, hasMore: Bool = true,
    at location: SourceLocation = #_sourceLocation
  ) {
    #expect(list.output.pokemon.values.map(\.id) == Array(ids), sourceLocation: location)
    #expect(list.output.hasMore.value == hasMore, sourceLocation: location)
    #expect(!list.output.isLoading.value, sourceLocation: location)
  }
}
