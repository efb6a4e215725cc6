/// A film that the person has neither begun nor bookmarked.
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

  /// Being bookmarked says more than having been begun, and tells of both.
  public func personal(_ record: PersonalRecord) -> any LibraryModel {
    if record.isBookmarked { return BookmarkedMovie(movie: self, progress: record.progress) }
    if let progress = record.progress { return WatchedMovie(movie: self, progress: progress) }
    return self
  }
}
