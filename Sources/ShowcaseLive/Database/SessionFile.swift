package import OffstageFoundation
package import OffstageLive
import OffstageSystem

/// A session in one file, to go on with it on another machine or to attach it to a bug report: the data
/// of the app, and where the user is.
///
/// It is a database of the app with one more table. Places of imports and caches stay behind: they
/// belong to the machine, and may be large.
package enum SessionFile {
  private static let table = "exported_session"

  /// Writes a new file, with what `Environment.keptState()` has returned.
  /// - Parameter hasSecrets: True to include the addresses of accounts.
  package static func export(
    _ database: Database, state: String?, to file: URL, hasSecrets: Bool
  ) async throws {
    let scratch = URL(fileURLWithPath: file.path + ".part")
    unlink(scratch.path)
    defer { for suffix in ["", "-wal", "-shm"] { unlink(scratch.path + suffix) } }
    try database.backUp(to: scratch)
    let copy = try Database(.file(scratch), execution: .inline)
    defer { copy.close() }
    _ = try await PlaceImport.removeAll(from: copy)
    let caches =
      PlaceTables.downloadedPlaces.all + [
        "hot_place_files", "cached_responses", "cached_files",
      ]
    try copy.withConnection { connection in
      try connection.transaction(.write) { connection in
        for table in caches { try connection.execute("DELETE FROM \(table)") }
        if !hasSecrets {
          try connection.execute("UPDATE accounts SET email = '••••', address = '••••' || id")
        }
        try connection.execute(script: "CREATE TABLE \(table) (state TEXT) STRICT")
        try connection.execute("INSERT INTO \(table) VALUES (?)", state)
      }
    }
    // A copy of the copy has no trace of what was deleted.
    try copy.backUp(to: file)
  }

  /// Makes the data of a file those of the app.
  /// - Returns: The state; nil if there is none.
  /// - Throws: `DatabaseOpenError` for another file, or `StorageError` if there is data already.
  package static func `import`(_ file: URL, into directory: URL) throws -> String? {
    let source = try Database(readingFile: file)
    defer { source.close() }
    let state = try source.withConnection { connection -> String? in
      guard try connection.exists("SELECT 1 FROM sqlite_master WHERE name = ?", table) else {
        throw StorageError("\(file.path) is not an exported session")
      }
      return try connection.row("SELECT state FROM \(table)") { try $0[0] } ?? nil
    }
    let data = Database.file(in: directory)
    guard !FileManager.default.fileExists(atPath: data.path) else {
      throw StorageError("\(data.path) has data already; choose another directory with --data")
    }
    try PrivateFiles.createDirectory(directory.path)
    try source.backUp(to: data)
    let database = try Database(.directory(directory), execution: .inline)
    defer { database.close() }
    try database.withConnection { try $0.execute(script: "DROP TABLE \(table)") }
    return state
  }
}
