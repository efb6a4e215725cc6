public import Offstage

/// The shelves of the library: titles of every kind, in every kind of view.
public final class Library: Screen {
  public static let kind = "library"

  public struct Dependency {
    public let repository: any LibraryRepository
    public let matrix: CardMatrix
    public let coordinator: any LibraryCoordinator

    public init(
      repository: any LibraryRepository, matrix: CardMatrix, coordinator: any LibraryCoordinator
    ) {
      self.repository = repository
      self.matrix = matrix
      self.coordinator = coordinator
    }
  }

  public struct Input: Ports {
    public let didAppear = In<Trigger>()
    public let retry = In<Trigger>()
    public let cardTapped = In<CardPlace>()
    /// Bookmarks a title or takes its bookmark away. Only films can be bookmarked; a tap on another
    /// title means nothing.
    public let bookmarkTapped = In<CardPlace>()
    public init() {}
  }

  public struct Output: Ports {
    public let shelves = Rows<Shelf>()
    public let isLoading = Out(false)
    public let failed = Event<LoadFailure>()
    public init() {}
  }

  public let input = Input()
  public let output = Output()
  public let effects = Effects()

  private let dependency: Dependency
  private var content: LibraryContent?
  /// What was tapped since the shelves were last asked for: newer than what comes.
  private var tapped: [String: Bool] = [:]

  public init(dependency: Dependency) {
    self.dependency = dependency
    output.isLoading.bind(effects.activity("load"))
    input.didAppear.merge(input.retry).observe { [self] (_: Trigger) in load() }
    input.cardTapped.observe { [self] place in
      if let card = card(at: place) { dependency.coordinator.showTitle(card.selection) }
    }
    input.bookmarkTapped.observe { [self] in toggleBookmark(at: $0) }
  }

  /// Asks every time it appears: another screen may have changed what is on the shelves.
  private func load() {
    effects.run("load", .keepFirst) { [self] in
      tapped = tapped.filter { effects.isRunning(saving($0.key)) }
      var content = try await dependency.repository.library()
      for (key, isBookmarked) in tapped { content.setBookmarked(isBookmarked, key) }
      try show(content)
    } catch: { [self] error in
      output.failed.send(LoadFailure(error))
    }
  }

  private func show(_ content: LibraryContent) throws {
    output.shelves.reset(to: try content.shelves(dependency.matrix))
    self.content = content
  }

  private func toggleBookmark(at place: CardPlace) {
    guard let key = card(at: place)?.selection.key, let content,
      content[key]?.canBeBookmarked == true
    else { return }
    let isBookmarked = content.isBookmarked(key)
    effects.optimistic(saving(key), from: isBookmarked, to: !isBookmarked) { [self] in
      show(bookmarked: $0, key)
    } save: { [dependency] in
      try await dependency.repository.setBookmarked($0, key: key)
    } catch: { [self] error in
      output.failed.send(LoadFailure(error))
    }
  }

  private func show(bookmarked isBookmarked: Bool, _ key: String) {
    tapped[key] = isBookmarked
    guard var content else { return }
    content.setBookmarked(isBookmarked, key)
    do { try show(content) } catch { output.failed.send(LoadFailure(error)) }
  }

  private func saving(_ key: String) -> String { "bookmark \(key)" }

  private func card(at place: CardPlace) -> Card? {
    output.shelves[place.shelf]?.cards.first { $0.id == place.card }
  }
}

/// Where the library can lead.
@CoreActor
public protocol LibraryCoordinator {
  func showTitle(_ selection: Selection)
}
