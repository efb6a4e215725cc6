/// What every view shows of a model: each model writes it once, and each of its cards is composed
/// with it.
public struct CardFace: Hashable, Sendable {
  let key: String
  let title: String
  let images: TitleImages

  /// Choosing a card leads to the model's own screen, in whatever view it stands.
  var selection: Selection { Selection(key: key) }
}

/// Where choosing a card leads.
public struct Selection: Codable, Hashable, Sendable {
  /// The title whose screen is shown.
  public let key: String

  public init(key: String) { self.key = key }
}

/// A title's pictures, as URLs that open without the network.
public struct TitleImages: Hashable, Sendable {
  public var portrait: String
  public var landscape: String

  public init(portrait: String, landscape: String) {
    self.portrait = portrait
    self.landscape = landscape
  }
}
