package import Offstage

extension Coordinate {
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

  /// The middle.
  package var center: Coordinate {
    Coordinate(
      lat: ((minLat + maxLat) / 2).degrees, lng: Self.wrapped(minLng + width / 2).degrees)
  }

  /// Returns a rectangle of the same size around another point, clipped at the poles.
  func moved(to center: Coordinate) -> Bounds {
    Bounds(around: center, height: height, width: width)
  }

  /// Compares the middle with a point. A difference of less than a hundredth of the size is due to
  /// rounding to whole pixels.
  func isCentered(on point: Coordinate) -> Bool {
    let meridians = abs(center.lng - point.lng)
    return abs(center.lat - point.lat) < height / 100
      && min(meridians, 360 - meridians) < width / 100
  }

  /// Returns a rectangle of the same size around another one, or a larger one that contains it.
  func moved(to other: Bounds) -> Bounds {
    Bounds(
      around: other.center, height: max(height, other.height), width: max(width, other.width))
  }

  /// True if neither side of the other rectangle is longer.
  func hasRoom(for other: Bounds) -> Bool { height >= other.height && width >= other.width }

  /// Central Seoul: the bounds until a front end sends its own.
  static let seoul = Bounds(minLat: 37.5365, minLng: 126.938, maxLat: 37.5965, maxLng: 127.018)

  /// In degrees.
  var longerSide: Double { max(height, width, 1e-4) }

  fileprivate var height: Double { maxLat - minLat }

  /// Degrees from the western to the eastern edge.
  fileprivate var width: Double { maxLng < minLng ? maxLng - minLng + 360 : maxLng - minLng }

  fileprivate static func wrapped(_ lng: Double) -> Double {
    lng < -180 ? lng + 360 : lng > 180 ? lng - 360 : lng
  }
}

extension Bounds {
  /// Creates the smallest rectangle around some points; nil if there are none.
  init?(around points: [Coordinate]) {
    let (lats, lngs) = (points.map(\.lat).sorted(), points.map(\.lng).sorted())
    guard let minLat = lats.first, let maxLat = lats.last, let west = lngs.first else { return nil }
    // What is left out is the widest gap on the circle of longitudes.
    let gaps = zip(lngs, lngs.dropFirst() + [west + 360]).map { $1 - $0 }
    let last = gaps.indices.max { gaps[$0] < gaps[$1] }!
    self.init(
      minLat: minLat, minLng: lngs[(last + 1) % lngs.count], maxLat: maxLat, maxLng: lngs[last])
  }

  fileprivate init(around center: Coordinate, height: Double, width: Double) {
    // Both edges of the whole world would be the same meridian.
    let isWorld = width >= 360
    self.init(
      minLat: max(center.lat - height / 2, -90).degrees,
      minLng: isWorld ? -180 : Self.wrapped(center.lng - width / 2).degrees,
      maxLat: min(center.lat + height / 2, 90).degrees,
      maxLng: isWorld ? 180 : Self.wrapped(center.lng + width / 2).degrees)
  }

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

extension Double {
  /// Rounded to a centimeter: 37.57949999999999 becomes 37.5795.
  fileprivate var degrees: Double { (self * 1e7).rounded() / 1e7 }
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
