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
    let properties = Rows<PlaceProperty>()
    let isLoading = Out(false)
    /// The reason that there is nothing to show, such as an unknown id.
    let failure = Out<LoadFailure?>(nil)
    let failed = Event<LoadFailure>()
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  init(dependency: Dependency) {
    let repository = dependency.repository
    let place = Loader(effects) {
      (
        place: try await repository.place(id: dependency.id),
        properties: try await repository.properties(of: dependency.id)
      )
    }
    place.values.observe { [self] in
      output.properties.reset(to: $0.properties)
      output.place.value = $0.place
    }
    place.start(on: input, output.isLoading, output.failure, output.failed)
  }
}

/// Loads a single place.
package protocol PlaceDetailRepository: Sendable {
  /// - Throws: `LoadFailure` (`notFound` for an unknown id), or `CancellationError` if the caller was
  ///   cancelled.
  func place(id: Int) async throws -> Place

  /// Returns everything else that the place's source says about it, in the order of the source.
  /// - Throws: as ``place(id:)``.
  func properties(of id: Int) async throws -> [PlaceProperty]
}

extension PlaceDetailRepository {
  package func properties(of id: Int) async throws -> [PlaceProperty] { [] }
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
