/// A place as the sheet shows it.
public struct PlaceRow: Identifiable, Codable, Hashable, Sendable {
  public let id: Int
  public let name: String
  /// The name in the language of the place; nil where it is not known.
  public let localName: String?
  /// From 0 to 5; nil where nobody has rated it.
  public let rating: Double?
  /// The id of the section that it belongs to.
  public let section: String

  init(_ place: Place) {
    id = place.id
    name = place.name
    localName = place.localName
    rating = place.rating
    section = PlaceSection(place).id
  }
}
