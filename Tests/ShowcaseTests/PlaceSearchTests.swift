import Offstage
import OffstageTesting
import Testing

@testable import Showcase

/// The search with a mock repository.
@Suite @CoreActor struct PlaceSearchTests {
  private let core = TestCore()
  private let repository: MockPlaces
  private let search: PlaceSearch
  private let text: Out<String>
  private let recents: Out<[String]>

  init() { self.init(heedsCancellation: true) }

  private init(heedsCancellation: Bool = true, text: String = "") {
    let (text, recents) = (Out(text), Out<[String]>([]))
    (self.text, self.recents) = (text, recents)
    let repository = MockPlaces(heedsCancellation: heedsCancellation)
    self.repository = repository
    search = core.show {
      PlaceSearch(
        dependency: .init(
          center: .seoulCityHall, text: text, recents: recents, remember: { recents.value = [$0] },
          repository: repository, tracker: MockTracker()))
    }
  }

  @Test func recentSearchSearchesAgain() async {
    recents.value = ["park", "museum"]
    #expect(search.output.recents.values.map(\.text) == ["park", "museum"])
    search.input.recentTapped.send("museum")
    #expect(search.input.queryText.value == "museum")
    #expect(search.output.recents.isEmpty)
    await repository.searches.next().reply(Page([2]))
    await turns()
    #expect(search.output.results.values.map(\.id) == [2])
    search.input.placeTapped.send(2)
    #expect(recents.value == ["museum"])
  }

  @Test(arguments: [
    ("Seongsu Station", "SU", ["Seong", "su", " Station"]), ("서울역", "서울", ["", "서울", "역"]),
    ("Park", "park", ["", "Park", ""]), ("Park", "zoo", ["Park"]), ("Park", " ", ["Park"]),
    ("a", "ab", ["a"]),
  ])
  func partsAreThoseAroundTheQuery(name: String, query: String, parts: [String]) {
    #expect(name.parts(around: query) == parts)
  }

  @Test func searchIsDebounced() async {
    for text in ["p", "pa", "par"] {
      search.input.queryText.send(text)
      await pass(.milliseconds(299))
    }
    #expect(repository.searches.questions.isEmpty)
    await type("park")
    #expect(repository.searches.questions == ["park"])
    await reply([2, 4])
    check(shows: [2, 4])
  }

  @Test(arguments: [true, false])
  func theNewestQueryWins(heedsCancellation: Bool) async throws {
    let test = Self(heedsCancellation: heedsCancellation)
    await test.type("old")
    let old = await test.repository.searches.next()
    await test.type("new")
    try #require(old.isCancelled)
    await test.reply([2])
    old.reply(Page([1]))
    await turns()
    test.check(shows: [2])
  }

  @Test func resultsComePageByPage() async {
    search.input.reachedEnd.send()
    await type("p")
    await reply([2], hasMore: true)
    #expect(search.output.hasMore.value)
    search.input.reachedEnd.send()
    await reply([4])
    check(shows: [2, 4])
    #expect(!search.output.hasMore.value)
    search.input.reachedEnd.send()
    await turns()
    #expect(repository.searches.questions == ["p", "p page 1"])
    await type("pa")
    await reply([6], hasMore: true)
    check(shows: [6])
    await type("")
    #expect(!search.output.hasMore.value)
    search.input.reachedEnd.send()
    await turns()
    #expect(repository.searches.questions == ["p", "p page 1", "pa"])
  }

  @Test(arguments: ["", " "])
  func blankTextEndsTheSearchAtOnceWithoutARequest(blank: String) async {
    await type("p")
    await reply([2])
    search.input.queryText.send(blank)
    check(shows: [])
    await pass(.milliseconds(300))
    #expect(!search.output.hasNoResults.value)
    #expect(repository.searches.questions == ["p"])
  }

  @Test func aFailureKeepsTheResultsAndCanBeRetried() async {
    let failures = Events(of: search.output.failed)
    await type("p")
    await reply([2])
    await type("pa")
    await repository.searches.next().fail(LoadFailure.offline)
    await turns()
    #expect(failures.values.map(\.reason) == [.offline])
    check(shows: [2])
    search.input.retry.send()
    await reply([4])
    #expect(repository.searches.questions == ["p", "pa", "pa"])
    check(shows: [4])
  }

  @Test func emptyQueryClearsTheFailure() async {
    await type("p")
    await repository.searches.next().fail(LoadFailure.offline)
    await turns()
    #expect(search.output.canRetry.value)
    await type("")
    #expect(search.output.failure.value == nil)
    #expect(!search.output.canRetry.value)
  }

  @Test func onlyShownResultsCanBePicked() async {
    await type("p")
    await reply([2])
    for (id, isShown) in [(3, false), (2, true)] {
      let frames = await core.frames {
        search.input.placeTapped.send(id)
        await core.run()
      }
      #expect(frames.contains { $0.contains(#""name":"finished""#) } == isShown)
    }
  }

  @Test func opensWithTheNewestText() async {
    let test = Self(text: "park")
    #expect(test.search.input.queryText.value == "park")
    await test.reply([2, 4])
    test.check(shows: [2, 4])
    await test.type("museum")
    #expect(test.text.value == "museum")
    #expect(test.repository.searches.questions == ["park", "museum"])
  }

  @Test func aTextThatWasNotTypedMayFindNothing() async {
    let test = Self(text: "nowhere")
    await test.reply([])
    #expect(test.search.output.hasNoResults.value)
    test.recents.value = ["nothing"]
    await test.type("")
    test.search.input.recentTapped.send("nothing")
    #expect(!test.search.output.hasNoResults.value)
    await test.reply([])
    #expect(test.search.output.hasNoResults.value)
  }

  @Test func showingAllWaitsForResults() async {
    search.input.showAllTapped.send()
    await type("p")
    #expect(await finished { search.input.showAllTapped.send() } == nil)
    #expect(await finished { await reply([]) } == nil)
    #expect(!search.output.canShowAll.value)
    await type("pa")
    await reply([2])
    #expect(await finished { search.input.showAllTapped.send() }?.contains(#""text":"pa""#) == true)
  }

  @Test func showingAllIsForgottenByTyping() async {
    await type("p")
    search.input.showAllTapped.send()
    search.input.queryText.send("pa")
    await pass(.milliseconds(300))
    #expect(await finished { await reply([2]) } == nil)
  }

  @Test func showingAllRepeatsASearchThatFailed() async {
    await type("p")
    await repository.searches.next().fail(LoadFailure.offline)
    await turns()
    search.input.showAllTapped.send()
    #expect(await finished { await reply([2]) } != nil)
    #expect(repository.searches.questions == ["p", "p"])
  }

  // MARK: Helpers

  /// Returns the frame in which the search finishes.
  private func finished(_ action: () async -> Void) async -> String? {
    await core.frames {
      await action()
      await core.run()
    }.first { $0.contains(#""name":"finished""#) }
  }

  /// Types and advances the clock by the debounce interval.
  private func type(_ text: String) async {
    search.input.queryText.send(text)
    await pass(.milliseconds(300))
  }

  private func pass(_ duration: Duration) async {
    await core.advance(by: duration, settling: false)
  }

  private func reply(_ ids: [Int], hasMore: Bool = false) async {
    await repository.searches.next().reply(Page(ids, hasMore: hasMore))
    await turns()
  }

  private func check(shows ids: [Int], at location: SourceLocation = #_sourceLocation) {
    #expect(search.output.results.values.map(\.id) == ids, sourceLocation: location)
    #expect(!search.output.isLoading.value, sourceLocation: location)
  }
}
