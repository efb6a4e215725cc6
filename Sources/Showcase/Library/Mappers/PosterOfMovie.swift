extension Mapper {
  static let posterOfMovie = Mapper { (movie: Movie) in Poster(movie.face, badge: nil) }
}
