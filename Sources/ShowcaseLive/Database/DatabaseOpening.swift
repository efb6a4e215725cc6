import Foundation
import ShowcaseSQLite

/// Opens the database: first looks whether it may, then sets it up, then migrates.
///
/// Until the last check is passed nothing is written, not even what SQLite does by itself: the
/// write-ahead log of a refused file is left for the program that it belongs to.
struct DatabaseOpening {
  /// "Offs" in the file's header says that the database is ours.
  static let applicationID = 0x4f66_6673
  /// How long to wait for another process's transaction, in milliseconds.
  static let busyTimeout: Int32 = 5000

  /// What SQLite says when the system does not let it: the file may be ours and its directory not.
  private static let accessCodes = [SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH]

  let migrations: [Migration]

  func open(_ location: Database.Location) throws(DatabaseRefusal) -> sending Connection {
    switch location {
    case .memory:
      return try open(path: ":memory:")
    case .directory(let directory):
      try makeDirectory(directory)
      return try open(path: directory.appendingPathComponent("showcase.sqlite").path)
    }
  }

  private func open(path: String) throws(DatabaseRefusal) -> sending Connection {
    try inspectSize(path)
    let connection = try connect(path)
    do {
      // In one transaction: another process may be setting the file up at this moment.
      try connection.transaction(.read) { try inspect($0, path) }
      try setUp(connection)
      try migrate(connection)
      return connection
    } catch {
      leaveLog(of: connection, path)
      throw refusal(error, path)
    }
  }

  // MARK: Looking

  /// SQLite takes a file of a single byte for an empty one and would overwrite it.
  private func inspectSize(_ path: String) throws(DatabaseRefusal) {
    if size(path) == 1 { throw .notADatabase(path: path) }
  }

  private func size(_ path: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return attributes?[.size] as? Int ?? 0
  }

  private func inspect(_ connection: Connection, _ path: String) throws {
    if sqlite3_db_readonly(connection.handle, "main") == 1 {
      throw DatabaseRefusal.inaccessible(path: path, detail: "it cannot be written")
    }
    let id = try connection.pragma("application_id")
    let isEmpty = try connection.row("SELECT 1 FROM sqlite_schema") { _ in true } == nil
    guard id == Self.applicationID || (id == 0 && isEmpty) else {
      throw DatabaseRefusal.foreign(path: path, applicationID: id)
    }
    let version = try connection.pragma("user_version")
    if version > migrations.count {
      throw DatabaseRefusal.newerVersion(path: path, found: version, known: migrations.count)
    }
    let report: String? = try connection.row("PRAGMA quick_check(1)") { try $0[0] }
    if let report, report != "ok" { throw DatabaseRefusal.damaged(path: path, detail: report) }
  }

  /// SQLite would merge a log that it finds into the file when the connection closes.
  private func leaveLog(of connection: Connection, _ path: String) {
    if size(path + "-wal") > 0 { _ = showcase_sqlite_keep_log_on_close(connection.handle) }
  }

  private func refusal(_ error: any Error, _ path: String) -> DatabaseRefusal {
    switch error {
    case let refusal as DatabaseRefusal: refusal
    case let error as SQLError where error.code == SQLITE_NOTADB: .notADatabase(path: path)
    case let error as SQLError where error.code == SQLITE_CORRUPT:
      .damaged(path: path, detail: error.message)
    case let error as SQLError where Self.accessCodes.contains(error.code):
      .inaccessible(path: path, detail: error.message)
    case let error as SQLError: .failed(path: path, detail: error.message)
    default: .failed(path: path, detail: "\(error)")
    }
  }

  // MARK: Writing

  private func makeDirectory(_ directory: URL) throws(DatabaseRefusal) {
    do {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    } catch {
      throw .inaccessible(path: directory.path, detail: "the directory cannot be made")
    }
  }

  private func connect(_ path: String) throws(DatabaseRefusal) -> sending Connection {
    var handle: OpaquePointer?
    // Without SQLite's own mutex: `Database` lets in one thread at a time.
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path, &handle, flags, nil)
    guard code == SQLITE_OK, let handle else {
      defer { sqlite3_close_v2(handle) }
      throw .inaccessible(path: path, detail: String(cString: sqlite3_errstr(code)))
    }
    sqlite3_busy_timeout(handle, Self.busyTimeout)
    return Connection(handle: handle)
  }

  private func setUp(_ connection: Connection) throws {
    try connection.execute(script: "PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL")
    try switchToLog(connection)
  }

  /// Processes that switch a new file at the same moment are in each other's way, and here SQLite
  /// gives up at once instead of waiting for its time-out.
  private func switchToLog(_ connection: Connection) throws {
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
        // Asked again under the lock, as another process may have migrated meanwhile.
        guard try connection.pragma("user_version") == index else { return }
        try migration.apply(connection)
        try connection.execute(script: "PRAGMA user_version = \(index + 1)")
      }
    }
  }
}

extension Connection {
  fileprivate func pragma(_ name: String) throws -> Int {
    try row("PRAGMA \(name)") { try $0[0] } ?? 0
  }
}
