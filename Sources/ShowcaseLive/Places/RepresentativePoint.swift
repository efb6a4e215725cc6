import OffstageJSON

/// Finds a point on a GeoJSON geometry for a marker.
enum RepresentativePoint {
  typealias Point = SIMD2<Double>

  static let types: Set = [
    "Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon",
    "GeometryCollection",
  ]

  /// Returns the point itself, the middle of the longest line, a point inside the largest polygon,
  /// or the first of these in a collection. Returns nil for missing or malformed coordinates. What
  /// crosses 180° is expected in parts, as RFC 7946, section 3.1.9, tells writers.
  static func point(on geometry: JSONView) -> Point? {
    guard let coordinates = geometry["coordinates"] else {
      return geometry["geometries"]?.elements.lazy.compactMap(point(on:)).first
    }
    switch geometry["type"]?.string {
    case "Point": return position(coordinates)
    case "MultiPoint": return coordinates[0].flatMap(position)
    case "LineString": return middle(of: positions(coordinates))
    case "MultiLineString":
      let lines = coordinates.elements.map(positions)
      return middle(of: lines.max { length($0) < length($1) } ?? [])
    case "Polygon": return interior(of: coordinates.elements.map(positions))
    case "MultiPolygon":
      let polygons = coordinates.elements.map { $0.elements.map(positions) }
      return interior(of: polygons.max { area(of: $0) < area(of: $1) } ?? [])
    default: return nil
    }
  }

  private static func position(_ view: JSONView) -> Point? {
    var elements = view.elements
    guard let x = elements.next()?.double, let y = elements.next()?.double else { return nil }
    return Point(x, y)
  }

  private static func positions(_ view: JSONView) -> [Point] {
    view.elements.compactMap(position)
  }

  // MARK: Lines

  private static func length(_ line: [Point]) -> Double {
    zip(line, line.dropFirst()).reduce(0) { $0 + distance($1.0, $1.1) }
  }

  private static func middle(of line: [Point]) -> Point? {
    var rest = length(line) / 2
    for (start, end) in zip(line, line.dropFirst()) {
      let step = distance(start, end)
      if step > 0, step >= rest { return start + (end - start) * (rest / step) }
      rest -= step
    }
    return line.first
  }

  private static func distance(_ a: Point, _ b: Point) -> Double {
    let difference = a - b
    return (difference * difference).sum().squareRoot()
  }

  // MARK: Polygons

  /// Returns twice the area of the outer ring.
  private static func area(of rings: [[Point]]) -> Double {
    let ring = rings.first ?? []
    return abs(zip(ring, ring.dropFirst()).reduce(0) { $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y })
  }

  /// Returns the centroid if it lies inside; otherwise the middle of the widest stretch at half
  /// height.
  private static func interior(of rings: [[Point]]) -> Point? {
    guard let outer = rings.first, let first = outer.first else { return nil }
    let centroid = centroid(of: outer)
    if let centroid, isInside(centroid, rings) { return centroid }
    let heights = outer.map(\.y)
    // Use an odd fraction, so that the line does not run through vertices of a regular grid.
    let y = heights.min()! + (heights.max()! - heights.min()!) * 0.499_87
    let crossings = crossings(of: rings, at: y).sorted()
    let stretches = stride(from: 0, to: crossings.count - 1, by: 2).map {
      (crossings[$0], crossings[$0 + 1])
    }
    guard let widest = stretches.max(by: { $0.1 - $0.0 < $1.1 - $1.0 }) else { return first }
    return Point((widest.0 + widest.1) / 2, y)
  }

  private static func centroid(of ring: [Point]) -> Point? {
    guard let origin = ring.first else { return nil }
    var sum = Point.zero
    var area = 0.0
    // Calculate relative to the first vertex, which keeps small rings far from zero precise.
    for (a, b) in zip(ring, ring.dropFirst()).map({ ($0 - origin, $1 - origin) }) {
      let cross = a.x * b.y - b.x * a.y
      sum += (a + b) * cross
      area += cross
    }
    return area == 0 ? nil : origin + sum / (3 * area)
  }

  private static func isInside(_ point: Point, _ rings: [[Point]]) -> Bool {
    crossings(of: rings, at: point.y).count { $0 > point.x } % 2 == 1
  }

  /// Returns the longitudes at which the rings cross a latitude.
  private static func crossings(of rings: [[Point]], at y: Double) -> [Double] {
    rings.flatMap { ring in
      zip(ring, ring.dropFirst()).compactMap { a, b in
        (a.y > y) != (b.y > y) ? a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x) : nil
      }
    }
  }
}
