import Offstage
import OffstageLive
import OffstageSQLite
import Showcase

extension Connection {
  /// Adds the functions that statements call: `distance(lat, lng, lat, lng)` in meters,
  /// and `search_rank(search_key, text)`, which is NULL without a match.
  @Sendable static func addFunctions(to handle: OpaquePointer) {
    addNearest(to: handle)
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
    sqlite3_create_function_v2(
      handle, "distance", 4, flags, nil,
      { context, _, arguments in
        guard let arguments else { return }
        let from = Coordinate(
          lat: sqlite3_value_double(arguments[0]), lng: sqlite3_value_double(arguments[1]))
        let to = Coordinate(
          lat: sqlite3_value_double(arguments[2]), lng: sqlite3_value_double(arguments[3]))
        sqlite3_result_double(context, from.distance(to: to))
      }, nil, nil, nil)
    sqlite3_create_function_v2(
      handle, "search_rank", 2, flags, nil,
      { context, _, arguments in
        guard let arguments, let key = Connection.text(arguments[0]),
          let pattern = Connection.pattern(arguments[1], context),
          let rank = pattern.rank(in: key)
        else { return }
        sqlite3_result_int(context, Int32(rank.rawValue))
      }, nil, nil, nil)
  }

  /// Returns the pattern for the second argument, which SQLite keeps for all rows of a statement.
  private static func pattern(_ text: OpaquePointer?, _ context: OpaquePointer?) -> SearchPattern? {
    if let kept = sqlite3_get_auxdata(context, 1) {
      return Unmanaged<SearchPattern>.fromOpaque(kept).takeUnretainedValue()
    }
    guard let pattern = Connection.text(text).flatMap(SearchPattern.init) else { return nil }
    sqlite3_set_auxdata(context, 1, Unmanaged.passRetained(pattern).toOpaque()) {
      Unmanaged<SearchPattern>.fromOpaque($0!).release()
    }
    return pattern
  }

  private static func text(_ value: OpaquePointer?) -> String? {
    // Ask for the pointer before the length: reading the text may convert it.
    guard let start = sqlite3_value_text(value) else { return nil }
    let count = Int(sqlite3_value_bytes(value))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }
}
