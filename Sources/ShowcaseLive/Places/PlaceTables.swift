import Showcase

/// Tables that hold places: the places, an R*Tree over their coordinates, and their properties.
struct PlaceTables: Sendable {
  /// The places of the app and of imports.
  static let places = PlaceTables(name: "places")
  /// The places of a GeoJSON file on a server.
  static let hotPlaces = PlaceTables(name: "hot_places")

  /// The columns that `Place.init(row:)` reads.
  static let columns = "id, name, local_name, region, category, lat, lng, rating"

  /// The table with the places; the names of the others begin with it.
  let name: String
  var index: String { name + "_rtree" }
  var properties: String { name + "_properties" }

  var staged: PlaceTables { PlaceTables(name: name + "_staged") }
  fileprivate var retired: PlaceTables { PlaceTables(name: name + "_retired") }
  fileprivate var all: [String] { [name, index, properties] }

  /// A migration that changes these columns must change the tables of a set of every name.
  fileprivate func create(_ connection: Connection) throws {
    try createPlaces(connection)
    try connection.execute(
      script: """
        CREATE VIRTUAL TABLE \(index) USING rtree(id, min_lat, max_lat, min_lng, max_lng);
        """)
    try createProperties(connection)
  }

  /// `batch` is 0 for a place that comes with the app, and 1 for any other.
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
          batch INTEGER NOT NULL
        ) STRICT
        """)
  }

  /// A separate table keeps the rows of places short: a search scans all of them.
  fileprivate func createProperties(_ connection: Connection) throws {
    try connection.execute(
      script: "CREATE TABLE \(properties) (id INTEGER PRIMARY KEY, json TEXT NOT NULL) STRICT")
  }

  fileprivate func drop(_ connection: Connection) throws {
    for table in all { try connection.execute(script: "DROP TABLE IF EXISTS \(table)") }
  }

  fileprivate func rename(to other: PlaceTables, _ connection: Connection) throws {
    for (old, new) in zip(all, other.all) {
      try connection.execute(script: "ALTER TABLE \(old) RENAME TO \(new)")
    }
  }

  /// Inserts a place that does not come with the app.
  /// - Returns: false if the table has a place with this ID, which stays.
  func insert(_ place: Place, properties json: String? = nil, _ connection: Connection) throws
    -> Bool
  {
    let count = try connection.execute(
      """
      INSERT INTO \(name) (\(Self.columns), search_key, batch)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1) ON CONFLICT (id) DO NOTHING
      """,
      place.id, place.name, place.localName, place.region, place.category, place.lat, place.lng,
      place.rating, SearchKey.key([place.name, place.localName]))
    guard count > 0 else { return false }
    try connection.execute(
      "INSERT INTO \(index) VALUES (?1, ?2, ?2, ?3, ?3)", place.id, place.lat, place.lng)
    if let json {
      try connection.execute("INSERT INTO \(properties) VALUES (?, ?)", place.id, json)
    }
    return true
  }
}

/// Changes a set of place tables at once without locking other writers out.
///
/// The new places go into staged tables in short transactions. ``commit(keeping:)`` then merges a few
/// of them, or adds the places to keep and renames the staged tables in place of the old ones. No
/// reader sees a part of the change. The next change cleans up after a crash.
struct PlaceStaging: Sendable {
  /// The present places that stay, unless a staged one has the same ID.
  enum Kept: String {
    case all = "true"
    case builtIn = "batch = 0"
    case none = "false"
  }

  /// The number of staged places that are merged rather than swapped: a transaction of about 0.1 s.
  private static let mergeLimit = 5000
  /// The number of times to try a transaction, each for the busy timeout.
  private static let attempts = 6
  /// The number of places copied in one transaction.
  private static let copyLimit = 2000

  private let tables: PlaceTables
  private let database: Database
  /// Identifies this change. Another one that starts later takes over the staged tables.
  private let token = String(UInt64.random(in: 0 ... .max))
  private var staged: PlaceTables { tables.staged }
  private var owner: String { staged.name + "_owner" }

  /// Creates the staged tables.
  /// - Throws: `LoadFailure`, or `CancellationError`; so does every other method.
  static func begin(_ tables: PlaceTables, _ database: Database) async throws -> PlaceStaging {
    let staging = PlaceStaging(tables: tables, database: database)
    try await database.write { connection in
      try staging.clean(connection)
      try staging.staged.create(connection)
      try connection.execute(script: "CREATE TABLE \(staging.owner) (token TEXT NOT NULL) STRICT")
      try connection.execute("INSERT INTO \(staging.owner) VALUES (?)", staging.token)
    }
    return staging
  }

  private init(tables: PlaceTables, database: Database) {
    self.tables = tables
    self.database = database
  }

  /// - Returns: For each feature, false if an earlier one has the same ID.
  func add(_ features: [PlaceFeature.Result]) async throws -> [Bool] {
    try await write { connection in
      try features.map { try staged.insert($0.place, properties: $0.properties, connection) }
    }
  }

  /// Makes the staged places visible.
  /// - Parameter record: Further writes in the same transaction.
  func commit(
    keeping kept: Kept, _ record: @escaping @Sendable (Connection) throws -> Void = { _ in }
  ) async throws {
    let isMerged = try await write { connection in
      guard kept == .all,
        try connection.rows(
          "SELECT 1 FROM \(staged.name) LIMIT ?", Self.mergeLimit + 1, as: { _ in }
        ).count <= Self.mergeLimit
      else { return false }
      try merge(connection)
      try clean(connection)
      try record(connection)
      return true
    }
    if isMerged { return }
    if kept != .none { try await copy(kept) }
    try await write { connection in
      try tables.rename(to: tables.retired, connection)
      try staged.rename(to: tables, connection)
      try connection.execute(script: "DROP TABLE \(owner)")
      try record(connection)
    }
    // Nothing depends on it, and the places are visible whatever becomes of it.
    database.enqueue { try tables.retired.drop($0) }
  }

  /// Removes the staged tables.
  func abandon() async throws {
    try await write { try clean($0) }
  }

  /// Writes, provided that the staged tables still belong to this change. Retries longer than other
  /// writes, so that a busy database does not fail a whole import.
  private func write<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    for _ in 1..<Self.attempts {
      do { return try await writeOnce(body) } catch let failure as LoadFailure
        where failure.retryable
      {}
    }
    return try await writeOnce(body)
  }

  private func writeOnce<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    try await database.write { connection in
      let exists = try connection.row(
        "SELECT 1 FROM sqlite_schema WHERE name = ?", owner, as: { _ in true })
      let isOwner = try exists.flatMap { _ in
        try connection.row("SELECT 1 FROM \(owner) WHERE token = ?", token, as: { _ in true })
      }
      guard isOwner == true else {
        throw LoadFailure(.storage, "Another import has taken over.", retryable: false)
      }
      return try body(connection)
    }
  }

  private func merge(_ connection: Connection) throws {
    try connection.execute(
      """
      DELETE FROM \(tables.properties) WHERE id IN (SELECT id FROM \(staged.name))
      """)
    try connection.execute("INSERT OR REPLACE INTO \(tables.name) SELECT * FROM \(staged.name)")
    try connection.execute(
      """
      INSERT OR REPLACE INTO \(tables.index) SELECT id, lat, lat, lng, lng FROM \(staged.name)
      """)
    try connection.execute("INSERT INTO \(tables.properties) SELECT * FROM \(staged.properties)")
  }

  /// Copies the places to keep, chunk by chunk in the order of their IDs.
  private func copy(_ kept: Kept) async throws {
    var last: Int? = Int.min
    while let start = last {
      last = try await write { connection in
        let chunk = """
          SELECT id FROM \(tables.name) WHERE id > ?1 AND \(kept.rawValue) ORDER BY id \
          LIMIT \(Self.copyLimit)
          """
        let end = try connection.row("SELECT max(id) FROM (\(chunk))", start) {
          try $0[0] as Int?
        }
        let missing = """
          id IN (\(chunk)) AND NOT EXISTS (SELECT 1 FROM \(staged.name) s WHERE s.id = old.id)
          """
        try connection.execute(
          """
          INSERT INTO \(staged.properties) SELECT * FROM \(tables.properties) old WHERE \(missing)
          """, start)
        try connection.execute(
          """
          INSERT INTO \(staged.index)
          SELECT id, lat, lat, lng, lng FROM \(tables.name) old WHERE \(missing)
          """, start)
        try connection.execute(
          "INSERT INTO \(staged.name) SELECT * FROM \(tables.name) old WHERE \(missing)", start)
        return end ?? nil
      }
    }
  }

  private func clean(_ connection: Connection) throws {
    try staged.drop(connection)
    try tables.retired.drop(connection)
    try connection.execute(script: "DROP TABLE IF EXISTS \(owner)")
  }
}

extension Migration {
  /// The first version of the tables. Later migrations changed `places`.
  static let places = Migration(
    "places",
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

  static let builtInPlaces = Migration("built-in places") { connection in
    for place in BuiltInPlaces.all {
      try connection.execute(
        "INSERT INTO places VALUES (?, ?, ?, ?, ?, ?, ?, 0)", place.id, place.name,
        place.localName, place.category, place.lat, place.lng, place.rating)
      try connection.execute(
        "INSERT INTO places_rtree VALUES (?1, ?2, ?2, ?3, ?3)", place.id, place.lat, place.lng)
    }
  }

  /// Adds regions, search keys, and properties.
  static let placeSearch = Migration("place search") { connection in
    try connection.execute(script: "ALTER TABLE places RENAME TO places_retired")
    try PlaceTables.places.createPlaces(connection)
    try PlaceTables.places.createProperties(connection)
    try connection.execute(
      script: """
        INSERT INTO places
        SELECT id, name, local_name, NULL, category, lat, lng, rating, search_key(name, local_name),
          batch <> 0
        FROM places_retired;
        DROP TABLE places_retired
        """)
  }

  /// The places of the last GeoJSON file from a server, and that file.
  static let hotPlaces = Migration("hot places") { connection in
    try PlaceTables.hotPlaces.create(connection)
    try connection.execute(
      script: """
        CREATE TABLE hot_place_files (
          url TEXT PRIMARY KEY,
          etag TEXT
        ) STRICT, WITHOUT ROWID
        """)
  }

  /// Adds the time of the file. One from before counts as very old.
  static let hotPlaceTimes = Migration(
    "times of hot places",
    "ALTER TABLE hot_place_files ADD COLUMN fetched_at INTEGER NOT NULL DEFAULT 0")
}
