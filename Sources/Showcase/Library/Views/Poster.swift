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
}
