/// Everything in the library, and what the person has done with it.
public struct LibraryContent: Sendable {
  /// A shelf before anybody has looked what stands on it.
  public struct Plan: Hashable, Sendable {
    public enum Titles: Hashable, Sendable {
      /// Just these.
      case keys([String])
      /// All that are bookmarked.
      case bookmarked
      /// All that were begun.
      case begun
    }

    public let id: String
    public let title: String
    public let style: CardStyle
    public let titles: Titles

    public init(id: String, title: String, style: CardStyle, titles: Titles) {
      self.id = id
      self.title = title
      self.style = style
      self.titles = titles
    }
  }

  public let plans: [Plan]
  /// In the order in which shelves show them, as nobody has done anything with them.
  private let models: [any LibraryModel]
  private let modelsByKey: [String: any LibraryModel]
  private var bookmarks: Set<String>
  private let progress: [String: Double]

  /// - Parameters:
  ///   - bookmarks: the keys of the titles that are bookmarked.
  ///   - progress: how far titles were watched, between 0 and 1; those that were begun.
  public init(
    plans: [Plan], models: [any LibraryModel], bookmarks: Set<String>, progress: [String: Double]
  ) {
    self.plans = plans
    self.models = models
    modelsByKey = Dictionary(models.map { ($0.key, $0) }) { first, _ in first }
    self.bookmarks = bookmarks
    self.progress = progress
  }

  /// A title as it is for the person; nil for an unknown key.
  public subscript(key: String) -> (any LibraryModel)? { modelsByKey[key].map(personal) }

  func isBookmarked(_ key: String) -> Bool { bookmarks.contains(key) }

  mutating func setBookmarked(_ isBookmarked: Bool, _ key: String) {
    if isBookmarked { bookmarks.insert(key) } else { bookmarks.remove(key) }
  }

  /// The shelves as they are shown. One on which nothing stands is left out.
  /// - Throws: `CardMatrixError` for a kind of model that the matrix was not made for.
  func shelves(_ matrix: CardMatrix) throws -> [Shelf] {
    try plans.compactMap { plan in
      let cards = try titles(plan.titles).map { try matrix.card(plan.style, of: $0) }
      if cards.isEmpty { return nil }
      return Shelf(id: plan.id, title: plan.title, style: plan.style, cards: cards)
    }
  }

  private func titles(_ titles: Plan.Titles) -> [any LibraryModel] {
    switch titles {
    case .keys(let keys): keys.compactMap { self[$0] }
    case .bookmarked: models.filter { bookmarks.contains($0.key) }.map(personal)
    case .begun: models.filter { progress[$0.key] != nil }.map(personal)
    }
  }

  private func personal(_ model: any LibraryModel) -> any LibraryModel {
    model.personal(
      PersonalRecord(isBookmarked: bookmarks.contains(model.key), progress: progress[model.key]))
  }
}
