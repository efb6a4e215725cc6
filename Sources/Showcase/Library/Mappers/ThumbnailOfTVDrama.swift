extension Mapper {
  static let thumbnailOfTVDrama = Mapper { (drama: TVDrama) in
    Thumbnail(
      drama.face,
      subtitle: drama.episodesLeft.map { "\($0) of \(drama.episodes) episodes left" }
        ?? "\(drama.firstYear) · \(drama.network)",
      progress: drama.progress)
  }
}
