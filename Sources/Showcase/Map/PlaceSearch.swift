import Offstage

/// Searches places by name and finishes with the one that is picked.
final class PlaceSearch: Screen {
  static let kind = "placeSearch"

  struct Argument: Codable, Sendable {
    /// The point that distances are measured from; nil for the map's default center.
    var center: Coordinate?
  }

  struct Dependency {
    var center = Coordinate.seoulCityHall
    let repository: any PlaceSearchRepository
  }

  struct Input: Ports {
    let queryText = Field("")
    let retry = In<Trigger>()
    let placeTapped = In<Int>()
  }

  struct Output: Ports {
    let query = Out("")
    let results = Rows<FoundPlace>()
    let isLoading = Out(false)
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
    output.query.bind(input.queryText)
    output.isLoading.bind(effects.activity("search"))
    input.queryText.edits.debounce(.milliseconds(300)).observe { [self] (_: String) in
      search(dependency)
    }
    input.retry.observe { [self] in search(dependency) }
    input.placeTapped.expect("the id of a result") { [output] in output.results[$0] != nil }
    input.placeTapped.observe { [self] id in
      if let place = found.first(where: { $0.id == id }) { finish(place) }
    }
    localizer.onChange { [self] in showResults(dependency) }
  }

  /// Searches for the current query. The newest query wins, however long an older one takes.
  private func search(_ dependency: Dependency) {
    let repository = dependency.repository
    let query = output.query.value
    guard !query.isEmpty else {
      effects.cancel("search")
      found = []
      return showResults(dependency)
    }
    effects.run("search", .latest) { [self] in
      let found = try await repository.places(named: query, limit: Self.limit)
      // A newer query may have replaced this one while its results were on their way.
      try Task.checkCancellation()
      self.found = found
      showResults(dependency)
    } catch: { [self] error in
      output.failed.send(localizer.report(error, .searchPlaces))
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

/// A search result: of several places with one name, the region and the distance tell which is which.
struct FoundPlace: Identifiable, Codable, Hashable, Sendable {
  let id: Int
  /// The name in the person's language, if known.
  let name: String
  /// The name in another language, if known.
  let localName: String?
  /// The city, state or country around it, if known.
  let region: String?
  let category: String
  let lat: Double
  let lng: Double
  let rating: Double?
  /// Meters from the map's center.
  let distance: Int
  /// Such as `1.2 km`.
  let distanceText: String

  @CoreActor
  init(_ place: Place, distance: Int, _ localizer: Localizer) {
    id = place.id
    name = localizer.words.placeName(place)
    localName = localizer.words.otherPlaceName(place)
    region = place.region
    category = place.category
    lat = place.lat
    lng = place.lng
    rating = place.rating
    self.distance = distance
    distanceText = localizer.format.distance(meters: distance)
  }
}

extension FoundPlace: SchemaAnnotated {
  static var meanings: [PartialKeyPath<Self>: Meaning] { [\.distance: .unit("m")] }
}

/// Finds places by name.
package protocol PlaceSearchRepository: Sendable {
  /// Returns the places whose name, in either language, contains `text`. Those whose name starts
  /// with it come first.
  /// - Throws: `LoadFailure`, or `CancellationError` if the caller was canceled.
  func places(named text: String, limit: Int) async throws -> [Place]

  /// Returns the great-circle distance, rounded to meters.
  func meters(from: Coordinate, to: Coordinate) -> Int
}
