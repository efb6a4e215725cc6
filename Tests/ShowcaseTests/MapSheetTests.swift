import Offstage
import OffstageTesting
import Synchronization
import Testing

@testable import Showcase

/// The sheet: details replace the list until they are left.
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

  @Test func missingDetailsEmptyTheSheetAndKeepTheMarkers() async {
    let stage = await MapStage.appeared()
    stage.map.input.placeTapped.send(3)
    await stage.replyDetails([])
    stage.check(places: [], markers: Array(1...20), hasMore: false)
  }

  @Test func lastTapWins() async throws {
    let stage = await MapStage.appeared(heedsCancellation: false)
    stage.map.input.placeTapped.send(3)
    let first = await stage.repository.details.next()
    stage.map.input.placeTapped.send(4)
    try #require(first.isCancelled)
    await stage.replyDetails([4])
    first.reply(PlaceDetails(.number(3)))
    await turns()
    stage.check(places: [4], markers: Array(1...20), hasMore: false)
  }

  @Test func aFailureKeepsTheListAndCanBeRetried() async {
    let stage = await MapStage.appeared()
    stage.map.input.placeTapped.send(3)
    await stage.repository.details.next().fail(LoadFailure.offline)
    await turns()
    #expect(stage.failures.values.map(\.reason) == [.offline])
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

  @Test func sortingLeavesTheDetails() async throws {
    let stage = await MapStage.appeared()
    stage.map.input.placeTapped.send(3)
    let details = await stage.repository.details.next()
    stage.map.input.sortBy.send(.name)
    #expect(details.isCancelled)
    await stage.reply(2...4)
    stage.check(places: 2...4)
  }

  @Test func tipLeavesTheDetailsAndThePagingContinues() async {
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

  @Test func pageLoadedBehindDetailsIsShownAfterwards() async {
    let stage = await MapStage.appeared()
    stage.map.input.reachedEnd.send()
    stage.map.input.placeTapped.send(3)
    await stage.replyDetails([3])
    await stage.reply(21...22, hasMore: false)
    stage.check(places: [3], markers: Array(1...22), hasMore: false)
    stage.map.input.sheetDetentChanged.send(.tip)
    stage.check(places: 1...22, hasMore: false)
  }

  @Test func detailsOfTheOpenPlaceAreAScreen() async {
    let stage = await MapStage.appeared()
    stage.map.input.detailsTapped.send()
    stage.map.input.placeTapped.send(3)
    await stage.replyDetails([3])
    stage.map.input.placeTapped.send(3)
    #expect(stage.coordinator.calls.isEmpty)
    stage.map.input.detailsTapped.send()
    #expect(stage.coordinator.calls == ["showPlace was called, with 3"])
    stage.map.input.allTapped.send()
    #expect(stage.coordinator.calls.last == "showAllPlaces was called")
  }

  @Test func leavingTheDetailsRemovesAFarMarker() async {
    let stage = await MapStage.appeared()
    stage.map.input.placeTapped.send(99)
    await stage.replyDetails([99])
    stage.check(places: [99], markers: Array(1...20) + [99], hasMore: false)
    stage.map.input.sheetDetentChanged.send(.tip)
    stage.check(places: 1...20)
  }

  @Test func tappingAMarkerRaisesTheSheetFromItsTip() async {
    let stage = await MapStage.appeared()
    stage.map.input.sheetDetentChanged.send(.tip)
    stage.map.input.placeTapped.send(3)
    #expect(stage.map.output.sheetDetent.value == .half)
    stage.map.input.sheetDetentChanged.send(.full)
    stage.map.input.placeTapped.send(4)
    #expect(stage.map.output.sheetDetent.value == .full)
  }

  @Test(arguments: SheetDetent.allCases)
  func theDetentIsTheMaps(_ detent: SheetDetent) {
    let stage = MapStage()
    stage.map.input.sheetDetentChanged.send(detent)
    #expect(stage.map.output.sheetDetent.value == detent)
    #expect(stage.coordinator.calls.isEmpty)
  }

  // MARK: Many places, and none

  /// Places with pins are not counted again.
  @Test func placesWithoutPinsAreCounted() async {
    let stage = MapStage()
    let degrees = PlaceCell.degrees(for: .seoul)
    let cell = PlaceCell.position(of: Place.number(1).coordinate, degrees: degrees)
    stage.repository.grid.withLock {
      $0 = [
        PlaceCell(row: cell[0], column: cell[1], count: 12_000, middle: .seoulCityHall),
        PlaceCell(row: 1, column: 1, count: 3, middle: .seoulCityHall),
      ]
    }
    stage.map.input.didAppear.send()
    await stage.reply(1...2)
    #expect(stage.map.output.clusters.values.map(\.count) == [11_998, 3])
    #expect(stage.map.output.clusters.values.first?.text == "11,998")
    stage.map.input.reachedEnd.send()
    await stage.reply(3...3, hasMore: false)
    #expect(stage.map.output.clusters.isEmpty)
  }

  @Test func eightCellsFitIntoTheBounds() {
    for side in [0.001, 0.08, 1, 7, 180] {
      let bounds = Bounds(minLat: 0, minLng: 0, maxLat: side / 2, maxLng: side)
      #expect((4..<8.01).contains(side / PlaceCell.degrees(for: bounds)))
    }
  }

  /// An empty part of the map leads back to the places.
  @Test func emptyAreaHasAWayBack() async {
    let stage = await MapStage.appeared()
    #expect(stage.map.output.emptyArea.value == nil)
    stage.map.input.boundsChanged.send(.there)
    await stage.reply([], hasMore: false)
    #expect(stage.map.output.emptyArea.value == "There are no places here.")
    stage.core.core.frontEndLocale = UserLocale(language: "ko")
    await turns()
    #expect(stage.map.output.emptyArea.value == "이곳에는 장소가 없어요.")
    stage.map.input.returnTapped.send()
    await stage.reply(1...3, hasMore: false)
    #expect(stage.repository.pages.questions.last?.query.bounds.center == Bounds.seoul.center)
    #expect(stage.map.output.emptyArea.value == nil)
  }

  @Test func welcomeIsShownUntilItIsRead() async {
    let stage = MapStage()
    #expect(stage.map.output.welcome.value == nil)
    stage.map.input.didAppear.send()
    #expect(stage.map.output.welcome.value?.hasPrefix("Welcome!") == true)
    stage.map.input.welcomeClosed.send()
    #expect(stage.map.output.welcome.value == nil)
    stage.map.input.didAppear.send()
    #expect(stage.map.output.welcome.value == nil)
  }
}
