/// What a map shows: a rectangle of degrees, which may lie across the 180th meridian.
public struct Bounds: Codable, Hashable, Sendable {
  public var minLat: Double
  public var minLng: Double
  public var maxLat: Double
  /// Less than `minLng` where the rectangle lies across the 180th meridian.
  public var maxLng: Double

  public init(minLat: Double, minLng: Double, maxLat: Double, maxLng: Double) {
    self.minLat = minLat
    self.minLng = minLng
    self.maxLat = maxLat
    self.maxLng = maxLng
  }

  private enum Key: String, CodingKey {
    case minLat, minLng, maxLat, maxLng
  }

  /// - Throws: `DecodingError` for what is no rectangle on the earth.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    minLat = try container.decode(Double.self, forKey: .minLat)
    minLng = try container.decode(Double.self, forKey: .minLng)
    maxLat = try container.decode(Double.self, forKey: .maxLat)
    maxLng = try container.decode(Double.self, forKey: .maxLng)
    try container.check(minLat, within: 90, .minLat)
    try container.check(minLng, within: 180, .minLng)
    try container.check(maxLat, within: 90, .maxLat)
    try container.check(maxLng, within: 180, .maxLng)
    if maxLat < minLat {
      throw DecodingError.dataCorruptedError(
        forKey: .maxLat, in: container, debugDescription: "number from minLat (\(minLat)) on")
    }
  }

  /// The middle, to a centimetre: what adds up to 37.57949999999999 means 37.5795.
  public var center: Coordinate {
    func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
    return Coordinate(
      lat: rounded((minLat + maxLat) / 2), lng: rounded(Self.wrapped(minLng + width / 2)))
  }

  /// As large as before, around another point; cut off at the poles.
  func moved(to center: Coordinate) -> Bounds {
    let height = maxLat - minLat
    return Bounds(
      minLat: max(center.lat - height / 2, -90), minLng: Self.wrapped(center.lng - width / 2),
      maxLat: min(center.lat + height / 2, 90), maxLng: Self.wrapped(center.lng + width / 2))
  }

  /// A city's centre around Seoul City Hall: what is shown until a front end says what it shows.
  static let seoul = Bounds(minLat: 37.5365, minLng: 126.938, maxLat: 37.5965, maxLng: 127.018)

  /// Degrees from the western edge to the eastern one.
  private var width: Double { maxLng < minLng ? maxLng - minLng + 360 : maxLng - minLng }

  private static func wrapped(_ lng: Double) -> Double {
    lng < -180 ? lng + 360 : lng > 180 ? lng - 360 : lng
  }
}
