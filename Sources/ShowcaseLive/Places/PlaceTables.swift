import Showcase

extension Migration {
  /// Where the places are kept, and the tree that finds them by where they are.
  ///
  /// A place of batch 0 came with the app; an import is a batch of its own, so that it can tell an
  /// id that it has seen before from one of an earlier import, which it replaces.
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

  /// The places that come with the app.
  static let builtInPlaces = Migration("built-in places") { connection in
    for place in BuiltInPlaces.all { try PlaceWriter(connection, batch: 0).write(place) }
  }
}

/// Writes places into both tables.
struct PlaceWriter {
  private let connection: Connection
  private let batch: Int

  init(_ connection: Connection, batch: Int) {
    self.connection = connection
    self.batch = batch
  }

  /// Adds a place, or replaces the one with its id from another batch.
  /// - Returns: false where this batch has one with that id already, which stays.
  @discardableResult
  func write(_ place: Place) throws -> Bool {
    let count = try connection.execute(
      """
      INSERT INTO places (\(Place.columns), batch) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      ON CONFLICT (id) DO UPDATE SET name = ?2, local_name = ?3, category = ?4, lat = ?5, lng = ?6,
        rating = ?7, batch = ?8
      WHERE batch <> ?8
      """,
      place.id, place.name, place.localName, place.category, place.lat, place.lng, place.rating,
      batch)
    guard count > 0 else { return false }
    try connection.execute(
      "INSERT OR REPLACE INTO places_rtree VALUES (?1, ?2, ?2, ?3, ?3)",
      place.id, place.lat, place.lng)
    return true
  }
}
