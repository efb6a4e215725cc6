import Offstage
import Showcase

/// Places that come when the test says so.
final class MockPlaces: MapRepository, PlaceSearchRepository, PlaceDetailRepository {
  /// What a page was asked for.
  struct Request: Hashable, Sendable {
    let query: PlaceQuery
    let page: Int
    let size: Int
  }

  let pages: Asked<Request, Page<Place>>
  let details: Asked<Int, [Place]>
  let searches: Asked<String, [Place]>
  let single = Asked<Int, Place>()

  init(heedsCancellation: Bool = true) {
    pages = Asked(heedsCancellation: heedsCancellation)
    details = Asked(heedsCancellation: heedsCancellation)
    searches = Asked(heedsCancellation: heedsCancellation)
  }

  func places(_ query: PlaceQuery, page: Int, size: Int) async throws -> Page<Place> {
    try await pages(Request(query: query, page: page, size: size))
  }

  func details(of id: Int) async throws -> [Place] { try await details(id) }

  func places(named text: String, limit: Int) async throws -> [Place] { try await searches(text) }

  func place(id: Int) async throws -> Place { try await single(id) }
}

/// Notes what the map asked its coordinator for, in the article's words.
@CoreActor
final class MockMapCoordinator: MapCoordinator {
  private(set) var calls: [String] = []
  private(set) var outcome: In<Outcome<Place>>?

  func showSearch(into outcome: In<Outcome<Place>>) {
    calls.append("showSearch was called")
    self.outcome = outcome
  }

  func showPlace(id: Int) { calls.append("showPlace was called, with \(id)") }
}

extension Place {
  /// A place of some kind: the even ones are parks, the others museums.
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
