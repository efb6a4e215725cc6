package import Offstage
import OffstageSystem
package import Showcase

extension Coordinate {
  /// Returns the great-circle distance in meters, on a sphere with the earth's mean radius.
  func distance(to other: Coordinate) -> Double {
    let radians = Double.pi / 180
    let north = sin((other.lat - lat) * radians / 2)
    // Take the shorter way around, so that 180° and -180° give the same distance.
    let degrees = abs(other.lng - lng)
    let east = sin(min(degrees, 360 - degrees) * radians / 2)
    let haversine =
      north * north + cos(lat * radians) * cos(other.lat * radians) * east * east
    return 2 * 6_371_008.8 * asin(min(1, haversine.squareRoot()))
  }

  /// Returns the direction in which the great circle to another point starts; nil for the same
  /// point.
  func direction(to other: Coordinate) -> CompassPoint? {
    let radians = Double.pi / 180
    let east = (other.lng - lng) * radians
    let x = sin(east) * cos(other.lat * radians)
    let y =
      cos(lat * radians) * sin(other.lat * radians)
      - sin(lat * radians) * cos(other.lat * radians) * cos(east)
    if abs(x) < 1e-12, abs(y) < 1e-12 { return nil }
    let eighths = Int((atan2(x, y) / (Double.pi / 4)).rounded())
    return CompassPoint.allCases[(eighths + 8) % 8]
  }
}

extension PlaceRepository {
  package func way(from: Coordinate, to: Coordinate) -> Way {
    Way(distance: Int(from.distance(to: to).rounded()), direction: from.direction(to: to))
  }
}
