extension CardMatrix {
  /// All that the library can show. A new kind of model or view is its own files, its mappers, and
  /// their lines here.
  public static func library() throws(CardMatrixError) -> CardMatrix {
    try CardMatrix(
      models: [Movie.self, WatchedMovie.self, BookmarkedMovie.self, Hobby.self, TVDrama.self],
      [
        .posterOfMovie, .posterOfWatchedMovie, .posterOfBookmarkedMovie, .posterOfHobby,
        .posterOfTVDrama,
        .thumbnailOfMovie, .thumbnailOfWatchedMovie, .thumbnailOfBookmarkedMovie,
        .thumbnailOfHobby, .thumbnailOfTVDrama,
      ])
  }
}
