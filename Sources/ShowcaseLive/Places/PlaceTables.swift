import Offstage
package import OffstageLive
import Showcase

/// Tables that hold places: the places, an R*Tree over their coordinates, and their properties.
package struct PlaceTables: Sendable {
  /// The places of the app and of imports.
  static let places = PlaceTables(name: "places")
  /// The places of a GeoJSON file on a server.
  static let downloadedPlaces = PlaceTables(name: "hot_places")

  /// The columns that `Place.init(row:)` reads.
  static let columns = "id, name, local_name, region, category, lat, lng, rating"

  /// The table with the places; the names of the others begin with it.
  let name: String
  var index: String { name + "_rtree" }
  var properties: String { name + "_properties" }

  var staged: PlaceTables { PlaceTables(name: name + "_staged") }
  var retired: PlaceTables { PlaceTables(name: name + "_retired") }
  var all: [String] { [name, index, properties] }

  /// Creates the tables. A migration that changes their columns must change every set of tables.
  ///
  /// `batch` is 0 for places that come with the app and 1 for others. Properties have a table of their own
  /// to keep the rows of places short, because a search scans all of them.
  func create(_ connection: Connection) throws {
    try connection.execute(
      script: """
        CREATE TABLE \(name) (
          id INTEGER PRIMARY KEY,
          name TEXT NOT NULL,
          local_name TEXT,
          region TEXT,
          category TEXT NOT NULL,
          lat REAL NOT NULL,
          lng REAL NOT NULL,
          rating REAL,
          search_key TEXT NOT NULL,
          korean_key TEXT NOT NULL,
          batch INTEGER NOT NULL
        ) STRICT;
        CREATE VIRTUAL TABLE \(index) USING rtree(id, min_lat, max_lat, min_lng, max_lng);
        CREATE TABLE \(properties) (id INTEGER PRIMARY KEY, json TEXT NOT NULL) STRICT
        """)
  }

  /// The columns that sort places by their names.
  static let sortKeys = ["search_key", "korean_key"]

  /// Creates the index of a column to sort by, after the places are there: each insertion would write
  /// a page anywhere in the index.
  /// - Parameter name: Tells the index from those of other tables, also once they are renamed.
  func sort(by key: String, named name: String, _ connection: Connection) throws {
    try connection.execute(script: "CREATE INDEX by_\(key)_\(name) ON \(self.name) (\(key), id)")
  }

  /// The column that sorts places by their names in a language.
  static func key(sorting language: LanguageTag) -> String {
    language.language == "ko" ? "korean_key" : "search_key"
  }

  /// Compares the tables of places with their indexes, for ``Database/problems(_:)``.
  package static func problems(_ connection: Connection) throws -> [String] {
    var problems: [String] = []
    for tables in [PlaceTables.places, .downloadedPlaces] {
      let report: String? = try connection.first("SELECT rtreecheck(?)", tables.index)
      if let report, report != "ok" { problems.append("\(tables.index): \(report)") }
      let missing: Int? = try connection.first(
        "SELECT (SELECT count(*) FROM \(tables.name)) - (SELECT count(*) FROM \(tables.index))")
      if let missing, missing != 0 {
        problems.append(
          "\(tables.index): \(abs(missing)) entries too \(missing > 0 ? "few" : "many")")
      }
    }
    return problems
  }

  func drop(_ connection: Connection) throws {
    for table in all { try connection.execute(script: "DROP TABLE IF EXISTS \(table)") }
  }

  func rename(to other: PlaceTables, _ connection: Connection) throws {
    for (old, new) in zip(all, other.all) {
      try connection.execute(script: "ALTER TABLE \(old) RENAME TO \(new)")
    }
  }

  /// Inserts a place.
  /// - Returns: False if the table already has a place with this ID, which stays.
  func insert(
    _ place: Place, properties json: String? = nil, batch: Int = 1, _ connection: Connection
  ) throws -> Bool {
    // A place without a name is found by its category.
    let names =
      place.name.isEmpty
      ? [place.category.replacing("_", with: " ")] : [place.name, place.localName]
    // Korean sorts by the names that it shows; places without a name come last.
    let korean =
      place.localName.flatMap { $0.isHangul ? $0 : nil }
      ?? (place.name.isEmpty ? "\u{10FFFF}\(place.category)" : place.name)
    let count = try connection.execute(
      """
      INSERT INTO \(name) (\(Self.columns), search_key, korean_key, batch)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
      """,
      place.id, place.name, place.localName, place.region, place.category, place.lat, place.lng,
      place.rating, SearchKey.key(names), SearchKey.key([korean]), batch)
    guard count > 0 else { return false }
    try connection.execute(
      "INSERT INTO \(index) VALUES (?1, ?2, ?2, ?3, ?3)", place.id, place.lat, place.lng)
    if let json {
      try connection.execute("INSERT INTO \(properties) VALUES (?, ?)", place.id, json)
    }
    return true
  }
}
