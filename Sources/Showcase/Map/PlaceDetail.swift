import Offstage

/// One place on a screen of its own. It knows nothing of the map.
final class PlaceDetail: Screen {
  static let kind = "placeDetail"

  enum Action: LoggableEvent {
    static let screen = "placeDetail"
    case didAppear
  }

  struct Argument: Codable, Sendable {
    let id: Int
  }

  struct Dependency {
    let id: Int
    let repository: any PlaceDetailRepository
    let person: PersonLocation
    let tracker: any EventTracker
  }

  typealias Input = DetailInput

  struct Output: StaleOutput {
    let place = Out<Place?>(nil)
    /// The category in words.
    let categoryTitle = Out("")
    let properties = Rows<PlacePropertyRow>()
    /// Meters from the person; nil if the person's location is unknown.
    let distance = Out<Int?>(nil)
    /// Such as `1.2 km`.
    let distanceText = Out<String?>(nil)
    /// The direction from the person; nil if the person's location is unknown.
    let direction = Out<CompassPoint?>(nil)
    /// The same in the person's language.
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
    dependency.person.coordinate.observe { [self] _ in show() }
    localizer.onChange { [self] in show() }
    details.start(on: input, output, .loadPlace, localizer)
  }

  private func show() {
    guard let details else { return }
    let (words, format) = (localizer.words, localizer.format)
    var place = details.place
    place.name = words.placeName(details.place)
    place.localName = words.otherPlaceName(details.place)
    output.categoryTitle.value = words.placeCategory(place.category)
    output.properties.reset(to: details.properties.rows(localizer))
    output.place.value = place
    let way = dependency.person.coordinate.value.map {
      dependency.repository.way(from: $0, to: place.coordinate)
    }
    output.distance.value = way?.distance
    output.distanceText.value = way.map { format.distance(meters: $0.distance) }
    output.direction.value = way?.direction
    output.directionText.value = way?.direction.map(words.direction)
  }
}

/// A property of a place as the screen shows it.
struct PlacePropertyRow: Identifiable, Codable, Hashable, Sendable {
  /// The name in the place's source.
  let id: String
  /// The name in the person's language.
  let title: String
  let value: String

  @CoreActor
  init(_ id: String, _ value: String, _ localizer: Localizer) {
    let words = localizer.words
    self.id = id
    title = words.placeProperty(id)
    self.value =
      switch (id, value) {
      case ("category", _): words.placeCategory(value)
      case ("opening_hours", _): words.openingHours.words(for: value)
      case (_, "yes"), (_, "true"): words.yes
      case (_, "no"), (_, "false"): words.no
      default: Self.measure(value, localizer) ?? value
      }
  }

  /// Writes a number of meters, such as `1950 m`; nil for anything else.
  @CoreActor
  private static func measure(_ value: String, _ localizer: Localizer) -> String? {
    guard value.hasSuffix(" m"), let meters = Int(value.dropLast(2)) else { return nil }
    return localizer.words.measure(localizer.format.number(meters), "m")
  }
}

extension [PlaceProperty] {
  /// The properties in the person's language: in Korean `address:ko` takes the place of `address`. A
  /// translation into another language of the app is left out.
  @CoreActor
  func rows(_ localizer: Localizer) -> [PlacePropertyRow] {
    let values = Dictionary(map { ($0.id, $0.value) }) { first, _ in first }
    let code = localizer.words.code
    return compactMap { property in
      let isTranslation = Languages.supported.map { ":\($0)" }.contains {
        property.id.hasSuffix($0) && values[String(property.id.dropLast($0.count))] != nil
      }
      if isTranslation { return nil }
      return PlacePropertyRow(
        property.id, values["\(property.id):\(code)"] ?? property.value, localizer)
    }
  }
}
