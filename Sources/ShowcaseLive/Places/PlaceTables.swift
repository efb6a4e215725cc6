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
  func create(_ connection: Connection) throws {
    try createPlaces(connection)
    try connection.execute(
      script: """
        CREATE VIRTUAL TABLE \(index) USING rtree(id, min_lat, max_lat, min_lng, max_lng);
        """)
    try createProperties(connection)
  }

  /// Creates the table of places. `batch` is 0 for places that come with the app and 1 for others.
  fileprivate func createPlaces(_ connection: Connection) throws {
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
        ) STRICT
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

  /// The expression that sorts places by the names that `Korean` shows; last those without a name.
  private static func koreanKey(_ name: String, _ localName: String, _ category: String) -> String {
    """
    search_key(CASE WHEN \(localName) GLOB '*[가-힣]*' THEN \(localName) \
    ELSE coalesce(nullif(\(name), ''), char(0x10FFFF) || \(category)) END)
    """
  }

  /// Copies the places of a table without keys to sort by.
  fileprivate func fill(from old: String, _ connection: Connection) throws {
    try connection.execute(
      """
      INSERT INTO \(name)
      SELECT \(Self.columns), search_key, \(Self.koreanKey("name", "local_name", "category")), batch
      FROM \(old)
      """)
  }

  /// Creates the table of properties. It is separate to keep the rows of places short, because a
  /// search scans all of them.
  fileprivate func createProperties(_ connection: Connection) throws {
    try connection.execute(
      script: "CREATE TABLE \(properties) (id INTEGER PRIMARY KEY, json TEXT NOT NULL) STRICT")
  }

  /// Compares the tables of places with their indexes, for ``Database/problems(_:)``.
  package static func problems(_ connection: Connection) throws -> [String] {
    var problems: [String] = []
    for tables in [PlaceTables.places, .downloadedPlaces] {
      // A database of an earlier version may lack them.
      guard try connection.exists("SELECT 1 FROM sqlite_schema WHERE name = ?", tables.index)
      else { continue }
      let report: String? = try connection.row("SELECT rtreecheck(?)", tables.index) { try $0[0] }
      if let report, report != "ok" { problems.append("\(tables.index): \(report)") }
      let missing: Int? = try connection.row(
        """
        SELECT (SELECT count(*) FROM \(tables.name)) - (SELECT count(*) FROM \(tables.index))
        """
      ) { try $0[0] }
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

  /// Inserts a place that does not come with the app.
  /// - Returns: False if the table already has a place with this ID, which stays.
  func insert(_ place: Place, properties json: String? = nil, _ connection: Connection) throws
    -> Bool
  {
    // A place without a name is found by its category.
    let names =
      place.name.isEmpty
      ? [place.category.replacing("_", with: " ")] : [place.name, place.localName]
    let count = try connection.execute(
      """
      INSERT INTO \(name) (\(Self.columns), search_key, korean_key, batch)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, \(Self.koreanKey("?2", "?3", "?5")), 1)
      ON CONFLICT (id) DO NOTHING
      """,
      place.id, place.name, place.localName, place.region, place.category, place.lat, place.lng,
      place.rating, SearchKey.key(names))
    guard count > 0 else { return false }
    try connection.execute(
      "INSERT INTO \(index) VALUES (?1, ?2, ?2, ?3, ?3)", place.id, place.lat, place.lng)
    if let json {
      try connection.execute("INSERT INTO \(properties) VALUES (?, ?)", place.id, json)
    }
    return true
  }
}

extension Migration {
  /// The first version of the tables. Later migrations changed `places`.
  static let places = Migration(
    """
    CREATE TABLE places (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL,
      local_name TEXT,
      category TEXT NOT NULL,
      lat REAL NOT NULL,
      lng REAL NOT NULL,
      rating REAL,
      batch INTEGER NOT NULL
    ) STRICT;
    CREATE VIRTUAL TABLE places_rtree USING rtree(id, min_lat, max_lat, min_lng, max_lng);
    """)

  static let builtInPlaces = Migration { connection in
    for place in BuiltInPlaces.all {
      try connection.execute(
        "INSERT INTO places VALUES (?, ?, ?, ?, ?, ?, ?, 0)", place.id, place.name,
        place.localName, place.category, place.lat, place.lng, place.rating)
      try connection.execute(
        "INSERT INTO places_rtree VALUES (?1, ?2, ?2, ?3, ?3)", place.id, place.lat, place.lng)
    }
  }

  /// Adds regions, search keys, and properties.
  static let placeSearch = Migration { connection in
    try connection.execute(script: "ALTER TABLE places RENAME TO places_retired")
    try PlaceTables.places.createPlaces(connection)
    try PlaceTables.places.createProperties(connection)
    try PlaceTables.places.fill(
      from: """
        (SELECT id, name, local_name, NULL AS region, category, lat, lng, rating,
          search_key(name, local_name) AS search_key, batch <> 0 AS batch
        FROM places_retired)
        """, connection)
    try connection.execute(script: "DROP TABLE places_retired")
  }

  /// The places of the last GeoJSON file from a server, and that file.
  static let downloadedPlaces = Migration { connection in
    try PlaceTables.downloadedPlaces.create(connection)
    try connection.execute(
      script: """
        CREATE TABLE hot_place_files (
          url TEXT PRIMARY KEY,
          etag TEXT
        ) STRICT, WITHOUT ROWID
        """)
  }

  /// Adds the time of the file. An existing file counts as very old.
  static let downloadTimes = Migration(
    "ALTER TABLE hot_place_files ADD COLUMN fetched_at INTEGER NOT NULL DEFAULT 0")

  /// Adds what to sort by.
  static let placeOrder = Migration { connection in
    for tables in [PlaceTables.places, .downloadedPlaces] {
      // A new database has the columns.
      let hasOrder = try connection.exists(
        "SELECT 1 FROM pragma_table_info(?) WHERE name = 'korean_key'", tables.name)
      if !hasOrder {
        let old = tables.name + "_unsorted"
        try connection.execute(script: "ALTER TABLE \(tables.name) RENAME TO \(old)")
        try tables.createPlaces(connection)
        try tables.fill(from: old, connection)
        try connection.execute(script: "DROP TABLE \(old)")
      }
      for key in PlaceTables.sortKeys { try tables.sort(by: key, named: tables.name, connection) }
    }
  }
}
