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

  struct Input: Ports {
    let didAppear = In<Trigger>()
    let retry = In<Trigger>()
  }

  struct Output: Ports {
    let place = Out<Place?>(nil)
    let properties = Rows<PlaceProperty>()
    let isLoading = Out(false)
    let failed = Event<LoadFailure>()
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  private let dependency: Dependency

  init(dependency: Dependency) {
    self.dependency = dependency
    output.isLoading.bind(effects.activity("load"))
    input.didAppear.merge(input.retry).observe { [self] (_: Trigger) in load() }
    load()
  }

  private func load() {
    guard output.place.value == nil else { return }
    effects.run("load", .keepFirst) { [self] in
      let place = try await dependency.repository.place(id: dependency.id)
      output.properties.reset(to: try await dependency.repository.properties(of: dependency.id))
      output.place.value = place
    } catch: { [self] error in
      output.failed.send(LoadFailure(error))
    }
  }
}

/// Loads a single place.
public protocol PlaceDetailRepository: Sendable {
  /// - Throws: `LoadFailure` (`notFound` for an unknown id), or `CancellationError` if the caller was
  ///   cancelled.
  func place(id: Int) async throws -> Place

  /// Returns everything else that the place's source says about it, in the order of the source.
  /// - Throws: as ``place(id:)``.
  func properties(of id: Int) async throws -> [PlaceProperty]
}

extension PlaceDetailRepository {
  public func properties(of id: Int) async throws -> [PlaceProperty] { [] }
}

/// Something that a place's source says about it, such as its opening hours.
public struct PlaceProperty: Identifiable, Codable, Hashable, Sendable {
  /// The name, which no other property of the place has.
  public let id: String
  public let value: String

  public init(name: String, value: String) {
    id = name
    self.value = value
  }
}
