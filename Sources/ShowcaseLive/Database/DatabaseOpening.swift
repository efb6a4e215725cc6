import Foundation
import ShowcaseSQLite

/// Opens the database: inspects the file, sets it up, then migrates.
///
/// Nothing is written until the last check has passed, and SQLite writes nothing on its own: a
/// rejected file keeps its write-ahead log for the program that owns it.
struct DatabaseOpening {
  /// "Offs" in the file's header marks the database as ours.
  static let applicationID = 0x4f66_6673
  /// The time to wait for another connection's transaction, in milliseconds.
  static let busyTimeout: Int32 = 5000

  /// SQLite's codes for missing permissions on the file or its directory.
  private static let accessCodes = [SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH]

  let migrations: [Migration]

  func open(_ location: Database.Location) throws(DatabaseOpenError) -> sending Connection {
    switch location {
    case .memory:
      return try open(path: ":memory:")
    case .directory(let directory):
      do {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
      } catch {
        throw .inaccessible(path: directory.path, detail: "cannot create the directory")
      }
      return try open(path: directory.appendingPathComponent("showcase.sqlite").path)
    }
  }

  private func open(path: String) throws(DatabaseOpenError) -> sending Connection {
    // SQLite treats a file of one byte as empty and would overwrite it.
    if size(path) == 1 { throw .notADatabase(path: path) }
    let connection = try connect(path)
    do {
      // One transaction, since another process may be setting the file up.
      try connection.transaction(.read) { try inspect($0, path) }
      try connection.execute(script: "PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL")
      try enableWAL(connection)
      try migrate(connection)
      return connection
    } catch {
      // On close, SQLite would merge a log that it finds into the file.
      if size(path + "-wal") > 0 { _ = showcase_sqlite_keep_log_on_close(connection.handle) }
      throw openError(error, path)
    }
  }

  private func connect(_ path: String) throws(DatabaseOpenError) -> sending Connection {
    var handle: OpaquePointer?
    // No mutex of SQLite's own: `Database` admits one thread at a time.
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path, &handle, flags, nil)
    guard code == SQLITE_OK, let handle else {
      defer { sqlite3_close_v2(handle) }
      throw .inaccessible(path: path, detail: String(cString: sqlite3_errstr(code)))
    }
    sqlite3_busy_timeout(handle, Self.busyTimeout)
    return Connection(handle: handle)
  }

  private func size(_ path: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return attributes?[.size] as? Int ?? 0
  }

  private func inspect(_ connection: Connection, _ path: String) throws {
    if sqlite3_db_readonly(connection.handle, "main") == 1 {
      throw DatabaseOpenError.inaccessible(path: path, detail: "not writable")
    }
    let id = try connection.pragma("application_id")
    let isEmpty = try connection.row("SELECT 1 FROM sqlite_schema") { _ in true } == nil
    guard id == Self.applicationID || (id == 0 && isEmpty) else {
      throw DatabaseOpenError.foreign(path: path, applicationID: id)
    }
    let version = try connection.pragma("user_version")
    if version > migrations.count {
      throw DatabaseOpenError.newerVersion(path: path, found: version, known: migrations.count)
    }
    let report: String? = try connection.row("PRAGMA quick_check(1)") { try $0[0] }
    if let report, report != "ok" { throw DatabaseOpenError.damaged(path: path, detail: report) }
  }

  /// Retries by hand: processes that switch a new file at the same moment block each other, and
  /// SQLite fails at once here instead of waiting for its timeout.
  private func enableWAL(_ connection: Connection) throws {
    var waited: Int32 = 0
    while true {
      do {
        return try connection.execute(script: "PRAGMA journal_mode = WAL")
      } catch let error as SQLError where error.isTransient && waited < Self.busyTimeout {
        waited += 10
        sqlite3_sleep(10)
      }
    }
  }

  private func migrate(_ connection: Connection) throws {
    try connection.transaction(.write) { connection in
      guard try connection.pragma("application_id") == 0 else { return }
      try connection.execute(script: "PRAGMA application_id = \(Self.applicationID)")
    }
    for (index, migration) in migrations.enumerated() {
      try connection.transaction(.write) { connection in
        // Read again under the lock: another process may have migrated meanwhile.
        guard try connection.pragma("user_version") == index else { return }
        try migration.apply(connection)
        try connection.execute(script: "PRAGMA user_version = \(index + 1)")
      }
    }
  }

  private func openError(_ error: any Error, _ path: String) -> DatabaseOpenError {
    switch error {
    case let error as DatabaseOpenError: error
    case let error as SQLError where error.code == SQLITE_NOTADB: .notADatabase(path: path)
    case let error as SQLError where error.code == SQLITE_CORRUPT:
      .damaged(path: path, detail: error.message)
    case let error as SQLError where Self.accessCodes.contains(error.code):
      .inaccessible(path: path, detail: error.message)
    case let error as SQLError: .failed(path: path, detail: error.message)
    default: .failed(path: path, detail: "\(error)")
    }
  }
}

extension Connection {
  fileprivate func pragma(_ name: String) throws -> Int {
    try row("PRAGMA \(name)") { try $0[0] } ?? 0
  }
}

/// A database that could not be opened. The file is unchanged.
public enum DatabaseOpenError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Written by a newer version of the app.
  case newerVersion(path: String, found: Int, known: Int)
  /// Another program's database.
  case foreign(path: String, applicationID: Int)
  case notADatabase(path: String)
  /// SQLite's quick check failed.
  case damaged(path: String, detail: String)
  /// The directory or the file cannot be created, read or written.
  case inaccessible(path: String, detail: String)
  /// A migration failed, or another process kept the file locked. The file has the version of the
  /// last migration that completed.
  case failed(path: String, detail: String)

  public var description: String {
    switch self {
    case .newerVersion(let path, let found, let known):
      """
      \(path): schema version \(found) is newer than the supported version \(known); update the \
      app or choose another directory with --data
      """
    case .foreign(let path, let applicationID):
      """
      \(path): database of another program (application ID \(applicationID)); choose another \
      directory with --data
      """
    case .notADatabase(let path):
      "\(path): not an SQLite database; move it away or choose another directory with --data"
    case .damaged(let path, let detail):
      """
      \(path): damaged database (\(detail)); restore it from a backup, or move it away to start \
      with an empty one
      """
    case .inaccessible(let path, let detail):
      """
      \(path): \(detail); check its owner and permissions, or choose another directory with --data
      """
    case .failed(let path, let detail):
      "\(path): cannot prepare the database (\(detail)); close other programs that use it and retry"
    }
  }
}
