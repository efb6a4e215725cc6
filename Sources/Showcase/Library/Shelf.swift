/// A row of cards as the library shows it, all in one style.
public struct Shelf: Identifiable, Codable, Hashable, Sendable {
  public let id: String
  public let title: String
  public let style: CardStyle
  public let cards: [Card]

  public init(id: String, title: String, style: CardStyle, cards: [Card]) {
    self.id = id
    self.title = title
    self.style = style
    self.cards = cards
  }
}

/// A card as the front end names it: one title may stand on several shelves.
public struct CardPlace: Codable, Hashable, Sendable {
  public let shelf: String
  public let card: String

  public init(shelf: String, card: String) {
    self.shelf = shelf
    self.card = card
  }
}
