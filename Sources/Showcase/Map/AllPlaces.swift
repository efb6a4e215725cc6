import Offstage

/// All places by name, however many there are: the document has a window of them.
final class AllPlaces: ViewModel {
  enum Action: LoggableEvent {
    static let screen = "allPlaces"
    case didAppear
    case placeTapped(id: Int)
  }

  struct Dependency {
    let repository: any PlaceRepository
    let coordinator: any AllPlacesCoordinator
    let tracker: any EventTracker
  }

  struct Input: Ports {
    let didAppear = In<Trigger>()
    let placeTapped = In<Int>()
  }

  struct Output: Ports {
    let places = Rows<ListedPlace>.windowed()
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  private let localizer = Localizer()

  init(dependency: Dependency) {
    dependency.tracker.track(input.didAppear, as: Action.didAppear)
    dependency.tracker.track(input.placeTapped) { Action.placeTapped(id: $0) }
    let load = { [output, localizer] in
      output.places.load(
        from: dependency.repository.all(in: localizer.language).map {
          ListedPlace($0, localizer.format)
        }, failure: localizer.text(of:))
    }
    load()
    // The order depends on the language.
    localizer.onChange(load)
    input.placeTapped.observe { dependency.coordinator.showPlace(id: $0) }
  }
}

/// A place in the list of all places.
struct ListedPlace: Identifiable, Codable, Hashable, Sendable, SchemaAnnotated {
  let id: Int
  /// The name in the user's language, if known.
  let name: String
  /// The name in another language, if known.
  let localName: String?
  /// The category in words.
  let categoryTitle: String

  init(_ place: Place, _ format: Format) {
    id = place.id
    name = format.words.placeName(place, format)
    localName = format.words.otherPlaceName(place)
    categoryTitle = format.words.placeCategory(place.category)
  }

  static var meanings: [PartialKeyPath<Self>: Meaning] {
    [\.localName: .subtitle, \.categoryTitle: .accessory]
  }
}

@CoreActor
protocol AllPlacesCoordinator: AnyObject {
  func showPlace(id: Int)
}
