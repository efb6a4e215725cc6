extension Mapper {
  static let thumbnailOfMovie = Mapper { (movie: Movie) in
    Thumbnail(movie.face, subtitle: "\(movie.year) · \(movie.director)", progress: nil)
  }
}
