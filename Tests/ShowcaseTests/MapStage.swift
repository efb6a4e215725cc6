import Offstage
import OffstageTesting
import Synchronization
import Testing

@testable import Showcase

/// A map with a mock repository and a mock coordinator.
@CoreActor
struct MapStage {
  let core: TestCore
  let repository: MockPlaces
  let coordinator = MockMapCoordinator()
  let switches = Relay<Trigger>()
  let map: Map
  let failures: Events<Failure>

  init(heedsCancellation: Bool = true, capabilities: Set<String> = []) {
    let core = TestCore(capabilities: capabilities)
    let repository = MockPlaces(heedsCancellation: heedsCancellation)
    let (coordinator, switches) = (coordinator, switches)
    self.core = core
    self.repository = repository
    map = core.show {
      Map(
        dependency: .init(
          repository: repository, coordinator: coordinator, userLocation: Out(nil),
          accountSwitches: switches.signal,
          welcome: Preference(.unread, "welcome", in: NoSettings()), tracker: MockTracker()))
    }
    failures = Events(of: map.output.failed)
  }

  /// Returns a stage whose first page is loaded.
  static func appeared(heedsCancellation: Bool = true) async -> MapStage {
    let stage = MapStage(heedsCancellation: heedsCancellation)
    stage.map.input.didAppear.send()
    await stage.reply(1...20)
    return stage
  }

  func reply(_ ids: some Sequence<Int>, hasMore: Bool = true) async {
    await repository.pages.next().reply(Page(ids, hasMore: hasMore))
    await turns()
  }

  func fail() async {
    await repository.pages.next().fail(LoadFailure.offline)
    await turns()
  }

  func replyDetails(_ ids: [Int]) async {
    await repository.details.next().reply(ids.first.map { PlaceDetails(.number($0)) })
    await turns()
  }

  /// Picks all results in the search.
  func showAll(_ text: String) {
    map.input.searchBarTapped.send()
    let search = PlaceSearchQuery(text: text, center: map.output.center.value)
    coordinator.result?.send(.all(search))
  }

  func replyResults(_ ids: [Int], hasMore: Bool = true) async {
    await repository.searches.next().reply(Page(ids, hasMore: hasMore))
    await turns()
  }

  /// The requested page numbers.
  var pages: [Int] { repository.pages.questions.map(\.page) }

  /// Compares the output.
  /// - Parameter markers: nil if they match the places.
  func check(
    places: some Sequence<Int>, markers: [Int]? = nil, hasMore: Bool = true,
    isLoading: Bool = false, at location: SourceLocation = #_sourceLocation
  ) {
    let output = map.output
    let places = Array(places)
    #expect(output.places.values.map(\.id) == places, sourceLocation: location)
    #expect(output.markers.values.map(\.id) == markers ?? places, sourceLocation: location)
    #expect(output.hasMore.value == hasMore, sourceLocation: location)
    #expect(output.isLoading.value == isLoading, sourceLocation: location)
    // Every place names an existing section, and every section has a place.
    #expect(
      Set(output.places.values.map(\.section)) == Set(output.sections.values.map(\.id)),
      sourceLocation: location)
  }
}

/// Returns places when the test replies.
final class MockPlaces: PlaceRepository {
  /// The arguments of a page request.
  struct Request: Hashable, Sendable {
    let query: PlaceQuery
    let page: Int
    let size: Int
  }

  let pages: Asked<Request, Page<Place>>
  let details: Asked<Int, PlaceDetails?>
  let searches: Asked<String, Page<Place>>

  init(heedsCancellation: Bool = true) {
    pages = Asked(heedsCancellation: heedsCancellation)
    details = Asked(heedsCancellation: heedsCancellation)
    searches = Asked(heedsCancellation: heedsCancellation)
  }

  func places(_ query: PlaceQuery, page: Int, size: Int) -> Fetch<Page<Place>> {
    Fetch { try await self.pages(Request(query: query, page: page, size: size)) }
  }

  /// The cells of the map, whatever its bounds.
  let grid = Mutex<[PlaceCell]>([])

  func cells(in bounds: Bounds, degrees: Double) -> Fetch<[PlaceCell]> {
    Fetch { self.grid.withLock { $0 } }
  }

  func details(of id: Int) -> Fetch<PlaceDetails?> { Fetch { try await self.details(id) } }

  /// Places 1 to 3, backward in Korean.
  func all(in language: LanguageTag) -> any RowProvider<Place> {
    NumberedPlaces(ids: language == "ko" ? [3, 2, 1] : [1, 2, 3])
  }

  func places(_ search: PlaceSearchQuery, page: Int, size: Int) -> Fetch<Page<Place>> {
    Fetch { try await self.searches(page == 0 ? search.text : "\(search.text) page \(page)") }
  }

  func way(from: Coordinate, to: Coordinate) -> Way {
    Way(distance: Int((to.lat - from.lat) * 1000), direction: .north)
  }
}

private struct NumberedPlaces: RowProvider {
  let ids: [Int]

  func count() async throws -> Int { ids.count }
  func rows(in range: Range<Int>) async throws -> [Place] { ids[range].map(Place.number) }
}

/// Settings without any changes.
struct NoSettings: SettingsRepository {
  func values(as owner: Owner) async throws -> [String: String] { [:] }
  func installationID() async throws -> String { "" }
  func firstStart(now: Duration) async throws -> Duration { .zero }
  func set(_ name: String, to value: String?, as owner: Owner) async throws {}
}

/// Records the coordinator calls.
@CoreActor
final class MockMapCoordinator: MapCoordinator, AllPlacesCoordinator {
  private(set) var calls: [String] = []
  private(set) var result: In<PlaceSearchResult?>?

  func showSearch(from center: Coordinate, into result: In<PlaceSearchResult?>) {
    calls.append("showSearch was called")
    self.result = result
  }

  func showAllPlaces() { calls.append("showAllPlaces was called") }
  func showPlace(id: Int) { calls.append("showPlace was called, with \(id)") }
  func showAlert(_ error: any Error) { calls.append("showAlert was called, with \(error)") }
}

extension Place {
  /// Returns a park for an even number, or a museum for an odd one.
  static func number(_ id: Int) -> Place {
    Place(
      id: id, name: "number \(id)", category: id.isMultiple(of: 2) ? "park" : "art_museum",
      lat: 37 + Double(id) / 1000, lng: 127)
  }
}

extension Page<Place> {
  init(_ ids: some Sequence<Int>, hasMore: Bool = true) {
    self.init(ids.map(Place.number), hasMore: hasMore)
  }
}

extension Bounds {
  static let here = Bounds(minLat: 37, minLng: 126.5, maxLat: 37.5, maxLng: 127.5)
  static let there = Bounds(minLat: 35, minLng: 128, maxLat: 35.5, maxLng: 129)
}
