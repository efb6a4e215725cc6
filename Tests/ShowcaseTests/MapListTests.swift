import Offstage
import OffstageTesting
import Testing

@testable import Showcase

/// The list: its guard, its pages, its end, starting over and failures.
@Suite @CoreActor struct MapListTests {
  @Test func aFetchCarriesEverything() async {
    let stage = MapStage()
    stage.map.input.boundsChanged.send(.here)
    await stage.reply(1...20)
    stage.map.input.sortBy.send(.rating)
    await stage.reply(1...20)
    stage.map.input.reachedEnd.send()
    await stage.reply(21...40)
    let center = Coordinate(lat: 37.25, lng: 127)
    let nearest = PlaceQuery(bounds: .here, sort: .distance, center: center)
    let best = PlaceQuery(bounds: .here, sort: .rating, center: center)
    #expect(
      stage.repository.pages.questions == [
        .init(query: nearest, page: 0, size: 20), .init(query: best, page: 0, size: 20),
        .init(query: best, page: 1, size: 20),
      ])
    #expect(stage.map.output.center.value == center)
  }

  @Test func aFetchWhileOneRunsIsDropped() async {
    let stage = await MapStage.appeared()
    for _ in 1...3 { stage.map.input.reachedEnd.send() }
    stage.map.input.didAppear.send()
    await turns()
    #expect(stage.pages == [0, 1])
    await stage.reply(21...40)
    stage.check(places: 1...40)
    stage.map.input.reachedEnd.send()
    await stage.reply(41...50, hasMore: false)
    stage.check(places: 1...50, hasMore: false)
    stage.map.input.reachedEnd.send()
    await turns()
    #expect(stage.pages == [0, 1, 2])
  }

  @Test func failureReleasesTheGuard() async {
    let stage = await MapStage.appeared()
    stage.map.input.reachedEnd.send()
    await stage.fail()
    #expect(stage.failures.values.map(\.reason) == [.offline])
    stage.check(places: 1...20)
    stage.map.input.reachedEnd.send()
    await stage.reply(21...40)
    stage.check(places: 1...40)
    #expect(stage.core.faults.isEmpty)
  }

  @Test func appearingAgainKeepsEverything() async {
    let stage = await MapStage.appeared()
    stage.map.input.reachedEnd.send()
    await stage.reply(21...40)
    stage.map.input.placeTapped.send(3)
    await stage.replyDetails([3])
    stage.map.input.didAppear.send()
    await turns()
    #expect(stage.pages == [0, 1])
    stage.check(places: [3], markers: Array(1...40), hasMore: false)
  }

  @Test func appearingAgainLoadsWhatFailed() async {
    let stage = MapStage()
    stage.map.input.didAppear.send()
    await stage.fail()
    stage.map.input.didAppear.send()
    await stage.reply(1...3)
    stage.check(places: 1...3)
  }

  @Test(arguments: [true, false])
  func boundsStartOver(heedsCancellation: Bool) async throws {
    let stage = await MapStage.appeared(heedsCancellation: heedsCancellation)
    stage.map.input.reachedEnd.send()
    let old = await stage.repository.pages.next()
    stage.map.input.boundsChanged.send(.there)
    try #require(old.isCancelled)
    let new = await stage.repository.pages.next()
    old.reply(Page(21...40))
    await turns()
    stage.check(places: 1...20, isLoading: true)
    new.reply(Page(100...105, hasMore: false))
    await turns()
    stage.check(places: 100...105, hasMore: false)
    #expect(stage.repository.pages.questions.last?.query.bounds == .there)
  }

  @Test func unchangedBoundsDoNotStartOver() async {
    let stage = MapStage()
    stage.map.input.boundsChanged.send(.here)
    await stage.reply(1...20)
    stage.map.input.boundsChanged.send(.here)
    stage.map.input.sortBy.send(.distance)
    await turns()
    #expect(stage.pages == [0])
  }

  @Test func retryRepeatsTheSameRequest() async {
    let stage = await MapStage.appeared()
    stage.map.input.boundsChanged.send(.there)
    await stage.fail()
    stage.check(places: 1...20)
    stage.map.input.retry.send()
    await stage.reply(7...9, hasMore: false)
    let questions = stage.repository.pages.questions
    #expect(questions.count == 3)
    #expect(questions.dropFirst().first == questions.last)
    stage.check(places: 7...9, hasMore: false)
    stage.map.input.retry.send()
    await turns()
    #expect(stage.pages.count == 3)
  }

  @Test func sectionsAreThoseOfTheWholeListInOrder() async {
    let stage = MapStage()
    stage.map.input.didAppear.send()
    await stage.reply([2, 4])
    #expect(stage.map.output.sections.values.map(\.id) == ["park"])
    stage.map.input.reachedEnd.send()
    await stage.reply([6, 1], hasMore: false)
    #expect(stage.map.output.sections.values.map(\.id) == ["park", "art_museum"])
    #expect(stage.map.output.sections.values.map(\.title) == ["Park", "Art museum"])
    stage.check(places: [2, 4, 6, 1], hasMore: false)
  }

  @Test func anyErrorIsTyped() async {
    struct Strange: Error, CustomStringConvertible { let description = "strange" }
    let stage = MapStage()
    stage.map.input.didAppear.send()
    await stage.repository.pages.next().fail(Strange())
    await turns()
    #expect(stage.failures.values.map(\.reason) == [.storage])
  }

  @Test func closingReleasesEverything() async throws {
    var stage: MapStage? = MapStage(capabilities: ["location.current"])
    let map = Weak(stage?.map)
    let core = try #require(stage?.core)
    stage?.map.input.didAppear.send()
    let call = await stage?.repository.pages.next()
    core.closeAll()
    #expect(call?.isCancelled == true)
    await turns()
    #expect(core.liveCounts == (0, 0, 0))
    stage = nil
    await turns()
    #expect(map.object == nil)
  }
}
