/// A film that the person has bookmarked, and may have begun.
public struct BookmarkedMovie: LibraryModel, Hashable {
  public static let kind = "bookmarkedMovie"

  public let movie: Movie
  /// How far it was watched, between 0 and 1; nil where it was not begun.
  public let progress: Double?

  public init(movie: Movie, progress: Double?) {
    self.movie = movie
    self.progress = progress
  }

  public var face: CardFace { movie.face }
  public var canBeBookmarked: Bool { movie.canBeBookmarked }

  public var facts: [Fact] {
    let watched = progress.map { WatchedMovie(movie: movie, progress: $0) }
    return (watched?.facts ?? movie.facts) + [Fact("bookmarked", "Bookmarked", "Yes")]
  }
}
