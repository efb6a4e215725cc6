/// A wide picture with a line of text and a progress bar.
public struct Thumbnail: CardView {
  public static let style = CardStyle.thumbnail

  public let id: String
  public let title: String
  /// A landscape, as a URL that opens without the network.
  public let image: String
  public let subtitle: String
  /// From 0 to 1; nil where no bar is shown.
  public let progress: Double?
  public let selection: Selection

  init(_ face: CardFace, subtitle: String, progress: Double?) {
    id = face.key
    title = face.title
    image = face.images.landscape
    self.subtitle = subtitle
    self.progress = progress
    selection = face.selection
  }

  public var card: Card { .thumbnail(self) }
}
