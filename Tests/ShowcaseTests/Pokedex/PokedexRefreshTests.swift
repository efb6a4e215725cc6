import Offstage
import OffstageTesting
import Showcase
import Testing

/// Refreshing starts paging over, and keeps the old rows until the new ones are there.
@Suite @CoreActor struct PokedexRefreshTests {
  private let core = TestCore()
  private let repository: MockPokemon
  private let list: Pokedex

  init() async {
    await self.init(MockPokemon())
  }

  private init(_ repository: MockPokemon) async {
    self.repository = repository
    list = core.show {
      Pokedex(
        dependency: .init(
          repository: repository, images: MockImages(), coordinator: MockPokedexCoordinator()))
    }
    list.input.didAppear.send()
    await repository.pages.next().reply(PokemonPage(1...20))
    await turns()
  }

  @Test func oldRowsStayUntilTheNewOnesAreThere() async {
    list.input.refresh.send()
    let call = await repository.pages.next()
    check(shows: 1...20, isLoading: true)
    call.reply(PokemonPage(101...103))
    await turns()
    check(shows: 101...103)
  }

  @Test func pagingStartsOver() async {
    list.input.reachedEnd.send()
    await repository.pages.next().reply(PokemonPage(21...25, hasMore: false))
    await turns()
    list.input.refresh.send()
    await repository.pages.next().reply(PokemonPage(1...20))
    await turns()
    check(shows: 1...20)
    list.input.reachedEnd.send()
    await repository.pages.next().reply(PokemonPage(21...40))
    await turns()
    #expect(repository.pages.questions == [0, 20, 0, 20])
    check(shows: 1...40)
  }

  @Test func aFailureKeepsTheOldRows() async {
    let failures = Events(of: list.output.failed)
    list.input.refresh.send()
    await repository.pages.next().fail(LoadFailure.offline)
    await turns()
    check(shows: 1...20)
    #expect(failures.values == [.offline])
    list.input.retry.send()
    await repository.pages.next().reply(PokemonPage(1...3))
    await turns()
    #expect(repository.pages.questions == [0, 0, 0])
    check(shows: 1...3)
  }

  @Test func aPageOnItsWayIsCancelled() async throws {
    list.input.reachedEnd.send()
    let page = await repository.pages.next()
    list.input.refresh.send()
    try #require(page.isCancelled)
    let refresh = await repository.pages.next()
    check(shows: 1...20, isLoading: true)
    refresh.reply(PokemonPage(1...20))
    await turns()
    check(shows: 1...20)
  }

  @Test func aNewerRefreshWins() async throws {
    list.input.refresh.send()
    let first = await repository.pages.next()
    list.input.refresh.send()
    try #require(first.isCancelled)
    let second = await repository.pages.next()
    second.reply(PokemonPage(7...9))
    await turns()
    check(shows: 7...9)
  }

  @Test func aCancelledPageThatComesAllTheSameIsIgnored() async throws {
    let test = await Self(MockPokemon(heedsCancellation: false))
    test.list.input.reachedEnd.send()
    let page = await test.repository.pages.next()
    test.list.input.refresh.send()
    try #require(page.isCancelled)
    let refresh = await test.repository.pages.next()
    page.reply(PokemonPage(21...40))
    await turns()
    test.check(shows: 1...20, isLoading: true)
    refresh.reply(PokemonPage(1...20))
    await turns()
    test.check(shows: 1...20)
  }

  private func check(
    shows ids: some Sequence<Int>, isLoading: Bool = false,
    at location: SourceLocation = #_sourceLocation
  ) {
    #expect(list.output.pokemon.values.map(\.id) == Array(ids), sourceLocation: location)
    #expect(list.output.isLoading.value == isLoading, sourceLocation: location)
  }
}
