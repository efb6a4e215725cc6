extension Mapper {
  /// A thumbnail has no room for the star; it says so in words.
  static let thumbnailOfBookmarkedMovie = Mapper { (bookmarked: BookmarkedMovie) in
    Thumbnail(
      bookmarked.face, subtitle: "\(bookmarked.movie.year) · Bookmarked",
      progress: bookmarked.progress)
  }
}
