import Offstage

/// The shelves of the library: titles of every kind, in every kind of view.
final class Library: ViewModel {
  enum Action: LoggableEvent {
    static let screen = "library"
    case didAppear
    case cardTapped(key: String)
    case bookmarkTapped(key: String)
  }

  struct Dependency {
    let records: LibraryRecords
    let matrix: CardMatrix
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

  init(dependency: Dependency) {
    self.dependency = dependency
    for tapped in [input.cardTapped, input.bookmarkTapped] {
      tapped.expect("the place of a card") { [self] in card(at: $0) != nil }
    }
    dependency.tracker.track(input.didAppear, as: Action.didAppear)
    dependency.tracker.track(input.cardTapped) { Action.cardTapped(key: $0.card) }
    dependency.tracker.track(input.bookmarkTapped) { Action.bookmarkTapped(key: $0.card) }
    let library = Loader(effects) { try await dependency.records.library() }
    output.bind(library, .loadLibrary, localizer)
    library.values.observe { [self] in
      content = $0
      show()
    }
    // On every appearance, since other screens change bookmarks and progress.
    input.didAppear.observe { library.reload() }
    input.retry.observe { library.load() }
    input.cardTapped.observe { [self] place in
      if let card = card(at: place) { dependency.coordinator.showTitle(card.selection) }
    }
    input.bookmarkTapped.observe { [self] place in
      guard let key = card(at: place)?.selection.key, let title = content?[key] else { return }
      dependency.records.toggleBookmark(of: title) { [self] error in
        output.failed.send(localizer.report(error, .saveBookmark))
      }
    }
    dependency.records.changes.observe { [self] change in
      content?.setRecord(change.record, of: change.key)
      show()
    }
    dependency.records.invalidations.observe { [self] (_: Trigger) in
      guard content != nil else { return }
      output.shelves.removeAll()
      content = nil
      library.reload()
    }
    localizer.onChange { [self] in show() }
  }

  private func show() {
    guard let content else { return }
    do { output.shelves.reset(to: try content.shelves(dependency.matrix, localizer.words)) } catch {
      output.failed.send(localizer.report(error, .loadLibrary))
    }
  }

  private func card(at place: CardPlace) -> Card? {
    output.shelves[place.shelf]?.cards.first { $0.id == place.card }
  }
}

/// A row of cards in one style.
struct Shelf: Identifiable, Codable, Hashable, Sendable, SchemaAnnotated {
  let id: String
  let title: String
  let style: CardStyle
  let cards: [Card]

  static var meanings: [PartialKeyPath<Self>: Meaning] {
    [\.style: .hidden]
  }
}

/// A card on a shelf. The same title may be on several shelves.
struct CardPlace: Codable, Hashable, Sendable {
  let shelf: String
  let card: String
}

@CoreActor
protocol LibraryCoordinator: AnyObject {
  func showTitle(_ selection: Selection)
}
