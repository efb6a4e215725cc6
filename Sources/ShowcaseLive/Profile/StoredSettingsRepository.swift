import OffstageJSON
import OffstageLive
package import Showcase

/// Settings by name, in the database.
package struct StoredSettingsRepository: SettingsRepository {
  private let database: PersonalDatabase
  private let fixedID: String?

  /// - Parameter installationID: The id of the installation; nil to store a random one.
  package init(database: PersonalDatabase, installationID: String? = nil) {
    self.database = database
    fixedID = installationID
  }

  package func installationID() async throws -> String {
    if let fixedID { return fixedID }
    let name = "installation"
    if let id = try await values(as: .device)[name] { return id }
    let random = UInt128.random(in: 0...UInt128.max)
    return try await keep(random.hexadecimal(uppercase: true), as: name)
  }

  package func firstStart(now: Duration) async throws -> Duration {
    // An installation with a given id is not new.
    if fixedID != nil { return .zero }
    return .seconds(Int(try await keep("\(now.components.seconds)", as: "firstStart")) ?? 0)
  }

  /// Sets a value of the device, unless it has one.
  /// - Returns: The value that it has, because another process may have been faster.
  private func keep(_ value: String, as name: String) async throws -> String {
    try await database.write(as: .device) { connection, device in
      try connection.value(
        """
        INSERT INTO settings (owner, name, value) VALUES (?, ?, ?)
        ON CONFLICT (owner, name) DO UPDATE SET value = settings.value RETURNING value
        """, device, name, value)
    }
  }

  package func values(as owner: Owner = .device) async throws -> [String: String] {
    try await database.read(as: owner) { connection, owner in
      let rows = try connection.rows("SELECT name, value FROM settings WHERE owner = ?", owner) {
        (name: try $0[0] as String, value: try $0[1] as String)
      }
      return Dictionary(uniqueKeysWithValues: rows.map { ($0.name, $0.value) })
    }
  }

  package func set(
    _ name: String, to value: String?, as owner: Owner = .device
  ) async throws {
    try await database.write(as: owner) { connection, owner in
      if let value {
        try connection.execute(
          """
          INSERT INTO settings (owner, name, value) VALUES (?, ?, ?)
          ON CONFLICT (owner, name) DO UPDATE SET value = excluded.value
          """, owner, name, value)
      } else {
        try connection.execute("DELETE FROM settings WHERE owner = ? AND name = ?", owner, name)
      }
    }
  }
}
