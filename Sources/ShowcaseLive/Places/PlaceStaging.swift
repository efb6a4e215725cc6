import OffstageLive
import Showcase

/// Changes a set of place tables at once without locking other writers out.
///
/// The new places go into staged tables in short transactions. ``commit(keeping:_:)`` then merges
/// them if they are few; otherwise it adds the places to keep and swaps the staged tables for the
/// old ones. No reader sees part of the change. The next change cleans up after a crash.
struct PlaceStaging: Sendable {
  /// The existing places that stay, unless a staged place has the same ID.
  enum Kept: String {
    case all = "true"
    case builtIn = "batch = 0"
    case none = "false"
  }

  /// The number of staged places that are merged, not swapped, in a transaction of about 0.1 s.
  private static let mergeLimit = 5000
  /// The number of places copied in one transaction.
  private static let copyLimit = 2000

  private let tables: PlaceTables
  private let database: Database
  /// The identity of this change. A change that starts later takes over the staged tables.
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

  /// Stages features.
  /// - Returns: For each feature, false if an earlier one has the same ID.
  func add(_ features: [PlaceFeature.Result]) async throws -> [Bool] {
    try await write { connection in
      try features.map { try staged.insert($0.place, properties: $0.properties, connection) }
    }
  }

  /// Makes the staged places visible, and makes the writes of `record` in the same transaction.
  /// - Returns: The number of places that are gone, replaced or not.
  @discardableResult
  func commit(
    keeping kept: Kept, _ record: @escaping @Sendable (Connection) throws -> Void = { _ in }
  ) async throws -> Int {
    let merged: Int? = try await write { connection in
      guard kept == .all,
        try !connection.exists("SELECT 1 FROM \(staged.name) LIMIT 1 OFFSET ?", Self.mergeLimit)
      else { return nil }
      let count = try merge(connection)
      try clean(connection)
      try record(connection)
      return count
    }
    if let merged { return merged }
    let old = try await database.read { connection in
      try connection.first("SELECT count(*) FROM \(tables.name)") ?? 0
    }
    let copied = kept == .none ? 0 : try await copy(kept)
    for key in PlaceTables.sortKeys {
      try await write { try staged.sort(by: key, named: token, $0) }
    }
    try await write { connection in
      try tables.rename(to: tables.retired, connection)
      try staged.rename(to: tables, connection)
      try connection.execute(script: "DROP TABLE \(owner)")
      try record(connection)
    }
    // Nothing depends on this, and the places are visible even if it fails.
    database.enqueue { try tables.retired.drop($0) }
    return old - copied
  }

  /// Removes the staged tables.
  func abandon() async throws {
    try await write { try clean($0) }
  }

  /// Writes if the staged tables still belong to this change.
  private func write<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    try await database.write { connection in
      guard try connection.exists("SELECT 1 FROM sqlite_schema WHERE name = ?", owner),
        try connection.exists("SELECT 1 FROM \(owner) WHERE token = ?", token)
      else {
        throw LoadFailure(.storage, "Another import has taken over.", retryable: false)
      }
      return try body(connection)
    }
  }

  /// - Returns: The number of places that were replaced.
  private func merge(_ connection: Connection) throws -> Int {
    let count: Int? = try connection.first(
      "SELECT count(*) FROM \(staged.name) WHERE id IN (SELECT id FROM \(tables.name))")
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
    return count ?? 0
  }

  /// Copies the places to keep, chunk by chunk in the order of their IDs.
  /// - Returns: The number of places that were copied.
  private func copy(_ kept: Kept) async throws -> Int {
    var last: Int? = Int.min
    var copied = 0
    while let start = last {
      let count: Int
      (last, count) = try await write { connection in
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
        let count = try connection.execute(
          "INSERT INTO \(staged.name) SELECT * FROM \(tables.name) old WHERE \(missing)", start)
        return (end ?? nil, count)
      }
      copied += count
    }
    return copied
  }

  private func clean(_ connection: Connection) throws {
    try staged.drop(connection)
    try tables.retired.drop(connection)
    try connection.execute(script: "DROP TABLE IF EXISTS \(owner)")
  }
}
