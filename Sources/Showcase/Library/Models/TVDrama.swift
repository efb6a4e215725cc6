/// A television series, begun or not.
public struct TVDrama: LibraryModel, Hashable {
  public static let kind = "tvDrama"

  public let dramaID: String
  public let dramaTitle: String
  /// The year in which it was first broadcast.
  public let firstYear: Int
  public let network: String
  /// Of all seasons together.
  public let episodes: Int
  public let keyVisuals: TitleImages
  /// How far it was watched, between 0 and 1; nil where it was not begun.
  public var progress: Double?

  public init(
    id: String, title: String, firstYear: Int, network: String, episodes: Int,
    images: TitleImages, progress: Double? = nil
  ) {
    dramaID = id
    dramaTitle = title
    self.firstYear = firstYear
    self.network = network
    self.episodes = episodes
    keyVisuals = images
    self.progress = progress
  }

  public var face: CardFace { CardFace(key: dramaID, title: dramaTitle, images: keyVisuals) }

  public var facts: [Fact] {
    let facts = [
      Fact("year", "First broadcast", "\(firstYear)"), Fact("network", "Network", network),
      Fact("episodes", "Episodes", "\(episodes)"),
    ]
    return facts + (episodesLeft.map { [Fact("left", "Episodes left", "\($0)")] } ?? [])
  }

  public func personal(_ record: PersonalRecord) -> any LibraryModel {
    var drama = self
    drama.progress = record.progress
    return drama
  }

  /// An episode in the middle of which one is counts as left; nil where none was begun.
  var episodesLeft: Int? {
    progress.map { Int((Double(episodes) * (1 - $0)).rounded(.up)) }
  }
}
