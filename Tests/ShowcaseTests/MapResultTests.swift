import Offstage
import OffstageTesting
import Testing

@testable import Showcase

/// The results of a search: they replace the list until they are closed.
@Suite @CoreActor struct MapResultTests {
  @Test func resultsFillTheSheetAndTheMarkersPageByPage() async {
    let stage = await MapStage.appeared()
    stage.showAll("park")
    stage.check(places: [], markers: Array(1...20), isLoading: true)
    #expect(stage.map.output.resultsTitle.value == "Results for “park”")
    await stage.replyResults([30, 41])
    stage.check(places: [30, 41])
    #expect(stage.map.output.sections.values.map(\.id) == ["park", "art_museum"])
    stage.map.input.reachedEnd.send()
    await stage.replyResults([32], hasMore: false)
    stage.check(places: [30, 41, 32], hasMore: false)
    #expect(stage.repository.searches.questions == ["park", "park page 1"])
    #expect(stage.pages == [0])
  }

  @Test func placeOpensAmongTheResults() async {
    let stage = await MapStage.appeared()
    stage.showAll("park")
    await stage.replyResults([30, 32])
    stage.map.input.placeTapped.send(32)
    await stage.replyDetails([32])
    stage.check(places: [32], markers: [30, 32], hasMore: false)
    stage.map.input.detailsClosed.send()
    stage.check(places: [30, 32])
  }

  @Test func noResultsKeepTheMarkers() async {
    let stage = await MapStage.appeared()
    stage.showAll("park")
    await stage.replyResults([], hasMore: false)
    stage.check(places: [], markers: Array(1...20), hasMore: false)
  }

  @Test func failedResultsCanBeRetriedOrClosed() async {
    let stage = await MapStage.appeared()
    stage.showAll("park")
    await stage.repository.searches.next().fail(LoadFailure.offline)
    await turns()
    let message = stage.map.output.failure.value?.message
    #expect(message?.hasPrefix("Couldn't search for places.") == true)
    stage.map.input.retry.send()
    await stage.replyResults([30])
    stage.check(places: [30])
    stage.map.input.resultsClosed.send()
    #expect(!stage.map.output.areResultsShown.value)
    await stage.reply(1...3)
    stage.check(places: 1...3)
  }

  @Test func closedResultsAreShownAgainUnlessTheAccountChanges() async {
    let stage = await MapStage.appeared()
    stage.map.input.resultsReopened.send()
    #expect(!stage.map.output.areResultsShown.value)
    stage.showAll("park")
    await stage.replyResults([30])
    stage.map.input.resultsClosed.send()
    await stage.reply(1...3)
    stage.map.input.resultsReopened.send()
    await stage.replyResults([30])
    stage.check(places: [30])
    #expect(stage.map.output.areResultsShown.value)
    stage.switches.send(Trigger())
    await stage.reply(1...3)
    stage.map.input.resultsReopened.send()
    #expect(!stage.map.output.areResultsShown.value)
  }

  @Test func movingTheMapKeepsTheResults() async {
    let stage = await MapStage.appeared()
    stage.showAll("park")
    await stage.replyResults([30])
    stage.map.input.boundsChanged.send(.there)
    await turns()
    stage.check(places: [30])
    stage.map.input.resultsClosed.send()
    await stage.reply(5...6)
    #expect(stage.repository.pages.questions.map(\.query.bounds).last == .there)
  }

  @Test func anotherSearchReplacesTheResults() async {
    let stage = await MapStage.appeared()
    for (text, id) in [("park", 30), ("park", 31), ("museum", 41)] {
      stage.showAll(text)
      await stage.replyResults([id])
      stage.check(places: [id])
    }
  }

  @Test func anotherAccountClosesTheResults() async {
    let stage = await MapStage.appeared()
    stage.switches.send(Trigger())
    stage.check(places: 1...20)
    stage.showAll("park")
    await stage.replyResults([30])
    stage.switches.send(Trigger())
    #expect(!stage.map.output.areResultsShown.value)
    #expect(stage.map.output.resultsTitle.value == nil)
    await stage.reply(1...3)
    stage.check(places: 1...3)
  }

  @Test func pickedPlaceAndOrderCloseTheResults() async {
    let stage = await MapStage.appeared()
    stage.showAll("park")
    await stage.replyResults([30])
    stage.coordinator.result?.send(.place(.number(99)))
    #expect(!stage.map.output.areResultsShown.value)
    await stage.reply(1...2)
    await stage.replyDetails([99])
    stage.showAll("park")
    await stage.replyResults([30])
    stage.map.input.sortBy.send(.rating)
    #expect(!stage.map.output.areResultsShown.value)
    await stage.reply(1...2)
    stage.check(places: 1...2)
  }

  /// The map moves to the results, and becomes larger only if they need more room.
  @Test func mapHasRoomForTheResults() async {
    let stage = MapStage()
    stage.map.input.boundsChanged.send(.here)
    await stage.reply(1...2)
    stage.showAll("park")
    await stage.replyResults([10, 210])
    #expect(stage.map.output.area.value == nil)
    #expect(stage.map.output.center.value == Coordinate(lat: 37.11, lng: 127))
    stage.showAll("museum")
    await stage.replyResults([1000, 2000])
    #expect(
      stage.map.output.area.value == Bounds(minLat: 38, minLng: 126.5, maxLat: 39, maxLng: 127.5))
    stage.map.input.resultsClosed.send()
    #expect(stage.map.output.area.value == nil)
  }

  @Test func boundsAroundPointsTakeTheShortWay() {
    func bounds(_ lngs: Double...) -> Bounds? {
      Bounds(around: lngs.map { Coordinate(lat: $0 / 10, lng: $0) })
    }
    #expect(bounds() == nil)
    #expect(bounds(5) == Bounds(minLat: 0.5, minLng: 5, maxLat: 0.5, maxLng: 5))
    #expect(bounds(5, -10, 20) == Bounds(minLat: -1, minLng: -10, maxLat: 2, maxLng: 20))
    #expect(bounds(-170, 160) == Bounds(minLat: -17, minLng: 160, maxLat: 16, maxLng: -170))
  }
}
