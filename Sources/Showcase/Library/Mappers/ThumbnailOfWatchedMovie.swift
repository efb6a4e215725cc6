extension Mapper {
  static let thumbnailOfWatchedMovie = Mapper { (watched: WatchedMovie) in
    Thumbnail(
      watched.face, subtitle: "\(watched.minutesLeft) min left", progress: watched.progress)
  }
}
