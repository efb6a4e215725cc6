/// A title of the library. Models never name a view; the mappers know both sides.
package protocol LibraryModel: Sendable {
  /// The name of the kind, such as `movie`.
  static var kind: String { get }

  /// The part that all views of the model share.
  var face: CardFace { get }
  /// The rows of the title's own screen.
  var facts: [Fact] { get }
  /// The running time; nil for a title that cannot be played.
  var duration: Duration? { get }

  /// Returns the model for a person's record; a bookmarked movie is another kind of model.
  func personal(_ record: PersonalRecord) -> any LibraryModel

  /// Returns the model in another language.
  /// - Parameter credit: The director, the network or the equipment.
  func named(_ name: String, credit: String) -> any LibraryModel
}

extension LibraryModel {
  var key: String { face.key }
  var canBeBookmarked: Bool { face.canBeBookmarked }

  package func personal(_ record: PersonalRecord) -> any LibraryModel { self }
  package func named(_ name: String, credit: String) -> any LibraryModel { self }
  package var duration: Duration? { nil }
}

/// A title and a person's record of it.
package struct LibraryTitle: Sendable {
  /// The model without the record.
  package let model: any LibraryModel
  package var record: PersonalRecord

  package init(_ model: any LibraryModel, _ record: PersonalRecord) {
    self.model = model
    self.record = record
  }

  /// The model for the person.
  package var personal: any LibraryModel { model.personal(record) }

  /// Returns the model for the person, in the person's language.
  func translated(_ words: any Words) -> any LibraryModel {
    guard let names = words.title(model.key) else { return personal }
    return LibraryTitle(model.named(names.name, credit: names.credit), record).personal
  }
}

/// A person's record of a title.
package struct PersonalRecord: Hashable, Sendable {
  package var isBookmarked = false
  /// The watched part, from 0 to 1; nil if the title was never started.
  package var progress: Double?
}

/// A fact about a title, in no language yet.
package struct Fact: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case year, director, runningTime, left, bookmarked
    case firstBroadcast, network, episodes, episodesLeft
    case place, equipment
  }

  enum Value: Hashable, Sendable {
    case text(String)
    case number(Int)
    case minutes(Int)
    case place(Hobby.Place)
    case yes
  }

  let kind: Kind
  let value: Value

  init(_ kind: Kind, _ value: Value) {
    self.kind = kind
    self.value = value
  }
}

// MARK: The kinds of model

/// A movie that the person has neither started nor bookmarked.
package struct Movie: LibraryModel, Hashable {
  package static let kind = "movie"

  package let movieKey: String
  package let movieName: String
  /// The year of its first showing.
  package let year: Int
  package let director: String
  /// Minutes.
  package let runningTime: Int
  package let movieImages: TitleImages

  package init(
    key: String, name: String, year: Int, director: String, runningTime: Int, images: TitleImages
  ) {
    movieKey = key
    movieName = name
    self.year = year
    self.director = director
    self.runningTime = runningTime
    movieImages = images
  }

  package var face: CardFace {
    CardFace(key: movieKey, title: movieName, images: movieImages, canBeBookmarked: true)
  }

  package var facts: [Fact] {
    [
      Fact(.year, .number(year)), Fact(.director, .text(director)),
      Fact(.runningTime, .minutes(runningTime)),
    ]
  }

  package func named(_ name: String, credit: String) -> any LibraryModel {
    Movie(
      key: movieKey, name: name, year: year, director: credit, runningTime: runningTime,
      images: movieImages)
  }

  package var duration: Duration? { .seconds(runningTime * 60) }

  /// A bookmark outranks progress: the bookmarked movie shows both.
  package func personal(_ record: PersonalRecord) -> any LibraryModel {
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
  package var duration: Duration? { movie.duration }
  package var facts: [Fact] { movie.facts + [Fact(.left, .minutes(minutesLeft))] }

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
  package var duration: Duration? { movie.duration }

  package var facts: [Fact] { (watched?.facts ?? movie.facts) + [Fact(.bookmarked, .yes)] }

  /// nil if it was never started.
  var watched: WatchedMovie? { progress.map { WatchedMovie(movie: movie, progress: $0) } }
}

/// A television series, started or not.
package struct TVDrama: LibraryModel, Hashable {
  package static let kind = "tvDrama"

  package let dramaID: String
  package let dramaTitle: String
  /// The year of its first broadcast.
  package let firstYear: Int
  package let network: String
  /// Episodes of all seasons.
  package let episodes: Int
  package let keyVisuals: TitleImages
  /// The watched part, from 0 to 1; nil if it was never started.
  package var progress: Double?

  package init(
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

  package var face: CardFace { CardFace(key: dramaID, title: dramaTitle, images: keyVisuals) }

  package var facts: [Fact] {
    let facts = [
      Fact(.firstBroadcast, .number(firstYear)), Fact(.network, .text(network)),
      Fact(.episodes, .number(episodes)),
    ]
    return facts + (episodesLeft.map { [Fact(.episodesLeft, .number($0))] } ?? [])
  }

  package func named(_ name: String, credit: String) -> any LibraryModel {
    TVDrama(
      id: dramaID, title: name, firstYear: firstYear, network: credit, episodes: episodes,
      images: keyVisuals, progress: progress)
  }

  package func personal(_ record: PersonalRecord) -> any LibraryModel {
    var drama = self
    drama.progress = record.progress
    return drama
  }

  /// An hour for each episode.
  package var duration: Duration? { .seconds(episodes * 3600) }

  /// Counts a half-watched episode; nil if none was started.
  var episodesLeft: Int? {
    progress.map { Int((Double(episodes) * (1 - $0)).rounded(.up)) }
  }
}

/// A pastime: nothing to watch, so it has no progress and no bookmark.
package struct Hobby: LibraryModel, Hashable {
  package static let kind = "hobby"

  package let hobbyID: String
  package let activity: String
  package let place: Place
  package let equipment: String
  package let hobbyImages: TitleImages

  package enum Place: String, Sendable {
    case indoors = "Indoors"
    case outdoors = "Outdoors"
    case anywhere = "Anywhere"
  }

  package init(
    id: String, activity: String, place: Place, equipment: String, images: TitleImages
  ) {
    hobbyID = id
    self.activity = activity
    self.place = place
    self.equipment = equipment
    hobbyImages = images
  }

  package var face: CardFace { CardFace(key: hobbyID, title: activity, images: hobbyImages) }

  package var facts: [Fact] {
    [Fact(.place, .place(place)), Fact(.equipment, .text(equipment))]
  }

  package func named(_ name: String, credit: String) -> any LibraryModel {
    Hobby(id: hobbyID, activity: name, place: place, equipment: credit, images: hobbyImages)
  }
}
