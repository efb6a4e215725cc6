import Offstage
import OffstageTesting
import Testing

@testable import Showcase

/// The list of all places.
@Suite @CoreActor struct AllPlacesTests {
  private let core = TestCore()
  private let coordinator = MockMapCoordinator()
  private let tracker = MockTracker()
  private let places: AllPlaces

  init() {
    let (coordinator, tracker) = (coordinator, tracker)
    places = core.show {
      AllPlaces(
        dependency: .init(
          repository: MockPlaces(), coordinator: coordinator, tracker: tracker))
    }
  }

  @Test func namesAndCategoriesAreInTheLanguageOfTheUser() async {
    await turns()
    #expect(places.output.places.total == 3)
    #expect(places.output.places.values.map(\.name) == ["number 1", "number 2", "number 3"])
    #expect(
      places.output.places.values.map(\.categoryTitle) == ["Art museum", "Park", "Art museum"])
    core.locale = UserLocale(language: "ko", timeZone: "Asia/Seoul")
    await turns()
    #expect(places.output.places.values.map(\.id) == [3, 2, 1])
    #expect(places.output.places.values.map(\.categoryTitle) == ["미술관", "공원", "미술관"])
  }

  @Test func aTapIsTrackedAndShowsThePlace() async {
    await turns()
    places.input.placeTapped.send(2)
    #expect(tracker.calls.all == ["allPlaces.placeTapped id=2"])
    #expect(coordinator.calls == ["showPlace was called, with 2"])
  }
}
