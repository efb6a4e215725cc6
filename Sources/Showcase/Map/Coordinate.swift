import Offstage

/// A point on the earth, in degrees of WGS 84.
package struct Coordinate: Codable, Hashable, Sendable {
  /// From -90 to 90.
  package var lat: Double
  /// From -180 to 180.
  package var lng: Double

  package init(lat: Double, lng: Double) {
    self.lat = lat
    self.lng = lng
  }

  /// - Throws: `DecodingError` for degrees out of range.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    lat = try container.decode(Double.self, forKey: .lat, in: -90...90)
    lng = try container.decode(Double.self, forKey: .lng, in: -180...180)
  }

  /// The map's center until the user's location is known.
  package static let seoulCityHall = Coordinate(lat: 37.5665, lng: 126.9780)
}

/// The visible part of a map: a rectangle in degrees that may cross the 180th meridian.
package struct Bounds: Codable, Hashable, Sendable {
  package var minLat: Double
  package var minLng: Double
  package var maxLat: Double
  /// Less than `minLng` if the rectangle crosses the 180th meridian.
  package var maxLng: Double

  /// The middle, rounded to a centimeter: 37.57949999999999 becomes 37.5795.
  package var center: Coordinate {
    func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
    return Coordinate(
      lat: rounded((minLat + maxLat) / 2), lng: rounded(Self.wrapped(minLng + width / 2)))
  }

  /// Returns a rectangle of the same size around another point, clipped at the poles.
  func moved(to center: Coordinate) -> Bounds {
    let height = maxLat - minLat
    // Both edges of the whole world would be the same meridian.
    let isWorld = width >= 360
    return Bounds(
      minLat: max(center.lat - height / 2, -90),
      minLng: isWorld ? -180 : Self.wrapped(center.lng - width / 2),
      maxLat: min(center.lat + height / 2, 90),
      maxLng: isWorld ? 180 : Self.wrapped(center.lng + width / 2))
  }

  /// Compares the middle with a point. A difference of less than a hundredth of the size is due to
  /// rounding to whole pixels.
  func isCentered(on point: Coordinate) -> Bool {
    let meridians = abs(center.lng - point.lng)
    return abs(center.lat - point.lat) < (maxLat - minLat) / 100
      && min(meridians, 360 - meridians) < width / 100
  }

  /// Central Seoul: the bounds until a front end sends its own.
  static let seoul = Bounds(minLat: 37.5365, minLng: 126.938, maxLat: 37.5965, maxLng: 127.018)

  /// Degrees from the western to the eastern edge.
  private var width: Double { maxLng < minLng ? maxLng - minLng + 360 : maxLng - minLng }

  private static func wrapped(_ lng: Double) -> Double {
    lng < -180 ? lng + 360 : lng > 180 ? lng - 360 : lng
  }
}

extension Bounds {
  /// - Throws: `DecodingError` for degrees out of range, or if `maxLat` is less than `minLat`.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    minLat = try container.decode(Double.self, forKey: .minLat, in: -90...90)
    minLng = try container.decode(Double.self, forKey: .minLng, in: -180...180)
    maxLat = try container.decode(Double.self, forKey: .maxLat, in: -90...90)
    maxLng = try container.decode(Double.self, forKey: .maxLng, in: -180...180)
    if maxLat < minLat {
      throw DecodingError.dataCorruptedError(
        forKey: .maxLat, in: container, debugDescription: "number from minLat (\(minLat)) on")
    }
  }
}

/// The user's location, shared by the place screens.
@CoreActor
final class UserLocation {
  /// nil until the device has answered.
  let coordinate = Out<Coordinate?>(nil)
}

/// The way from one point to another.
package struct Way: Hashable, Sendable {
  /// Meters.
  package var distance: Int
  /// nil if both points are the same.
  package var direction: CompassPoint?

  package init(distance: Int, direction: CompassPoint?) {
    self.distance = distance
    self.direction = direction
  }
}

/// The eight main points of the compass, clockwise from north.
package enum CompassPoint: String, Codable, CaseIterable, Sendable {
  case north, northEast, east, southEast, south, southWest, west, northWest
}

extension Prompt where Answer == Coordinate {
  /// Asks the device for the user's location.
  static var currentLocation: Self { Prompt(.currentLocation) }
}

extension PromptDescription {
  static let currentLocation = PromptDescription(.currentLocation, answer: Coordinate.self)
}

extension String {
  /// The name of the prompt.
  fileprivate static let currentLocation = "location.current"
}
