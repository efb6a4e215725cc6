extension Mapper {
  static let posterOfTVDrama = Mapper { (drama: TVDrama) in
    Poster(drama.face, badge: drama.progress == nil ? nil : .play)
  }
}
