/// A point on the earth, in degrees of WGS 84.
public struct Coordinate: Codable, Hashable, Sendable {
  /// From -90 to 90.
  public var lat: Double
  /// From -180 to 180.
  public var lng: Double

  public init(lat: Double, lng: Double) {
    self.lat = lat
    self.lng = lng
  }

  private enum Key: String, CodingKey {
    case lat, lng
  }

  /// - Throws: `DecodingError` for what is no place on the earth.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    lat = try container.decode(Double.self, forKey: .lat)
    lng = try container.decode(Double.self, forKey: .lng)
    try container.check(lat, within: 90, .lat)
    try container.check(lng, within: 180, .lng)
  }

  /// Where the map is as long as nobody says where the person is.
  public static let seoulCityHall = Coordinate(lat: 37.5665, lng: 126.9780)
}

extension KeyedDecodingContainer {
  /// - Throws: `DecodingError` for degrees past `limit`, to either side.
  func check(_ degrees: Double, within limit: Double, _ key: Key) throws {
    guard abs(degrees) > limit else { return }
    throw DecodingError.dataCorruptedError(
      forKey: key, in: self, debugDescription: "number from -\(Int(limit)) to \(Int(limit))")
  }
}
