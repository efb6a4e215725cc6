import Offstage
import OffstageTesting
import Testing

@testable import Showcase

/// The list with a mock repository.
@Suite @CoreActor struct PokedexTests {
  private let core = TestCore()
  private let repository = MockPokemon()
  private let coordinator = MockPokedexCoordinator()
  private let switches = Relay<Trigger>()

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
    call.reply(Page(21...40))
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

  @Test func endOfTheListLoadsNothing() async {
    let list = await showFirstPage()
    list.input.reachedEnd.send()
    await reply(21...25, hasMore: false)
    check(list, shows: 1...25, hasMore: false)
    list.input.reachedEnd.send()
    await turns()
    #expect(repository.pages.questions == [0, 20])
    #expect(!list.output.isLoading.value)
  }

  @Test func failureReleasesTheGuard() async {
    let list = await showFirstPage()
    let failures = Events(of: list.output.failed)
    list.input.reachedEnd.send()
    await fail()
    #expect(failures.values.map(\.reason) == [.offline])
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

  @Test func firstPageCanBeRetried() async {
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
    #expect(failures.values.map(\.reason) == [.storage])
  }

  @Test func cachedRowsAreShownWhileThePageLoads() async {
    let repository = MockPokemon(cached: 1...20)
    let list = core.show {
      Pokedex(
        dependency: .init(
          repository: repository, images: MockImages(), coordinator: coordinator,
          accountSwitches: switches.signal, tracker: MockTracker()))
    }
    list.input.didAppear.send()
    await turns()
    #expect(list.output.pokemon.values.map(\.id) == Array(1...20))
    #expect(list.output.isLoading.value)
    #expect(list.output.isStale.value)
    #expect(list.output.staleSince.value == 1000)
    await repository.pages.next().reply(Page(2...21))
    await turns()
    check(list, shows: 2...21)
    #expect(!list.output.isStale.value)
    #expect(list.output.staleSince.value == nil)
  }

  @Test func cachedRowsStayIfThePageFails() async {
    let repository = MockPokemon(cached: 1...40)
    let list = core.show {
      Pokedex(
        dependency: .init(
          repository: repository, images: MockImages(), coordinator: coordinator,
          accountSwitches: switches.signal, tracker: MockTracker()))
    }
    list.input.didAppear.send()
    await repository.pages.next().fail(LoadFailure.offline)
    await turns()
    check(list, shows: 1...20)
    #expect(list.output.isStale.value)
    #expect(list.output.failure.value?.reason == .offline)
    list.input.reachedEnd.send()
    await turns()
    check(list, shows: 1...40)
    #expect(repository.pages.questions == [0], "A stale list continues from the cache.")
    list.input.retry.send()
    await repository.pages.next().reply(Page(1...20))
    await turns()
    check(list, shows: 1...20)
    #expect(!list.output.isStale.value)
    #expect(list.output.failure.value == nil)
  }

  @Test(arguments: [(151, nil, 1), (1025, nil, 9), (10001, 386, 3), (10168, 122, 1)])
  func sectionIsTheGenerationOfTheSpecies(id: Int, species: Int?, generation: Int) {
    let entry = PokemonEntry(id: id, name: "x", speciesID: species, imageURL: nil)
    #expect(
      PokedexRow(entry, names: nil, image: nil, Words.english).section == "generation-\(generation)"
    )
  }

  @Test func formOfAnUnknownSpeciesHasNoGeneration() {
    let entry = PokemonEntry(id: 10999, name: "x", imageURL: nil)
    #expect(PokedexSection(entry, Words.english).id == "forms")
    #expect(PokedexRow(entry, names: nil, image: nil, Words.korean).section == "forms")
  }

  @Test func searchLoadsTheNamesOnce() async {
    let list = show()
    list.input.searchText.send("x")
    #expect(list.output.isSearching.value)
    #expect(!list.output.hasNoResults.value)
    await core.advance(by: .milliseconds(300), settling: false)
    await repository.all.next().reply([
      PokemonEntry(id: 25, name: "pikachu", imageURL: nil),
      PokemonEntry(
        id: 122, name: "mr-mime", names: PokemonNames(own: ["en": "Mr. Mime", "ko": "마임맨"]),
        imageURL: nil),
    ])
    await turns()
    #expect(!list.output.isSearching.value)
    #expect(list.output.hasNoResults.value)
    for text in ["mime", "Mr. M", "마임", "122", "#0122"] {
      list.input.searchText.send(text)
      #expect(list.output.isSearching.value)
      #expect(!list.output.hasNoResults.value)
      await core.advance(by: .milliseconds(300))
      #expect(list.output.results.values.map(\.name) == ["Mr. Mime"])
    }
    #expect(repository.all.questions.count == 1)
    // A refresh has the next search ask the server.
    list.input.refresh.send()
    list.input.searchText.send("mew")
    await core.advance(by: .milliseconds(300), settling: false)
    #expect(repository.all.questions.count == 2)
  }

  @Test func failedSearchSaysSoAndCanBeRetried() async {
    let list = show()
    list.input.searchText.send("pika")
    await core.advance(by: .milliseconds(300), settling: false)
    await repository.all.next().fail(LoadFailure.offline)
    await turns()
    #expect(list.output.searchFailure.value?.reason == .offline)
    #expect(list.output.canRetry.value)
    #expect(!list.output.isSearching.value)
    #expect(!list.output.hasNoResults.value)
    list.input.retry.send()
    await repository.all.next().reply([PokemonEntry(id: 25, name: "pikachu", imageURL: nil)])
    await turns()
    #expect(list.output.results.values.map(\.id) == [25])
    #expect(list.output.searchFailure.value == nil)
    #expect(!list.output.canRetry.value)
  }

  @Test func anotherAccountEndsTheSearch() async {
    let list = show()
    list.input.searchText.send("number")
    await core.advance(by: .milliseconds(300), settling: false)
    await repository.all.next().reply(Page(1...45).items)
    await turns()
    switches.send(Trigger())
    #expect(list.input.searchText.value == "")
    #expect(list.output.results.isEmpty)
    #expect(!list.output.isSearching.value)
    #expect(!list.output.hasNoResults.value)
  }

  @Test func resultsComePageByPage() async {
    let list = show()
    list.input.searchText.send("number")
    await core.advance(by: .milliseconds(300), settling: false)
    await repository.all.next().reply(Page(1...45).items)
    await turns()
    #expect(list.output.results.values.map(\.id) == Array(1...20))
    #expect(list.output.hasMoreResults.value)
    for count in [40, 45] {
      list.input.resultsReachedEnd.send()
      await core.run()
      #expect(list.output.results.values.map(\.id) == Array(1...count))
    }
    #expect(!list.output.hasMoreResults.value)
    #expect(repository.all.questions.count == 1)
  }

  @Test func nameArrivesAfterItsRow() async {
    let list = show()
    list.input.didAppear.send()
    let entry = PokemonEntry(id: 386, name: "deoxys-normal", imageURL: nil)
    await repository.pages.next().reply(Page([entry], hasMore: false))
    await turns()
    #expect(list.output.pokemon[386]?.name == "Deoxys Normal")
    await repository.names.next().fail(LoadFailure.offline)
    await turns()
    // The row reappears.
    list.input.didAppear.send()
    await repository.names.next().reply(PokemonNames(own: ["en": "Deoxys"]))
    await turns()
    #expect(list.output.pokemon[386]?.name == "Deoxys")
    list.input.didAppear.send()
    await turns()
    #expect(repository.names.questions == [386, 386])
  }

  /// The picture of a row that the list shows already is loaded once for both.
  @Test func resultsHaveThePicturesOfTheList() async {
    let images = MockImages()
    let list = core.show {
      Pokedex(
        dependency: .init(
          repository: repository, images: images, coordinator: coordinator,
          accountSwitches: switches.signal, tracker: MockTracker()))
    }
    let pikachu = PokemonEntry(
      id: 25, name: "pikachu", names: PokemonNames(own: ["en": "Pikachu"]),
      imageURL: "http://x/25.png")
    list.input.didAppear.send()
    await repository.pages.next().reply(Page([pikachu], hasMore: false))
    let picture = await images.urls.next()
    list.input.searchText.send("pika")
    await core.advance(by: .milliseconds(300), settling: false)
    await repository.all.next().reply([pikachu])
    await turns()
    picture.reply("resource:image/25")
    await turns()
    #expect(list.output.results[25]?.image == "resource:image/25")
    list.input.searchText.send("pik")
    await core.advance(by: .milliseconds(300))
    #expect(list.output.results[25]?.image == "resource:image/25")
    #expect(images.urls.questions == ["http://x/25.png"])
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
          repository: repository, images: MockImages(), coordinator: coordinator,
          accountSwitches: switches.signal, tracker: MockTracker()))
    }
  }

  private func showFirstPage() async -> Pokedex {
    let list = show()
    list.input.didAppear.send()
    await reply(1...20)
    return list
  }

  private func reply(_ ids: ClosedRange<Int>, hasMore: Bool = true) async {
    await repository.pages.next().reply(Page(ids, hasMore: hasMore))
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

/// A refresh starts over and keeps the old rows until the new ones arrive.
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
          repository: repository, images: MockImages(), coordinator: MockPokedexCoordinator(),
          accountSwitches: Relay<Trigger>().signal, tracker: MockTracker()))
    }
    list.input.didAppear.send()
    await repository.pages.next().reply(Page(1...20))
    await turns()
  }

  @Test func refreshKeepsOldRowsUntilNewOnesArrive() async {
    list.input.refresh.send()
    let call = await repository.pages.next()
    check(shows: 1...20, isLoading: true)
    call.reply(Page(101...103))
    await turns()
    check(shows: 101...103)
  }

  @Test func pagingStartsOver() async {
    list.input.reachedEnd.send()
    await repository.pages.next().reply(Page(21...25, hasMore: false))
    await turns()
    list.input.refresh.send()
    await repository.pages.next().reply(Page(1...20))
    await turns()
    check(shows: 1...20)
    list.input.reachedEnd.send()
    await repository.pages.next().reply(Page(21...40))
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
    #expect(failures.values.map(\.reason) == [.offline])
    list.input.retry.send()
    await repository.pages.next().reply(Page(1...3))
    await turns()
    #expect(repository.pages.questions == [0, 0, 0])
    check(shows: 1...3)
  }

  @Test func refreshCancelsALoadingPage() async throws {
    list.input.reachedEnd.send()
    let page = await repository.pages.next()
    list.input.refresh.send()
    try #require(page.isCancelled)
    let refresh = await repository.pages.next()
    check(shows: 1...20, isLoading: true)
    refresh.reply(Page(1...20))
    await turns()
    check(shows: 1...20)
  }

  @Test func aNewerRefreshWins() async throws {
    list.input.refresh.send()
    let first = await repository.pages.next()
    list.input.refresh.send()
    try #require(first.isCancelled)
    let second = await repository.pages.next()
    second.reply(Page(7...9))
    await turns()
    check(shows: 7...9)
  }

  @Test func lateResultOfACanceledPageIsIgnored() async throws {
    let test = await Self(MockPokemon(heedsCancellation: false))
    test.list.input.reachedEnd.send()
    let page = await test.repository.pages.next()
    test.list.input.refresh.send()
    try #require(page.isCancelled)
    let refresh = await test.repository.pages.next()
    page.reply(Page(21...40))
    await turns()
    test.check(shows: 1...20, isLoading: true)
    refresh.reply(Page(1...20))
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
