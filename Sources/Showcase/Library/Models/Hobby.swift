/// Something to do rather than to watch.
public struct Hobby: LibraryModel, Hashable {
  public static let kind = "hobby"

  public let hobbyID: String
  public let activity: String
  public let place: Place
  /// What one needs to begin.
  public let equipment: String
  public let hobbyImages: TitleImages

  /// Where it is done.
  public enum Place: String, Sendable {
    case indoors = "Indoors"
    case outdoors = "Outdoors"
    case anywhere = "Anywhere"
  }

  public init(
    id: String, activity: String, place: Place, equipment: String, images: TitleImages
  ) {
    hobbyID = id
    self.activity = activity
    self.place = place
    self.equipment = equipment
    hobbyImages = images
  }

  public var face: CardFace { CardFace(key: hobbyID, title: activity, images: hobbyImages) }

  public var facts: [Fact] {
    [Fact("place", "Where", place.rawValue), Fact("equipment", "What one needs", equipment)]
  }
}
