/// A title in the library. Models never name a view; only the mappers know both sides.
protocol LibraryModel: Sendable {
  /// The name of the kind, such as `movie`.
  static var kind: String { get }

  /// The part that all of the model's views share.
  var face: CardFace { get }
  /// Returns the rows of the title's own screen.
  func facts(_ words: Words) -> [FactRow]
  /// The running time and the URL of the video; nil for a title that cannot be played.
  var film: (duration: Duration, stream: String)? { get }

  /// Returns the model for a record; a bookmarked movie is another kind of model.
  func personal(_ record: PersonalRecord) -> any LibraryModel

  /// Returns the model in another language.
  /// - Parameter credit: The director, network, or equipment.
  func named(_ name: String, credit: String) -> any LibraryModel
}

extension LibraryModel {
  var key: String { face.key }
  var canBeBookmarked: Bool { face.canBeBookmarked }

  func personal(_ record: PersonalRecord) -> any LibraryModel { self }
  func named(_ name: String, credit: String) -> any LibraryModel { self }
  var film: (duration: Duration, stream: String)? { nil }
}

/// A title and the user's record of it.
package struct LibraryTitle: Sendable {
  /// The model without the record.
  let model: any LibraryModel
  var record: PersonalRecord

  /// The model with the record.
  var personal: any LibraryModel { model.personal(record) }

  /// Returns the model with the record, in the user's language.
  func translated(_ words: Words) -> any LibraryModel {
    guard let names = words.title(model.key) else { return personal }
    return model.named(names.name, credit: names.credit).personal(record)
  }
}

/// The user's record of a title.
package struct PersonalRecord: Hashable, Sendable {
  var isBookmarked = false
  /// The watched part, from 0 to 1; nil if the title was never started.
  var progress: Double?
}

// MARK: The kinds of model

/// A movie that the user has neither started nor bookmarked.
struct Movie: LibraryModel, Hashable {
  static let kind = "movie"

  let movieKey: String
  var movieName: String
  /// The year of release.
  let year: Int
  var director: String
  /// Minutes.
  let runningTime: Int
  var movieImages: TitleImages
  let movieStream: String

  var face: CardFace {
    CardFace(key: movieKey, title: movieName, images: movieImages, canBeBookmarked: true)
  }

  func facts(_ words: Words) -> [FactRow] {
    [
      FactRow("year", "\(year)", words), FactRow("director", director, words),
      FactRow("runningTime", words.minutes(runningTime), words),
    ]
  }

  func named(_ name: String, credit: String) -> any LibraryModel {
    var movie = self
    (movie.movieName, movie.director) = (name, credit)
    movie.movieImages = movie.movieImages.named(name)
    return movie
  }

  var film: (duration: Duration, stream: String)? { (.seconds(runningTime * 60), movieStream) }

  /// A bookmark outranks progress, because a bookmarked movie shows both.
  func personal(_ record: PersonalRecord) -> any LibraryModel {
    if record.isBookmarked { return BookmarkedMovie(movie: self, progress: record.progress) }
    if let progress = record.progress { return WatchedMovie(movie: self, progress: progress) }
    return self
  }
}

/// A movie that the user has started.
struct WatchedMovie: LibraryModel, Hashable {
  static let kind = "watchedMovie"

  let movie: Movie
  /// The watched part, from 0 to 1.
  let progress: Double

  var face: CardFace { movie.face }
  var film: (duration: Duration, stream: String)? { movie.film }

  func facts(_ words: Words) -> [FactRow] {
    movie.facts(words) + [FactRow("left", words.minutes(minutesLeft), words)]
  }

  /// Whole minutes, rounded up.
  var minutesLeft: Int { Int((Double(movie.runningTime) * (1 - progress)).rounded(.up)) }
}

/// A movie that the user has bookmarked, and maybe started.
struct BookmarkedMovie: LibraryModel, Hashable {
  static let kind = "bookmarkedMovie"

  let movie: Movie
  /// The watched part, from 0 to 1; nil if it was never started.
  let progress: Double?

  var face: CardFace { movie.face }
  var film: (duration: Duration, stream: String)? { movie.film }

  func facts(_ words: Words) -> [FactRow] {
    (watched?.facts(words) ?? movie.facts(words)) + [FactRow("bookmarked", words.yes, words)]
  }

  /// nil if it was never started.
  var watched: WatchedMovie? { progress.map { WatchedMovie(movie: movie, progress: $0) } }
}

/// A television series, started or not.
struct TVDrama: LibraryModel, Hashable {
  static let kind = "tvDrama"

  let dramaID: String
  var dramaTitle: String
  /// The year of the first broadcast.
  let firstYear: Int
  var network: String
  /// The episodes of all seasons.
  let episodes: Int
  var keyVisuals: TitleImages
  let dramaStream: String
  /// The watched part, from 0 to 1; nil if it was never started.
  var progress: Double?

  var face: CardFace { CardFace(key: dramaID, title: dramaTitle, images: keyVisuals) }

  func facts(_ words: Words) -> [FactRow] {
    let facts = [
      FactRow("year", label: "firstBroadcast", "\(firstYear)", words),
      FactRow("network", network, words), FactRow("episodes", "\(episodes)", words),
    ]
    guard let episodesLeft else { return facts }
    return facts + [FactRow("left", label: "episodesLeft", "\(episodesLeft)", words)]
  }

  func named(_ name: String, credit: String) -> any LibraryModel {
    var drama = self
    (drama.dramaTitle, drama.network) = (name, credit)
    drama.keyVisuals = drama.keyVisuals.named(name)
    return drama
  }

  func personal(_ record: PersonalRecord) -> any LibraryModel {
    var drama = self
    drama.progress = record.progress
    return drama
  }

  /// An hour for each episode.
  var film: (duration: Duration, stream: String)? { (.seconds(episodes * 3600), dramaStream) }

  /// Counts a partly watched episode; nil if none was started.
  var episodesLeft: Int? {
    progress.map { Int((Double(episodes) * (1 - $0)).rounded(.up)) }
  }
}

/// A pastime. It cannot be watched, so it has no progress and no bookmark.
struct Hobby: LibraryModel, Hashable {
  static let kind = "hobby"

  let hobbyID: String
  var activity: String
  let place: Place
  var equipment: String
  var hobbyImages: TitleImages

  enum Place: String, Sendable {
    case indoors = "Indoors"
    case outdoors = "Outdoors"
    case anywhere = "Anywhere"
  }

  var face: CardFace { CardFace(key: hobbyID, title: activity, images: hobbyImages) }

  func facts(_ words: Words) -> [FactRow] {
    [FactRow("place", words.place(place), words), FactRow("equipment", equipment, words)]
  }

  func named(_ name: String, credit: String) -> any LibraryModel {
    var hobby = self
    (hobby.activity, hobby.equipment) = (name, credit)
    hobby.hobbyImages = hobby.hobbyImages.named(name)
    return hobby
  }
}
