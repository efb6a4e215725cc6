import Offstage

/// Loads titles, and saves the user's bookmarks and progress.
package protocol LibraryRepository: Sendable {
  /// Returns all titles, the plan of the shelves, and the user's records.
  func library(as owner: Owner) async throws -> LibraryContent

  /// Saves or deletes a bookmark.
  func setBookmarked(_ isBookmarked: Bool, key: String, as owner: Owner) async throws

  /// Saves the watched part of a title, between 0 and 1 exclusive; nil deletes it.
  func setProgress(_ progress: Double?, key: String, as owner: Owner) async throws
}

/// The user's records for all library screens. Each change is shown at once, and a read that began
/// before it was saved does not take it back.
@CoreActor
final class LibraryRecords {
  let changes = Relay<(key: String, record: PersonalRecord)>()
  /// Fires when the records belong to another account.
  let invalidations = Relay<Trigger>()

  private let repository: any LibraryRepository
  private let session: Session
  private let bookmarks: EffectHandle
  private let progress: EffectHandle
  /// The records as changed last, by key.
  private var newest: [String: PersonalRecord] = [:]

  /// - Parameter effects: The app's, since a screen may close before its changes are saved.
  init(_ repository: any LibraryRepository, _ session: Session, _ effects: Effects) {
    self.repository = repository
    self.session = session
    bookmarks = effects.task()
    progress = effects.task(.latest)
  }

  func library() async throws -> LibraryContent {
    var newer = newest.filter { bookmarks[$0.key].isRunning || progress[$0.key].isRunning }
    let changes = changes.observe { newer[$0.key] = $0.record }
    defer { changes.cancel() }
    var content = try await session.read { try await repository.library(as: $0) }
    for (key, record) in newer { content.setRecord(record, of: key) }
    return content
  }

  func title(key: String) async throws -> LibraryTitle {
    guard let title = try await library()[key] else {
      throw LoadFailure(.notFound, "The library has no title \"\(key)\".", retryable: false)
    }
    return title
  }

  /// Adds or removes a movie's bookmark. Ignored for other titles.
  func toggleBookmark(of title: LibraryTitle, catch handle: @escaping ErrorHandler) {
    guard title.model.canBeBookmarked else { return }
    let (key, isBookmarked) = (title.model.key, title.record.isBookmarked)
    newest[key] = title.record
    let owner = session.owner
    bookmarks[key].optimistic(
      from: isBookmarked, to: !isBookmarked, outlivesScreen: true,
      show: { [self] isBookmarked in
        // nil once another account has signed in.
        guard var record = newest[key] else { return }
        record.isBookmarked = isBookmarked
        show(record, of: key)
      },
      save: { [repository, session] isBookmarked in
        try await session.write {
          try await repository.setBookmarked(isBookmarked, key: key, as: owner)
        }
      }, catch: handle)
  }

  func setProgress(
    _ progress: Double?, of title: LibraryTitle, catch handle: @escaping ErrorHandler
  ) {
    let (key, owner) = (title.model.key, session.owner)
    show(PersonalRecord(isBookmarked: title.record.isBookmarked, progress: progress), of: key)
    self.progress[key].run(
      outlivesScreen: true,
      { [repository, session] in
        try await session.write {
          try await repository.setProgress(progress, key: key, as: owner)
        }
      }, catch: handle)
  }

  /// Forgets the records of the previous account.
  func invalidate() {
    newest = [:]
    invalidations.send(Trigger())
  }

  private func show(_ record: PersonalRecord, of key: String) {
    newest[key] = record
    changes.send((key: key, record: record))
  }
}

/// The titles of the library and the user's records of them.
package struct LibraryContent: Sendable {
  /// The definition of a shelf; the titles are looked up when it is shown.
  struct Plan: Hashable, Sendable {
    enum Titles: Hashable, Sendable {
      /// These titles, in this order.
      case keys([String])
      /// All bookmarked titles.
      case bookmarked
      /// All titles that were started.
      case begun
    }

    /// The key of the title's label is `shelf.` followed by this id.
    let id: String
    let style: CardStyle
    let titles: Titles
  }

  let plans: [Plan]
  /// In the order of the shelves, without the user's records.
  private let models: [any LibraryModel]
  private let modelsByKey: [String: any LibraryModel]
  /// The keys of the bookmarked titles.
  private var bookmarks: Set<String>
  /// The watched part, from 0 to 1, of each title that was started.
  private var progress: [String: Double]

  init(
    plans: [Plan], models: [any LibraryModel], bookmarks: Set<String>, progress: [String: Double]
  ) {
    self.plans = plans
    self.models = models
    modelsByKey = Dictionary(models.map { ($0.key, $0) }) { first, _ in first }
    self.bookmarks = bookmarks
    self.progress = progress
  }

  /// The sessions of a host share its titles.
  private static let builtIn = LibraryContent(
    plans: BuiltInTitles.plans, models: BuiltInTitles.all, bookmarks: [], progress: [:])

  /// Creates the library that comes with the app.
  package init(bookmarks: Set<String>, progress: [String: Double]) {
    self = Self.builtIn
    (self.bookmarks, self.progress) = (bookmarks, progress)
  }

  /// Returns a title; nil for an unknown key.
  package subscript(key: String) -> LibraryTitle? {
    modelsByKey[key].map { LibraryTitle(model: $0, record: record(of: key)) }
  }

  func record(of key: String) -> PersonalRecord {
    PersonalRecord(isBookmarked: bookmarks.contains(key), progress: progress[key])
  }

  mutating func setRecord(_ record: PersonalRecord, of key: String) {
    if record.isBookmarked { bookmarks.insert(key) } else { bookmarks.remove(key) }
    progress[key] = record.progress
  }

  /// Returns the shelves, without the empty ones.
  /// - Throws: `CardMatrixError` for a kind of model that is not in the matrix.
  @CoreActor
  func shelves(_ matrix: CardMatrix, _ words: Words) throws -> [Shelf] {
    try plans.compactMap { plan in
      let cards = try titles(plan.titles).map { model in
        let title = LibraryTitle(model: model, record: record(of: model.key))
        return try matrix.card(plan.style, of: title.translated(words), words)
      }
      if cards.isEmpty { return nil }
      return Shelf(
        id: plan.id, title: words.title(of: "shelf.\(plan.id)"), style: plan.style,
        cards: Self.cards.shared(cards))
    }
  }

  @CoreActor private static let cards = SharedArrays<Card>()

  private func titles(_ titles: Plan.Titles) -> [any LibraryModel] {
    switch titles {
    case .keys(let keys): keys.compactMap { modelsByKey[$0] }
    case .bookmarked: models.filter { bookmarks.contains($0.key) }
    case .begun: models.filter { progress[$0.key] != nil }
    }
  }
}
