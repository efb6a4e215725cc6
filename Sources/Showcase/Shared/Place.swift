/// A place that people go to.
public struct Place: Identifiable, Codable, Hashable, Sendable {
  public var id: Int
  public var name: String
  /// The name in the language of the place; nil where it is not known.
  public var localName: String?
  /// What kind of place it is, such as `palace`; `other` where that is not known.
  public var category: String
  public var lat: Double
  public var lng: Double
  /// From 0 to 5; nil where nobody has rated it.
  public var rating: Double?

  public init(
    id: Int, name: String, localName: String? = nil, category: String, lat: Double, lng: Double,
    rating: Double? = nil
  ) {
    self.id = id
    self.name = name
    self.localName = localName
    self.category = category
    self.lat = lat
    self.lng = lng
    self.rating = rating
  }

  public var coordinate: Coordinate { Coordinate(lat: lat, lng: lng) }
}
