import Foundation
import Showcase

/// The statement that finds the places of a query: the R*Tree says which can be meant, and the exact
/// coordinates which are, since the tree rounds its own to 32 bits.
struct PlaceSelection {
  private(set) var sql = ""
  private(set) var parameters: [any SQLConvertible] = []

  /// - Parameters:
  ///   - limit: how many places to give.
  ///   - offset: how many to pass over.
  init(_ query: PlaceQuery, limit: Int, offset: Int) {
    let ranges = query.bounds.ranges.map { range in
      (
        minLat: bind(range.minLat), maxLat: bind(range.maxLat),
        minLng: bind(range.minLng), maxLng: bind(range.maxLng)
      )
    }
    let candidates = ranges.map { range in
      """
      SELECT id FROM places_rtree WHERE max_lat >= \(range.minLat) AND min_lat <= \(range.maxLat) \
      AND max_lng >= \(range.minLng) AND min_lng <= \(range.maxLng)
      """
    }
    let exact = ranges.map { range in
      """
      lat BETWEEN \(range.minLat) AND \(range.maxLat) \
      AND lng BETWEEN \(range.minLng) AND \(range.maxLng)
      """
    }
    // What is equal in what is sorted by stands in the order of the ids, on every page.
    sql = """
      SELECT \(Place.columns) FROM places
      WHERE id IN (\(candidates.joined(separator: " UNION ALL ")))
      AND (\(exact.joined(separator: " OR ")))
      ORDER BY \(order(query)), id LIMIT \(bind(limit)) OFFSET \(bind(offset))
      """
  }

  private mutating func bind(_ value: any SQLConvertible) -> String {
    parameters.append(value)
    return "?\(parameters.count)"
  }

  private mutating func order(_ query: PlaceQuery) -> String {
    switch query.sort {
    case .distance: distance(from: query.center)
    case .rating: "rating DESC NULLS LAST"
    case .name: "name COLLATE NOCASE"
    }
  }

  /// What grows with the distance, on a map that is flat around its centre: degrees of longitude are
  /// as much shorter there as the cosine of the latitude says, and count the shorter way round.
  private mutating func distance(from center: Coordinate) -> String {
    let north = "(lat - \(bind(center.lat)))"
    let lng = bind(center.lng)
    let east = "(min(abs(lng - \(lng)), 360 - abs(lng - \(lng))) * \(bind(shrinking(at: center))))"
    return "\(north) * \(north) + \(east) * \(east)"
  }

  private func shrinking(at center: Coordinate) -> Double { cos(center.lat * .pi / 180) }
}

extension Bounds {
  /// The same as rectangles that do not lie across the 180th meridian.
  fileprivate var ranges: [Bounds] {
    guard minLng > maxLng else { return [self] }
    var west = self
    var east = self
    west.maxLng = 180
    east.minLng = -180
    return [west, east]
  }
}
