/// A title of the library. Models never name a view; the mappers know both sides.
public protocol LibraryModel: Sendable {
  /// The name of the kind, such as `movie`.
  static var kind: String { get }

  /// The part that all views of the model share.
  var face: CardFace { get }
  /// The rows of the title's own screen.
  var facts: [Fact] { get }
  var canBeBookmarked: Bool { get }
  /// The running time; nil for a title that cannot be played.
  var duration: Duration? { get }

  /// Returns the model for a person's record; a bookmarked movie is another kind of model.
  func personal(_ record: PersonalRecord) -> any LibraryModel
}

extension LibraryModel {
  var key: String { face.key }

  public func personal(_ record: PersonalRecord) -> any LibraryModel { self }
  public var canBeBookmarked: Bool { false }
  public var duration: Duration? { nil }
}

/// A title and a person's record of it.
public struct LibraryTitle: Sendable {
  /// The model without the record.
  public let model: any LibraryModel
  public var record: PersonalRecord

  public init(_ model: any LibraryModel, _ record: PersonalRecord) {
    self.model = model
    self.record = record
  }

  /// The model for the person.
  public var personal: any LibraryModel { model.personal(record) }
}

/// A person's record of a title.
public struct PersonalRecord: Hashable, Sendable {
  public var isBookmarked: Bool
  /// The watched part, from 0 to 1; nil if the title was never started.
  public var progress: Double?

  public init(isBookmarked: Bool = false, progress: Double? = nil) {
    self.isBookmarked = isBookmarked
    self.progress = progress
  }
}

/// A labeled value on a title's own screen.
public struct Fact: Identifiable, Codable, Hashable, Sendable {
  public let id: String
  package let label: String
  package let value: String

  init(_ id: String, _ label: String, _ value: String) {
    self.id = id
    self.label = label
    self.value = value
  }
}

// MARK: The kinds of model

/// A movie that the person has neither started nor bookmarked.
public struct Movie: LibraryModel, Hashable {
  public static let kind = "movie"

  public let movieKey: String
  public let movieName: String
  /// The year of its first showing.
  public let year: Int
  public let director: String
  /// Minutes.
  public let runningTime: Int
  public let movieImages: TitleImages

  public init(
    key: String, name: String, year: Int, director: String, runningTime: Int, images: TitleImages
  ) {
    movieKey = key
    movieName = name
    self.year = year
    self.director = director
    self.runningTime = runningTime
    movieImages = images
  }

  public var face: CardFace { CardFace(key: movieKey, title: movieName, images: movieImages) }

  public var facts: [Fact] {
    [
      Fact("year", "Year", "\(year)"), Fact("director", "Director", director),
      Fact("runningTime", "Running time", "\(runningTime) min"),
    ]
  }

  public var canBeBookmarked: Bool { true }
  public var duration: Duration? { .seconds(runningTime * 60) }

  /// A bookmark outranks progress: the bookmarked movie shows both.
  public func personal(_ record: PersonalRecord) -> any LibraryModel {
    if record.isBookmarked { return BookmarkedMovie(movie: self, progress: record.progress) }
    if let progress = record.progress { return WatchedMovie(movie: self, progress: progress) }
    return self
  }
}

/// A movie that the person has started.
package struct WatchedMovie: LibraryModel, Hashable {
  package static let kind = "watchedMovie"

  package let movie: Movie
  /// The watched part, from 0 to 1.
  package let progress: Double

  package var face: CardFace { movie.face }
  package var canBeBookmarked: Bool { movie.canBeBookmarked }
  package var duration: Duration? { movie.duration }
  package var facts: [Fact] { movie.facts + [Fact("left", "Left", "\(minutesLeft) min")] }

  /// Whole minutes, rounded up.
  var minutesLeft: Int { Int((Double(movie.runningTime) * (1 - progress)).rounded(.up)) }
}

/// A movie that the person has bookmarked, and maybe started.
package struct BookmarkedMovie: LibraryModel, Hashable {
  package static let kind = "bookmarkedMovie"

  package let movie: Movie
  /// The watched part, from 0 to 1; nil if it was never started.
  package let progress: Double?

  package var face: CardFace { movie.face }
  package var canBeBookmarked: Bool { movie.canBeBookmarked }
  package var duration: Duration? { movie.duration }

  package var facts: [Fact] {
    let watched = progress.map { WatchedMovie(movie: movie, progress: $0) }
    return (watched?.facts ?? movie.facts) + [Fact("bookmarked", "Bookmarked", "Yes")]
  }
}

/// A television series, started or not.
public struct TVDrama: LibraryModel, Hashable {
  public static let kind = "tvDrama"

  public let dramaID: String
  public let dramaTitle: String
  /// The year of its first broadcast.
  public let firstYear: Int
  public let network: String
  /// Episodes of all seasons.
  public let episodes: Int
  public let keyVisuals: TitleImages
  /// The watched part, from 0 to 1; nil if it was never started.
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

  /// An hour for each episode.
  public var duration: Duration? { .seconds(episodes * 3600) }

  /// Counts a half-watched episode; nil if none was started.
  var episodesLeft: Int? {
    progress.map { Int((Double(episodes) * (1 - $0)).rounded(.up)) }
  }
}

/// A pastime: nothing to watch, so it has no progress and no bookmark.
public struct Hobby: LibraryModel, Hashable {
  public static let kind = "hobby"

  public let hobbyID: String
  public let activity: String
  public let place: Place
  public let equipment: String
  public let hobbyImages: TitleImages

  public enum Place: String, Sendable {
    case indoors = "Indoors"
    case outdoors = "Outdoors"
    case anywhere = "Anywhere"
  }

  public init(
    id: String, activity: String, place: Place, equipment: String, images: TitleImages
  ) {
    hobbyID = id
    self.activity = activity
    self.place = place
    self.equipment = equipment
    hobbyImages = images
  }

  public var face: CardFace { CardFace(key: hobbyID, title: activity, images: hobbyImages) }

  public var facts: [Fact] {
    [Fact("place", "Where", place.rawValue), Fact("equipment", "Equipment", equipment)]
  }
}
