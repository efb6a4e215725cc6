import Offstage
import OffstageTesting
import Testing

@testable import Showcase

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
    stage.coordinator.result?.send(.place(place))
    #expect(stage.map.output.center.value == place.coordinate)
    let call = await stage.repository.pages.next()
    #expect(call.question.query.center == place.coordinate)
    #expect(call.question.query.bounds == .there)
  }

  @Test func pickedPlaceIsOpenWhateverThePage() async {
    let stage = await MapStage.appeared()
    stage.coordinator.result?.send(nil)
    stage.map.input.searchBarTapped.send()
    stage.coordinator.result?.send(.place(.number(99)))
    stage.check(places: [99], markers: Array(1...20) + [99], hasMore: false, isLoading: true)
    await stage.reply(30...40)
    await stage.replyDetails([99])
    stage.check(places: [99], markers: Array(30...40) + [99], hasMore: false)
  }

  @Test func dismissedSearchChangesNothing() async {
    let stage = await MapStage.appeared()
    stage.map.input.searchBarTapped.send()
    stage.coordinator.result?.send(nil)
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
    stage.coordinator.result?.send(
      .place(Place(id: 7, name: "n", category: "c", lat: center.lat, lng: center.lng)))
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
