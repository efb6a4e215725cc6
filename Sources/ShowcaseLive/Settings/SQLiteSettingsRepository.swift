public import Showcase

/// Settings in the database.
public struct SQLiteSettingsRepository: SettingsRepository {
  private let database: Database

  public init(database: Database) {
    self.database = database
  }

  public func setting(_ name: String) async throws -> String? {
    try await database.read { connection in
      try connection.row("SELECT value FROM settings WHERE name = ?", name) { try $0[0] }
    }
  }

  public func set(_ name: String, to value: String?) async throws {
    _ = try await database.write { connection in
      if let value {
        try connection.execute(
          "INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", name, value)
      } else {
        try connection.execute("DELETE FROM settings WHERE name = ?", name)
      }
    }
  }
}

extension Migration {
  static let settings = Migration(
    "settings",
    """
    CREATE TABLE settings (
      name TEXT PRIMARY KEY,
      value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID
    """)
}
