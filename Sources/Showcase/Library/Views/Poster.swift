/// An upright picture with room for a badge.
public struct Poster: CardView {
  public static let style = CardStyle.poster

  public let id: String
  public let title: String
  /// A portrait, as a URL that opens without the network.
  public let image: String
  /// What sticks on its corner; nil for nothing.
  public let badge: Badge?
  public let selection: Selection

  init(_ face: CardFace, badge: Badge?) {
    id = face.key
    title = face.title
    image = face.images.portrait
    self.badge = badge
    selection = face.selection
  }

  public var card: Card { .poster(self) }

  private enum CodingKeys: String, CodingKey {
    case id, title, image, badge, selection
  }

  /// No badge is `null`: a member that comes and goes would be harder to patch.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(title, forKey: .title)
    try container.encode(image, forKey: .image)
    try container.encode(badge, forKey: .badge)
    try container.encode(selection, forKey: .selection)
  }
}
