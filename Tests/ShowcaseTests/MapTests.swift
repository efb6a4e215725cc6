import Offstage
import OffstageTesting
import Synchronization
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

/// The center: the default, the user's location, or a picked place.
@Suite @CoreActor struct MapCenterTests {
  private static let jamsil = Coordinate(lat: 37.5133, lng: 127.1001)

  @Test func unsupportedLocationKeepsTheDefaultCenter() async {
    let stage = await MapStage.appeared()
    #expect(stage.map.output.center.value == Coordinate(lat: 37.5665, lng: 126.978))
    #expect(stage.failures.values.isEmpty)
    #expect(stage.core.faults.isEmpty)
    stage.check(places: 1...20)
  }

  @Test func bothBarsShowTheSearch() {
    let stage = MapStage()
    stage.map.input.searchBarTapped.send()
    stage.map.input.searchBackTapped.send()
    #expect(stage.coordinator.calls == ["showSearch was called", "showSearch was called"])
  }

  @Test func pickedPlaceIsTheNewCenter() async throws {
    let stage = MapStage()
    stage.map.input.boundsChanged.send(.here)
    await stage.reply(1...20)
    stage.map.input.searchBarTapped.send()
    let place = Place(id: 7, name: "n", category: "c", lat: 35.25, lng: 128.5)
    stage.coordinator.outcome?.send(.finished(.place(place)))
    #expect(stage.map.output.center.value == place.coordinate)
    let call = await stage.repository.pages.next()
    #expect(call.question.query.center == place.coordinate)
    #expect(call.question.query.bounds == .there)
  }

  @Test func pickedPlaceIsOpenWhateverThePage() async {
    let stage = await MapStage.appeared()
    stage.coordinator.outcome?.send(.dismissed)
    stage.map.input.searchBarTapped.send()
    stage.coordinator.outcome?.send(.finished(.place(.number(99))))
    stage.check(places: [99], markers: Array(1...20) + [99], hasMore: false, isLoading: true)
    await stage.reply(30...40)
    await stage.replyDetails([99])
    stage.check(places: [99], markers: Array(30...40) + [99], hasMore: false)
  }

  @Test func dismissedSearchChangesNothing() async {
    let stage = await MapStage.appeared()
    stage.map.input.searchBarTapped.send()
    stage.coordinator.outcome?.send(.dismissed)
    await turns()
    #expect(stage.pages == [0])
    stage.check(places: 1...20)
  }

  /// The bounds keep their size around the new center, except at the poles.
  @Test(arguments: [
    (Coordinate(lat: 0, lng: 0), Bounds(minLat: -10, minLng: -20, maxLat: 10, maxLng: 20)),
    (Coordinate(lat: 85, lng: 0), Bounds(minLat: 75, minLng: -20, maxLat: 90, maxLng: 20)),
    (Coordinate(lat: 0, lng: 170), Bounds(minLat: -10, minLng: 150, maxLat: 10, maxLng: -170)),
    (Coordinate(lat: 0, lng: -170), Bounds(minLat: -10, minLng: 170, maxLat: 10, maxLng: -150)),
  ])
  func boundsMoveWithTheCenter(_ center: Coordinate, _ expected: Bounds) async {
    let stage = MapStage()
    stage.map.input.boundsChanged.send(.init(minLat: 30, minLng: 10, maxLat: 50, maxLng: 50))
    await stage.reply([], hasMore: false)
    stage.map.input.searchBarTapped.send()
    stage.coordinator.outcome?.send(
      .finished(
        .place(Place(id: 7, name: "n", category: "c", lat: center.lat, lng: center.lng))))
    let call = await stage.repository.pages.next()
    #expect(call.question.query.bounds == expected)
  }

  /// Around any center, and at any latitude.
  @Test(arguments: [-170.0, 0, 127, 180])
  func wholeWorldStaysWhole(lng: Double) {
    let world = Bounds(minLat: -85, minLng: -180, maxLat: 85, maxLng: 180)
    let moved = world.moved(to: Coordinate(lat: 5, lng: lng))
    #expect(moved == Bounds(minLat: -80, minLng: -180, maxLat: 90, maxLng: 180))
  }

  @Test func boundsAcrossThe180thMeridianHaveTheirCenterInside() {
    let bounds = Bounds(minLat: -20, minLng: 176, maxLat: -10, maxLng: -178)
    #expect(bounds.center == Coordinate(lat: -15, lng: 179))
    let east = Bounds(minLat: 0, minLng: 178, maxLat: 0, maxLng: -170)
    #expect(east.center == Coordinate(lat: 0, lng: -176))
  }
}

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
    stage.coordinator.outcome?.send(.finished(.place(.number(99))))
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
