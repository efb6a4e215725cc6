/// A film that the person is in the middle of.
public struct WatchedMovie: LibraryModel, Hashable {
  public static let kind = "watchedMovie"

  public let movie: Movie
  /// How far it was watched, between 0 and 1.
  public let progress: Double

  public init(movie: Movie, progress: Double) {
    self.movie = movie
    self.progress = progress
  }

  public var face: CardFace { movie.face }
  public var canBeBookmarked: Bool { movie.canBeBookmarked }
  public var facts: [Fact] { movie.facts + [Fact("left", "Left", "\(minutesLeft) min")] }

  var minutesLeft: Int { movie.minutesLeft(after: progress) }
}

extension Movie {
  /// Whole minutes, as the rest of one still takes one.
  func minutesLeft(after progress: Double) -> Int {
    Int((Double(runningTime) * (1 - progress)).rounded(.up))
  }
}
