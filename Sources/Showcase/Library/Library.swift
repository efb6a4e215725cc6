import Offstage

/// The shelves of the library: titles of every kind, in every kind of view.
final class Library: Screen {
  static let kind = "library"

  enum Action: LoggableEvent {
    static let screen = "library"
    case didAppear
    case cardTapped(key: String)
    case bookmarkTapped(key: String)
  }

  struct Dependency {
    let repository: any LibraryRepository
    let matrix: CardMatrix
    let changes: LibraryChanges
    let coordinator: any LibraryCoordinator
    let tracker: any EventTracker
  }

  struct Input: Ports {
    let didAppear = In<Trigger>()
    let retry = In<Trigger>()
    let cardTapped = In<CardPlace>(.row(of: \Output.shelves, \.cards, as: \.shelf, \.card))
    /// Adds or removes a movie's bookmark. Ignored for other titles.
    let bookmarkTapped = In<CardPlace>(.row(of: \Output.shelves, \.cards, as: \.shelf, \.card))
  }

  struct Output: StaleOutput {
    let shelves = Rows<Shelf>()
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

  private let dependency: Dependency
  private let localizer = Localizer()
  private var content: LibraryContent?
  private lazy var bookmarks = effects.task()
  /// The records changed since the last load started; they are newer than its result.
  private var changed: [String: PersonalRecord] = [:]

  init(dependency: Dependency) {
    self.dependency = dependency
    for tapped in [input.cardTapped, input.bookmarkTapped] {
      tapped.expect("the place of a card") { [self] in card(at: $0) != nil }
    }
    dependency.tracker.track(input.didAppear, as: Action.didAppear)
    dependency.tracker.track(input.cardTapped) { Action.cardTapped(key: $0.card) }
    dependency.tracker.track(input.bookmarkTapped) { Action.bookmarkTapped(key: $0.card) }
    let library = Loader(effects) { [self] in
      changed = changed.filter { bookmarks[$0.key].isRunning }
      var content = try await dependency.repository.library()
      for (key, record) in changed { content.setRecord(record, of: key) }
      return (content, try content.shelves(dependency.matrix, localizer.words))
    }
    output.bind(library, .loadLibrary, localizer)
    library.values.observe { [self] in show($0.0, $0.1) }
    // On every appearance, since other screens change bookmarks and progress.
    input.didAppear.observe { library.reload() }
    input.retry.observe { library.load() }
    input.cardTapped.observe { [self] place in
      if let card = card(at: place) { dependency.coordinator.showTitle(card.selection) }
    }
    input.bookmarkTapped.observe { [self] in toggleBookmark(at: $0) }
    dependency.changes.records.observe { [self] in show($0.record, of: $0.key) }
    dependency.changes.invalidations.observe { [self] (_: Trigger) in
      guard content != nil else { return }
      output.shelves.removeAll()
      content = nil
      library.reload()
    }
    localizer.onChange { [self] in
      if let content { reshow(content) }
    }
  }

  private func show(_ content: LibraryContent, _ shelves: [Shelf]) {
    output.shelves.reset(to: shelves)
    self.content = content
  }

  private func toggleBookmark(at place: CardPlace) {
    guard let key = card(at: place)?.selection.key, let content,
      content[key]?.model.canBeBookmarked == true
    else { return }
    let isBookmarked = content.record(of: key).isBookmarked
    bookmarks[key].optimistic(from: isBookmarked, to: !isBookmarked, outlivesScreen: true) {
      [self] in
      guard var record = self.content?.record(of: key) else { return }
      record.isBookmarked = $0
      // The title's own screen may be open.
      dependency.changes.records.send(.init(key: key, record: record))
    } save: { [dependency] in
      try await dependency.repository.setBookmarked($0, key: key)
    } catch: { [self] error in
      output.failed.send(localizer.report(error, .saveBookmark))
    }
  }

  private func show(_ record: PersonalRecord, of key: String) {
    changed[key] = record
    guard var content else { return }
    content.setRecord(record, of: key)
    reshow(content)
  }

  private func reshow(_ content: LibraryContent) {
    do { show(content, try content.shelves(dependency.matrix, localizer.words)) } catch {
      output.failed.send(localizer.report(error, .loadLibrary))
    }
  }

  private func card(at place: CardPlace) -> Card? {
    output.shelves[place.shelf]?.cards.first { $0.id == place.card }
  }
}

/// A row of cards in one style.
struct Shelf: Identifiable, Codable, Hashable, Sendable {
  let id: String
  let title: String
  let style: CardStyle
  let cards: [Card]
}

/// A card on a shelf. The same title may be on several shelves.
struct CardPlace: Codable, Hashable, Sendable {
  let shelf: String
  let card: String
}

@CoreActor
protocol LibraryCoordinator {
  func showTitle(_ selection: Selection)
}
