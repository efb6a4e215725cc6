extension Mapper {
  /// A poster has no room for the progress; the badge says that there is some.
  static let posterOfWatchedMovie = Mapper { (watched: WatchedMovie) in
    Poster(watched.face, badge: .play)
  }
}
