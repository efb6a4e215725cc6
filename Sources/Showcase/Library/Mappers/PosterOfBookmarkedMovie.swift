extension Mapper {
  static let posterOfBookmarkedMovie = Mapper { (bookmarked: BookmarkedMovie) in
    Poster(bookmarked.face, badge: .star)
  }
}
