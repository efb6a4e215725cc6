import Offstage

/// One place on its own screen, independent of the map.
final class PlaceDetail: ViewModel {
  enum Action: LoggableEvent {
    static let screen = "placeDetail"
    case didAppear
  }

  struct Argument: Codable, Sendable {
    let id: Int
  }

  struct Dependency {
    let id: Int
    let repository: any PlaceRepository
    let userLocation: Out<Coordinate?>
    let tracker: any EventTracker
  }

  typealias Input = DetailInput

  struct Output: StaleOutput {
    let place = Out<Place?>(nil)
    /// The category in words.
    let categoryTitle = Out("", .subtitle)
    let properties = Rows<PlacePropertyRow>()
    /// The URI of a drawing of the ground around the place.
    let ground = Out("", .hidden)
    /// Meters from the user; nil if the user's location is unknown.
    let distance = Out<Int?>(nil, [.unit("m"), .hidden])
    /// For example, `1.2 km`.
    let distanceText = Out<String?>(nil)
    /// The direction from the user; nil if the user's location is unknown.
    let direction = Out<CompassPoint?>(nil, .hidden)
    /// The direction in the user's language.
    let directionText = Out<String?>(nil)
    let isLoading = Out(false)
    let isStale = Out(false)
    let staleSince = Out<Int?>(nil)
    let failure = Out<Failure?>(nil)
    let canRetry = Out(false)
    let failed = Event<Failure>()
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  private let localizer = Localizer()
  private let dependency: Dependency
  private var details: PlaceDetails?

  init(dependency: Dependency) {
    dependency.tracker.track(input.didAppear, as: Action.didAppear)
    self.dependency = dependency
    let (id, repository) = (dependency.id, dependency.repository)
    let details = Loader(
      repository.details(of: id).map { details in
        if let details { return details }
        throw LoadFailure(.notFound, "There is no place with the id \(id).", retryable: false)
      }, effects)
    details.values.observe { [self] in
      self.details = $0
      show()
    }
    output.ground.derive { [localizer] in GroundResource.uri(in: localizer.words) }
    dependency.userLocation.observe { [self] _ in show() }
    localizer.onChange { [self] in show() }
    // Before the observer that loads.
    input.retry.merge(input.refresh).observe { (_: Trigger) in repository.retry() }
    details.start(on: input, output, .loadPlace, localizer)
  }

  private func show() {
    guard let details else { return }
    let (words, format) = (localizer.words, localizer.format)
    var place = details.place
    place.name = words.placeName(details.place, format)
    place.localName = words.otherPlaceName(details.place)
    output.categoryTitle.value = words.placeCategory(place.category)
    output.properties.reset(to: details.properties.rows(words))
    output.place.value = place
    let way = dependency.userLocation.value.map {
      dependency.repository.way(from: $0, to: place.coordinate)
    }
    output.distance.value = way?.distance
    output.distanceText.value = way.map { format.distance(meters: $0.distance) }
    output.direction.value = way?.direction
    output.directionText.value = way?.direction.map(words.direction)
  }
}
