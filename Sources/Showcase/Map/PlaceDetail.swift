import Offstage

/// One place on a screen of its own. It knows nothing of the map.
final class PlaceDetail: Screen {
  static let kind = "placeDetail"

  struct Argument: Codable, Sendable {
    let id: Int
  }

  struct Dependency {
    let id: Int
    let repository: any PlaceDetailRepository
  }

  typealias Input = DetailInput

  struct Output: Ports {
    let place = Out<Place?>(nil)
    /// The category in words.
    let categoryTitle = Out("")
    let properties = Rows<PlacePropertyRow>()
    let isLoading = Out(false)
    /// The reason that there is nothing to show, such as an unknown id.
    let failure = Out<Failure?>(nil)
    let failed = Event<Failure>()
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  private let localizer = Localizer()
  private var details: (place: Place, properties: [PlaceProperty])?

  init(dependency: Dependency) {
    let repository = dependency.repository
    let place = Loader(effects) {
      (
        place: try await repository.place(id: dependency.id),
        properties: try await repository.properties(of: dependency.id)
      )
    }
    place.values.observe { [self] in
      details = $0
      show()
    }
    place.start(on: input, output.isLoading, output.failure, output.failed, .loadPlace, localizer)
    localizer.onChange { [self] in show() }
  }

  private func show() {
    guard let details else { return }
    let words = localizer.words
    var place = details.place
    place.name = words.placeName(details.place)
    place.localName = words.otherPlaceName(details.place)
    output.categoryTitle.value = words.placeCategory(place.category)
    output.properties.reset(
      to: details.properties.map { PlacePropertyRow($0, words) })
    output.place.value = place
  }
}

/// Loads a single place.
package protocol PlaceDetailRepository: Sendable {
  /// - Throws: `LoadFailure` (`notFound` for an unknown id), or `CancellationError` if the caller was
  ///   canceled.
  func place(id: Int) async throws -> Place

  /// Returns everything else that the place's source says about it, in the order of the source.
  /// - Throws: as ``place(id:)``.
  func properties(of id: Int) async throws -> [PlaceProperty]
}

extension PlaceDetailRepository {
  package func properties(of id: Int) async throws -> [PlaceProperty] { [] }
}

/// A property of a place as the screen shows it.
struct PlacePropertyRow: Identifiable, Codable, Hashable, Sendable {
  /// The name in the place's source.
  let id: String
  /// The name in the person's language.
  let title: String
  let value: String

  init(_ property: PlaceProperty, _ words: any Words) {
    id = property.id
    title = words.placeProperty(property.id)
    value = property.value
  }
}

/// Something that a place's source says about it, such as its opening hours.
package struct PlaceProperty: Identifiable, Codable, Hashable, Sendable {
  /// The name, which no other property of the place has.
  package let id: String
  package let value: String

  package init(name: String, value: String) {
    id = name
    self.value = value
  }
}
