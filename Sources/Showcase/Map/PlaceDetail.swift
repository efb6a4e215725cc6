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
      output.place.value = try await dependency.repository.place(id: dependency.id)
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
}
