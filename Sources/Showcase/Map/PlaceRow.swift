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

  private enum CodingKeys: String, CodingKey {
    case id, name, localName, rating, section
  }

  /// What is not known is `null`: a member that comes and goes would be harder to patch.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(name, forKey: .name)
    try container.encode(localName, forKey: .localName)
    try container.encode(rating, forKey: .rating)
    try container.encode(section, forKey: .section)
  }
}
