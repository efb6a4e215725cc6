public import Offstage

/// One title in full, with its own kind's data: it loads one, and knows nothing of the shelves.
public final class TitleDetail: Screen {
  public static let kind = "titleDetail"

  public struct Argument: Codable, Sendable {
    /// The title's key, as cards give it.
    public let key: String

    public init(key: String) { self.key = key }
  }

  public struct Dependency {
    public let key: String
    public let repository: any LibraryRepository

    public init(key: String, repository: any LibraryRepository) {
      self.key = key
      self.repository = repository
    }
  }

  public struct Input: Ports {
    public let didAppear = In<Trigger>()
    public let retry = In<Trigger>()
    public init() {}
  }

  public struct Output: Ports {
    public let detail = Out<TitleDetails?>(nil)
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
    guard output.detail.value == nil else { return }
    effects.run("load", .keepFirst) { [self] in
      output.detail.value = TitleDetails(try await dependency.repository.title(key: dependency.key))
    } catch: { [self] error in
      output.failed.send(LoadFailure(error))
    }
  }
}
