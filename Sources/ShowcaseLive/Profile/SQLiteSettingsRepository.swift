package import OffstageLive
package import Showcase

/// Settings by name, in the database.
package struct SQLiteSettingsRepository: SettingsRepository {
  private let database: Database
  private let fixedID: String?

  /// - Parameter installationID: The id of the installation; nil to store a random one.
  package init(database: Database, installationID: String? = nil) {
    self.database = database
    fixedID = installationID
  }

  package func installationID() async throws -> String {
    if let fixedID { return fixedID }
    let name = "installation"
    if let id = try await setting(name, of: .device) { return id }
    return try await database.write { connection in
      // Another process may have been faster.
      try connection.row(
        """
        INSERT INTO settings VALUES (?, ?, hex(randomblob(16)))
        ON CONFLICT DO UPDATE SET value = value RETURNING value
        """, try connection.id(of: .device), name
      ) { try $0[0] } ?? ""
    }
  }

  package func firstStart(now: Duration) async throws -> Duration {
    // An installation with a given id is not new.
    if fixedID != nil { return .zero }
    return try await database.write { connection in
      let seconds: String? = try connection.row(
        """
        INSERT INTO settings VALUES (?, ?, ?)
        ON CONFLICT DO UPDATE SET value = value RETURNING value
        """, try connection.id(of: .device), "firstStart", "\(now.components.seconds)"
      ) { try $0[0] }
      return .seconds(seconds.flatMap(Int.init) ?? 0)
    }
  }

  package func setting(
    _ name: String, of scope: SettingScope = .device
  ) async throws -> String? {
    try await database.read { connection in
      try connection.row(
        "SELECT value FROM settings WHERE owner = ? AND name = ?", try connection.id(of: scope),
        name
      ) { try $0[0] }
    }
  }

  package func set(
    _ name: String, to value: String?, of scope: SettingScope = .device
  ) async throws {
    try await database.write { connection in
      let owner = try connection.id(of: scope)
      if let value {
        try connection.execute(
          "INSERT OR REPLACE INTO settings (owner, name, value) VALUES (?, ?, ?)", owner, name,
          value)
      } else {
        try connection.execute("DELETE FROM settings WHERE owner = ? AND name = ?", owner, name)
      }
    }
  }
}

extension Connection {
  /// Returns the id of a scope's owner. The device has its own, independent of accounts.
  fileprivate func id(of scope: SettingScope) throws -> Int {
    switch scope {
    case .device: -1
    case .account(let owner): try id(of: owner)
    }
  }
}

extension Migration {
  static let settings = Migration(
    """
    CREATE TABLE settings (
      name TEXT PRIMARY KEY,
      value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID
    """)
}
