import Offstage
import OffstageLive
import OffstageSQLite
import OffstageSystem
import Showcase

extension Connection {
  /// Adds `nearest(lat, lng)`: `WHERE id MATCH nearest(?, ?)` makes an R*Tree over coordinates return
  /// its rows by their distance from a point, at the cost of the rows that are read.
  static func addNearest(to handle: OpaquePointer) {
    sqlite3_rtree_query_callback(
      handle, "nearest",
      { query in
        guard let query, query.pointee.nParam == 2, query.pointee.nCoord == 4,
          let point = query.pointee.aParam, let box = query.pointee.aCoord
        else { return SQLITE_ERROR }
        let from = Coordinate(lat: point[0], lng: point[1])
        // The tree visits its nodes and rows in the order of their scores.
        query.pointee.rScore = from.distance(
          to: from.nearest(lats: (box[0], box[1]), lngs: (box[2], box[3])))
        query.pointee.eWithin = PARTLY_WITHIN
        return SQLITE_OK
      }, nil, nil)
  }
}

extension Coordinate {
  /// Returns the nearest point of a rectangle that does not cross the 180th meridian.
  func nearest(lats: (Double, Double), lngs: (Double, Double)) -> Coordinate {
    if lngs.0 <= lng, lng <= lngs.1 {
      return Coordinate(lat: min(max(lat, lats.0), lats.1), lng: lng)
    }
    func degrees(to other: Double) -> Double { min(abs(other - lng), 360 - abs(other - lng)) }
    let edge = degrees(to: lngs.0) < degrees(to: lngs.1) ? lngs.0 : lngs.1
    // The nearest point of the meridian's whole circle, which may be beyond a pole.
    let radians = Double.pi / 180
    let foot = atan2(sin(lat * radians), cos(lat * radians) * cos((edge - lng) * radians)) / radians
    if lats.0 <= foot, foot <= lats.1 { return Coordinate(lat: foot, lng: edge) }
    let isSouth = cos((lats.0 - foot) * radians) > cos((lats.1 - foot) * radians)
    return Coordinate(lat: isSouth ? lats.0 : lats.1, lng: edge)
  }
}
