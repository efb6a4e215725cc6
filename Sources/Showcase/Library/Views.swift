import Offstage

/// The contract of a kind of view: the data it shows, whatever the model. Views never name a model;
/// only the mappers know both sides.
protocol CardView: Identifiable, Codable, Hashable, Sendable where ID == String {
  static var style: CardStyle { get }

  /// The screen to open when the view is selected.
  var selection: Selection { get }
  /// The view as a card on a shelf.
  var card: Card { get }
}

/// The kinds of view.
enum CardStyle: String, Codable, CaseIterable, Sendable {
  case poster
  case thumbnail
}

/// A portrait image with an optional badge.
struct Poster: CardView, SchemaAnnotated {
  static let style = CardStyle.poster

  let id: String
  let title: String
  /// A portrait image, as a URL that opens without the network.
  let image: String
  let badge: Badge?
  let canBeBookmarked: Bool
  let selection: Selection

  init(_ face: CardFace, badge: Badge?) {
    id = face.key
    title = face.title
    image = face.images.portrait
    self.badge = badge
    canBeBookmarked = face.canBeBookmarked
    selection = face.selection
  }

  var card: Card { .poster(self) }

  static var meanings: [PartialKeyPath<Self>: Meaning] {
    [\.image: .picture(.poster), \.canBeBookmarked: .hidden, \.selection: .hidden]
  }
}

/// A landscape image with a subtitle and an optional progress bar.
struct Thumbnail: CardView, SchemaAnnotated {
  static let style = CardStyle.thumbnail

  let id: String
  let title: String
  /// A landscape image, as a URL that opens without the network.
  let image: String
  let subtitle: String
  /// From 0 to 1; nil to hide the bar.
  let progress: Double?
  let canBeBookmarked: Bool
  let selection: Selection

  init(_ face: CardFace, subtitle: String, progress: Double?) {
    id = face.key
    title = face.title
    image = face.images.landscape
    self.subtitle = subtitle
    self.progress = progress
    canBeBookmarked = face.canBeBookmarked
    selection = face.selection
  }

  var card: Card { .thumbnail(self) }

  static var meanings: [PartialKeyPath<Self>: Meaning] {
    [
      \.image: .picture(.thumbnail), \.progress: .range(0.0...1), \.canBeBookmarked: .hidden,
      \.selection: .hidden,
    ]
  }
}

/// A small symbol on a poster. Its kind describes its look; only mappers know its meaning.
struct Badge: Codable, Hashable, Sendable {
  enum Kind: String, Codable, CaseIterable, Sendable {
    case star, play
  }

  let kind: Kind

  static let star = Badge(kind: .star)
  static let play = Badge(kind: .play)
}

/// A card on a shelf, as one of the kinds of view.
enum Card: Identifiable, Hashable, Sendable {
  case poster(Poster)
  case thumbnail(Thumbnail)

  var view: any CardView {
    switch self {
    case .poster(let view): view
    case .thumbnail(let view): view
    }
  }

  var id: String { view.id }
  var selection: Selection { view.selection }
}

extension Card: Union {
  static let discriminator = "style"

  static let alternatives: [Alternative<Card>] = [
    Alternative("poster", Card.poster) { if case .poster(let view) = $0 { view } else { nil } },
    Alternative("thumbnail", Card.thumbnail) {
      if case .thumbnail(let view) = $0 { view } else { nil }
    },
  ]
}

/// The part that all of a model's views share. Each model defines it once for all its cards.
struct CardFace: Hashable, Sendable {
  let key: String
  let title: String
  let images: TitleImages
  var canBeBookmarked = false

  /// The model's own screen, which all of its cards open.
  var selection: Selection { Selection(key: key) }
}

/// The destination of a card.
struct Selection: Codable, Hashable, Sendable {
  /// The title whose screen is shown.
  let key: String
}

/// A title's images, as URLs that open without the network.
struct TitleImages: Hashable, Sendable {
  var portrait: String
  var landscape: String
}
