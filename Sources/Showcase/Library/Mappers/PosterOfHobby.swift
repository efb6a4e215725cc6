extension Mapper {
  static let posterOfHobby = Mapper { (hobby: Hobby) in Poster(hobby.face, badge: nil) }
}
