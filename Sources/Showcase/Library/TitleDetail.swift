import Offstage

/// One title with the facts of its kind. It knows nothing of the shelves.
final class TitleDetail: Screen {
  static let kind = "titleDetail"

  struct Argument: Codable, Sendable {
    /// The title's key.
    let key: String
  }

  struct Dependency {
    let key: String
    let repository: any LibraryRepository
  }

  struct Input: Ports {
    let didAppear = In<Trigger>()
    let retry = In<Trigger>()
  }

  struct Output: Ports {
    let detail = Out<TitleDetails?>(nil)
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
    guard output.detail.value == nil else { return }
    effects.run("load", .keepFirst) { [self] in
      output.detail.value = TitleDetails(try await dependency.repository.title(key: dependency.key))
    } catch: { [self] error in
      output.failed.send(LoadFailure(error))
    }
  }
}

/// A title as its own screen shows it; the same shape for every kind of model.
struct TitleDetails: Codable, Hashable, Sendable {
  let id: String
  let title: String
  /// A portrait, as a URL that opens without the network.
  let image: String
  /// In the order to show them.
  let facts: [Fact]

  init(_ model: any LibraryModel) {
    id = model.face.key
    title = model.face.title
    image = model.face.images.portrait
    facts = model.facts
  }
}
