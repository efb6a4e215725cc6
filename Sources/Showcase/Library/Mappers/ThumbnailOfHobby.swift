extension Mapper {
  static let thumbnailOfHobby = Mapper { (hobby: Hobby) in
    Thumbnail(hobby.face, subtitle: hobby.place.rawValue, progress: nil)
  }
}
