import Offstage
import OffstageTesting
import Showcase
import Testing

/// The sheet: a place that is tapped takes the place of the list, and gives it back.
@Suite @CoreActor struct MapSheetTests {
  @Test func detailsReplaceTheListAndAddTheirMarkers() async {
    let stage = await MapStage.appeared()
    stage.map.input.placeTapped.send(3)
    stage.check(places: 1...20, isLoading: true)
    await stage.replyDetails([3])
    stage.check(places: [3], markers: Array(1...20), hasMore: false)
    stage.map.input.placeTapped.send(99)
    await stage.replyDetails([99])
    stage.check(places: [99], markers: Array(1...20) + [99], hasMore: false)
    #expect(stage.map.output.sections.values.map(\.id) == ["art_museum"])
  }

  @Test func noDetailsEmptyTheSheetAndLeaveTheMarkers() async {
    let stage = await MapStage.appeared()
    stage.map.input.placeTapped.send(3)
    await stage.replyDetails([])
    stage.check(places: [], markers: Array(1...20), hasMore: false)
  }

  @Test func theLastTapWins() async throws {
    let stage = await MapStage.appeared(heedsCancellation: false)
    stage.map.input.placeTapped.send(3)
    let first = await stage.repository.details.next()
    stage.map.input.placeTapped.send(4)
    try #require(first.isCancelled)
    await stage.replyDetails([4])
    first.reply([.number(3)])
    await turns()
    stage.check(places: [4], markers: Array(1...20), hasMore: false)
  }

  @Test func aFailureKeepsTheListAndCanBeRetried() async {
    let stage = await MapStage.appeared()
    stage.map.input.placeTapped.send(3)
    await stage.repository.details.next().fail(LoadFailure.offline)
    await turns()
    #expect(stage.failures.values == [.offline])
    stage.check(places: 1...20)
    stage.map.input.retry.send()
    await stage.replyDetails([3])
    #expect(stage.repository.details.questions == [3, 3])
    stage.check(places: [3], markers: Array(1...20), hasMore: false)
  }

  @Test func retryIsForTheNewestFailure() async {
    let stage = await MapStage.appeared()
    stage.map.input.placeTapped.send(3)
    await stage.repository.details.next().fail(LoadFailure.offline)
    await turns()
    stage.map.input.boundsChanged.send(.there)
    await stage.fail()
    stage.map.input.retry.send()
    await stage.reply(5...6)
    #expect(stage.repository.details.questions == [3])
    stage.check(places: 5...6)
  }

  @Test func startingOverLetsGoOfThePlace() async throws {
    let stage = await MapStage.appeared()
    stage.map.input.placeTapped.send(3)
    let details = await stage.repository.details.next()
    stage.map.input.sortBy.send(.name)
    #expect(details.isCancelled)
    await stage.reply(2...4)
    stage.check(places: 2...4)
  }

  @Test func theTipLetsGoOfThePlaceAndTheListGoesOn() async {
    let stage = await MapStage.appeared()
    stage.map.input.placeTapped.send(3)
    await stage.replyDetails([3])
    stage.map.input.reachedEnd.send()
    await turns()
    #expect(stage.pages == [0])
    stage.map.input.sheetDetentChanged.send(.full)
    stage.check(places: [3], markers: Array(1...20), hasMore: false)
    stage.map.input.sheetDetentChanged.send(.tip)
    stage.check(places: 1...20)
    stage.map.input.reachedEnd.send()
    await stage.reply(21...22, hasMore: false)
    stage.check(places: 1...22, hasMore: false)
  }

  @Test func aPageThatComesWhileAPlaceIsShownIsThereAfterwards() async {
    let stage = await MapStage.appeared()
    stage.map.input.reachedEnd.send()
    stage.map.input.placeTapped.send(3)
    await stage.replyDetails([3])
    await stage.reply(21...22, hasMore: false)
    stage.check(places: [3], markers: Array(1...22), hasMore: false)
    stage.map.input.sheetDetentChanged.send(.tip)
    stage.check(places: 1...22, hasMore: false)
  }

  @Test func theSecondTapGoesOnToItsScreen() async {
    let stage = await MapStage.appeared()
    stage.map.input.placeTapped.send(3)
    await stage.replyDetails([3])
    #expect(stage.coordinator.calls.isEmpty)
    stage.map.input.placeTapped.send(3)
    #expect(stage.coordinator.calls == ["showPlace was called, with 3"])
  }

  @Test(arguments: SheetDetent.allCases)
  func theDetentIsTheMaps(_ detent: SheetDetent) {
    let stage = MapStage()
    stage.map.input.sheetDetentChanged.send(detent)
    #expect(stage.map.output.sheetDetent.value == detent)
    #expect(stage.coordinator.calls.isEmpty)
  }
}
