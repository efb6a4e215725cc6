public import Offstage

/// One place on a screen of its own: it loads one, and knows nothing of the map.
public final class PlaceDetail: Screen {
  public static let kind = "placeDetail"

  public struct Argument: Codable, Sendable {
    public let id: Int

    public init(id: Int) { self.id = id }
  }

  public struct Dependency {
    public let id: Int
    public let repository: any PlaceDetailRepository

    public init(id: Int, repository: any PlaceDetailRepository) {
      self.id = id
      self.repository = repository
    }
  }

  public struct Input: Ports {
    public let didAppear = In<Trigger>()
    public let retry = In<Trigger>()
    public init() {}
  }

  public struct Output: Ports {
    public let place = Out<Place?>(nil)
    public let isLoading = Out(false)
    public let failed = Event<LoadFailure>()
    public init() {}
  }

  public let input = Input()
  public let output = Output()
  public let effects = Effects()

  private let dependency: Dependency

  public init(dependency: Dependency) {
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
