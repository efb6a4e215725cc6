package import Offstage

/// Searches for places by name and finishes with the place that the user picks, or with the search,
/// for a map of all results. It opens with the text of the search before.
final class PlaceSearch: ViewModel {
  enum Action: LoggableEvent {
    static let screen = "placeSearch"
    case created, searched, showAllTapped
    case placeTapped(id: Int)
    case recentTapped
  }

  struct Argument: Codable, Sendable {
    /// The point that distances are measured from; nil for the map's default center.
    var center: Coordinate?
  }

  struct Dependency {
    let center: Coordinate
    /// The text of the newest search.
    let text: Out<String>
    /// The texts of earlier searches, the newest first.
    let recents: Out<[String]>
    /// Adds a text to them.
    let remember: (String) -> Void
    let repository: any PlaceRepository
    let tracker: any EventTracker
  }

  struct Input: Ports {
    let queryText = Field("")
    let reachedEnd = In<Trigger>(.end(of: \Output.results))
    let retry = In<Trigger>()
    let placeTapped = In<Int>()
    /// Searches again for the text of an earlier search.
    let recentTapped = In<String>()
    /// Shows all results on the map, once there are some.
    let showAllTapped = In<Trigger>(.enabled(by: \Output.canShowAll))
  }

  struct Output: StaleOutput {
    let results = Rows<FoundPlace>()
    /// The newest searches, while there is no text.
    let recents = Rows<RecentSearch>()
    /// True from the first edit until the results arrive.
    let isSearching = Out(false, .busy(of: \Output.results))
    let hasNoResults = Out(false)
    let canShowAll = Out(false)
    let hasMore = Out(false)
    let isLoading = Out(false, .busy(of: \Output.results))
    let isStale = Out(false)
    let staleSince = Out<Int?>(nil, .stale(of: \Output.results))
    let failure = Out<Failure?>(nil)
    let canRetry = Out(false)
    let failed = Event<Failure>()
  }

  typealias Result = PlaceSearchResult

  /// The number of results on a page.
  static let pageSize = 20

  let input = Input()
  let output = Output()
  let effects = Effects()

  private let localizer = Localizer()
  /// True if all results are to be shown once they arrive.
  private let isSubmitted = Kept(false)

  init(dependency: Dependency) {
    dependency.tracker.trackEvent(Action.created)
    dependency.tracker.track(input.placeTapped) { Action.placeTapped(id: $0) }
    dependency.tracker.track(input.showAllTapped, as: Action.showAllTapped)
    let (repository, center) = (dependency.repository, dependency.center)
    let search = Pager(
      for: "", effects, limit: Self.pageSize,
      fetch: { request in
        repository.places(
          PlaceSearchQuery(text: request.query, center: center), page: request.page,
          size: request.limit)
      })
    let row = { [localizer] (place: Place) in
      let way = repository.way(from: center, to: place.coordinate)
      return FoundPlace(place, query: search.query, distance: way.distance, localizer.format)
    }
    output.bind(search, .searchPlaces, localizer)
    search.search(
      input.queryText, input.reachedEnd, output.isSearching, output.hasNoResults, output.hasMore,
      in: output.results, output.failure, row: row
    ) {
      dependency.tracker.trackEvent(Action.searched)
    }
    localizer.onChange { [output] in output.results.reset(to: search.items.map(row)) }
    input.retry.observe {
      repository.retry()
      search.retry()
    }
    input.placeTapped.expect("the id of a result") { [output] in output.results[$0] != nil }
    input.placeTapped.observe { [self] id in
      guard let place = search.items.first(where: { $0.id == id }) else { return }
      dependency.remember(search.query)
      finish(.place(place))
    }
    combineLatest(input.queryText, dependency.recents).observe { [output] in
      output.recents.reset(to: $0.isBlank ? $1.map { RecentSearch(id: $0, text: $0) } : [])
    }
    dependency.tracker.track(input.recentTapped) { _ in Action.recentTapped }
    input.recentTapped.expect("the id of a recent search") { [output] in output.recents[$0] != nil }
    input.recentTapped.observe { [input] in
      input.queryText.value = $0
      search.reload(with: $0)
    }
    output.canShowAll.derive { [input, output] in
      !input.queryText.value.isBlank && !output.hasNoResults.value
    }
    let showAll = { [self] in
      guard isSubmitted.value, !search.items.isEmpty else { return }
      dependency.remember(search.query)
      finish(.all(PlaceSearchQuery(text: search.query, center: center)))
    }
    input.showAllTapped.observe { [self] in
      isSubmitted.value = true
      // The results of what has just been typed are on their way.
      if output.isSearching.value { return }
      if output.failure.value == nil { showAll() } else { search.retry() }
    }
    input.queryText.edits.observe { [isSubmitted] _ in isSubmitted.value = false }
    search.values.observe { _ in showAll() }
    input.queryText.value = dependency.text.value
    input.queryText.observe { dependency.text.value = $0 }
    // It is cleared once another account has signed in.
    dependency.text.observe { [input] in input.queryText.value = $0 }
    if !input.queryText.value.isBlank { search.reload(with: input.queryText.value) }
  }
}

/// A search result. Its region and distance distinguish it from places with the same name.
struct FoundPlace: Identifiable, Codable, Hashable, Sendable, SchemaAnnotated {
  let id: Int
  /// The name in the user's language, if known.
  let name: String
  /// The name before, in, and after what the search has found; one part if it is not in this name.
  let nameParts: [String]
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

  init(_ place: Place, query: String, distance: Int, _ format: Format) {
    id = place.id
    name = format.words.placeName(place, format)
    nameParts = name.parts(around: query)
    localName = format.words.otherPlaceName(place)
    region = place.region
    category = place.category
    categoryTitle = format.words.placeCategory(place.category)
    lat = place.lat
    lng = place.lng
    rating = place.rating
    self.distance = distance
    distanceText = format.distance(meters: distance)
  }

  static var meanings: [PartialKeyPath<Self>: Meaning] {
    [
      \.nameParts: .hidden, \.localName: .subtitle, \.category: .hidden, \.lat: .hidden,
      \.lng: .hidden,
      \.distance: [.unit("m"), .hidden], \.distanceText: .accessory,
    ]
  }
}

/// The user's pick in the search.
package enum PlaceSearchResult: Union {
  case place(Place)
  /// All places that a search finds.
  case all(PlaceSearchQuery)

  package static let alternatives: [Alternative<Self>] = [
    Alternative("place", Self.place) { if case .place(let place) = $0 { place } else { nil } },
    Alternative("all", Self.all) { if case .all(let search) = $0 { search } else { nil } },
  ]
}

/// A search for places.
package struct PlaceSearchQuery: Codable, Hashable, Sendable {
  package var text: String
  /// The point from which distances are measured.
  package var center: Coordinate
}
