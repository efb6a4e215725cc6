import Offstage

/// Searches for places by name and finishes with the place that the user picks.
final class PlaceSearch: Screen {
  static let kind = "placeSearch"

  enum Action: LoggableEvent {
    static let screen = "placeSearch"
    case created, searched
    case placeTapped(id: Int)
  }

  struct Argument: Codable, Sendable {
    /// The point that distances are measured from; nil for the map's default center.
    var center: Coordinate?
  }

  struct Dependency {
    let center: Coordinate
    let repository: any PlaceSearchRepository
    let tracker: any EventTracker
  }

  struct Input: Ports {
    let queryText = Field("")
    let retry = In<Trigger>()
    let placeTapped = In<Int>()
  }

  struct Output: StaleOutput {
    let results = Rows<FoundPlace>()
    /// True from the first edit until the results arrive.
    let isSearching = Out(false)
    let hasNoResults = Out(false)
    let isLoading = Out(false)
    let isStale = Out(false)
    let staleSince = Out<Int?>(nil)
    let failure = Out<Failure?>(nil)
    let canRetry = Out(false)
    let failed = Event<Failure>()
  }

  typealias Result = Place

  /// The maximum number of results; typing another letter narrows them down.
  static let limit = 50

  let input = Input()
  let output = Output()
  let effects = Effects()

  private let localizer = Localizer()
  private var found: [Place] = []

  init(dependency: Dependency) {
    dependency.tracker.trackEvent(Action.created)
    dependency.tracker.track(input.placeTapped) { Action.placeTapped(id: $0) }
    let repository = dependency.repository
    let search = Pager(
      for: "", effects, limit: Self.limit,
      fetch: {
        repository.places(named: $0.query, limit: $0.limit).map { Page($0, hasMore: false) }
      }
    )
    output.bind(search, .searchPlaces, localizer)
    search.search(
      input.queryText, output.isSearching, output.hasNoResults, in: output.results, output.failure
    ) {
      dependency.tracker.trackEvent(Action.searched)
    } show: { [self] places in
      found = places
      showResults(dependency)
    }
    localizer.onChange { [self] in showResults(dependency) }
    input.retry.observe { search.retry() }
    input.placeTapped.expect("the id of a result") { [output] in output.results[$0] != nil }
    input.placeTapped.observe { [self] id in
      if let place = found.first(where: { $0.id == id }) { finish(place) }
    }
  }

  private func showResults(_ dependency: Dependency) {
    output.results.reset(
      to: found.map { [localizer] place in
        let meters = dependency.repository.meters(from: dependency.center, to: place.coordinate)
        return FoundPlace(place, distance: meters, localizer)
      })
  }
}

/// A search result. Its region and distance distinguish it from places with the same name.
struct FoundPlace: Identifiable, Codable, Hashable, Sendable, SchemaAnnotated {
  let id: Int
  /// The name in the user's language, if known.
  let name: String
  /// The name in another language, if known.
  let localName: String?
  /// The city, state, or country around it, if known.
  let region: String?
  let category: String
  /// The category in words.
  let categoryTitle: String
  let lat: Double
  let lng: Double
  let rating: Double?
  /// Meters from the map's center.
  let distance: Int
  /// For example, `1.2 km`.
  let distanceText: String

  @CoreActor
  init(_ place: Place, distance: Int, _ localizer: Localizer) {
    id = place.id
    name = localizer.words.placeName(place)
    localName = localizer.words.otherPlaceName(place)
    region = place.region
    category = place.category
    categoryTitle = localizer.words.placeCategory(place.category)
    lat = place.lat
    lng = place.lng
    rating = place.rating
    self.distance = distance
    distanceText = localizer.format.distance(meters: distance)
  }

  static var meanings: [PartialKeyPath<Self>: Meaning] { [\.distance: .unit("m")] }
}

/// Finds places by name.
package protocol PlaceSearchRepository: Sendable {
  /// Fetches places whose name contains `text` in either language. Names that start with it come
  /// first.
  func places(named text: String, limit: Int) -> Fetch<[Place]>

  /// Returns the great-circle distance, rounded to meters.
  func meters(from: Coordinate, to: Coordinate) -> Int
}
