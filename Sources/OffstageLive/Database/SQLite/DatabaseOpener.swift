import OffstageFoundation
import OffstageSQLite
import OffstageSystem

/// Opens the database: inspects the file, sets it up, then migrates.
///
/// Nothing is written until the last check has passed, and SQLite writes nothing on its own: a
/// rejected file keeps its write-ahead log for the program that owns it.
struct DatabaseOpener: Sendable {
  /// The approximate time to wait for another connection's transaction, in milliseconds.
  static let busyTimeout: Int32 = 5000
  /// Files up to this size, in bytes, are checked at every start, which takes a few milliseconds.
  static let checkedSize = 16 << 20

  private static let prepareSQLite: Void = { _ = offstage_sqlite_keep_caches_small() }()

  private let location: Database.Location
  private let migrations: [Migration]
  /// The newest version of the schema.
  private let version: Int
  private let addFunctions: @Sendable (OpaquePointer) -> Void
  let warnings: [String]

  init(
    _ location: Database.Location, migrations: [Migration],
    addFunctions: @escaping @Sendable (OpaquePointer) -> Void
  ) throws(DatabaseOpenError) {
    self.location = location
    self.migrations = migrations
    self.addFunctions = addFunctions
    version = migrations.count
    guard let directory = location.directory else {
      warnings = []
      return
    }
    warnings = try Self.prepare(directory, location.path)
  }

  /// Prepares to open an existing database with ``openForReading()``.
  init(
    existing file: URL, version: Int, addFunctions: @escaping @Sendable (OpaquePointer) -> Void
  ) {
    location = .file(file)
    migrations = []
    self.version = version
    self.addFunctions = addFunctions
    warnings = []
  }

  func open() throws(DatabaseOpenError) -> sending Connection {
    Self.prepareSQLite
    let path = location.path
    // SQLite treats a file of one byte as empty and would overwrite it.
    if size(path) == 1 { throw .notADatabase(path: path) }
    let connection: Connection
    do { connection = try connect() } catch { throw openError(error) }
    // A log means that the last process did not end normally, unless another one is still running.
    let mustCheck =
      size(path) <= Self.checkedSize
      || size(path + "-wal") > 0 && offstage_sqlite_is_only_connection(connection.handle) == 1
    do {
      // Use one transaction, because another process may be setting the file up.
      try connection.transaction(.read) { connection in
        if sqlite3_db_readonly(connection.handle, "main") == 1 {
          throw DatabaseOpenError.inaccessible(path: path, detail: "not writable")
        }
        try inspect(connection, isThorough: mustCheck)
      }
      // Migrations need not reach the disk one by one: after a power cut they run again.
      try connection.execute(script: "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON")
      try enableWAL(connection)
      try migrate(connection)
      try configure(connection)
      // The checks have read all of a small file.
      connection.driver.releaseMemory()
      return connection
    } catch {
      // Otherwise SQLite would merge the log into the file on close.
      if size(path + "-wal") > 0 { _ = offstage_sqlite_keep_log_on_close(connection.handle) }
      throw openError(error)
    }
  }

  /// Opens the database as is: nothing is created, migrated, or checked for damage.
  func openForReading() throws(DatabaseOpenError) -> sending Connection {
    if size(location.path) == 1 { throw .notADatabase(path: location.path) }
    do {
      return try openForReading(SQLITE_OPEN_READWRITE)
    } catch {
      // On a full disk, SQLite cannot create the index of a log. A database without a log needs
      // none.
      let failure = openError(error)
      guard failure.isOfDisk, size(location.path + "-wal") == 0,
        let file = location.file?.absoluteString,
        let connection = try? openForReading(
          SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, file: file + "?immutable=1")
      else { throw failure }
      return connection
    }
  }

  private func openForReading(_ flags: Int32, file: String? = nil) throws -> sending Connection {
    let connection = try connect(flags, file: file)
    // Otherwise SQLite would merge the log into the file on close.
    if size(location.path + "-wal") > 0 {
      _ = offstage_sqlite_keep_log_on_close(connection.handle)
    }
    try connection.transaction(.read) { try inspect($0, isThorough: false) }
    return connection
  }

  /// Opens another connection to a database that ``open()`` has opened.
  func openReader() throws -> sending Connection {
    let connection = try connect()
    try configure(connection)
    // SQLite opens the log on the first read. If that fails, fail now.
    try connection.transaction(.read) { _ = try $0.pragma("user_version") }
    return connection
  }

  /// - Parameter file: A URI to use instead of the path.
  private func connect(
    _ flags: Int32 = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, file: String? = nil
  ) throws(SQLError) -> sending Connection {
    var handle: OpaquePointer?
    // SQLite need not lock: `Database` admits one thread at a time.
    let code = sqlite3_open_v2(
      file ?? location.path, &handle, flags | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let handle else {
      defer { sqlite3_close_v2(handle) }
      throw SQLError(code: code, reason: String(cString: sqlite3_errstr(code)), sql: "")
    }
    // Retry more often than SQLite's own handler, which sleeps up to 100 ms between attempts and
    // starves behind a busy writer.
    sqlite3_busy_handler(
      handle,
      { _, attempts in
        sqlite3_sleep(5)
        return attempts < DatabaseOpener.busyTimeout / 5 ? 1 : 0
      }, nil)
    addFunctions(handle)
    return Connection(SQLiteDriver(handle: handle))
  }

  /// - Parameter isThorough: True to read the whole file and check its structure.
  private func inspect(_ connection: Connection, isThorough: Bool) throws {
    let path = location.path
    let id = try connection.pragma("application_id")
    let isEmpty = try !connection.exists("SELECT 1 FROM sqlite_schema")
    guard id == Database.applicationID || (id == 0 && isEmpty) else {
      throw DatabaseOpenError.foreign(path: path, applicationID: id)
    }
    let version = try connection.pragma("user_version")
    if version < 0 {
      throw DatabaseOpenError.damaged(path: path, detail: "schema version \(version)")
    }
    if version > self.version {
      throw DatabaseOpenError.newerVersion(path: path, found: version, known: self.version)
    }
    guard isThorough else { return }
    let report: String? = try connection.first("PRAGMA quick_check(1)")
    if let report, report != "ok" { throw DatabaseOpenError.damaged(path: path, detail: report) }
  }

  /// Makes commits wait for the disk (`FULL`, and on macOS for the drive's cache), so that a saved
  /// message or bookmark survives a power cut.
  private func configure(_ connection: Connection) throws {
    try connection.execute(
      script: """
        PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON;
        PRAGMA checkpoint_fullfsync = ON
        """)
  }

  /// Retries, because processes that switch a new file at the same moment block each other, and
  /// SQLite then fails without calling the busy handler.
  private func enableWAL(_ connection: Connection) throws {
    var waited: Int32 = 0
    while true {
      do {
        return try connection.execute(script: "PRAGMA journal_mode = WAL")
      } catch let error as SQLError where error.isBusy && waited < Self.busyTimeout {
        waited += 10
        sqlite3_sleep(10)
      }
    }
  }

  /// Takes no write lock if the database is up to date, so that opening it never waits.
  private func migrate(_ connection: Connection) throws {
    let (id, version) = try connection.transaction(.read) {
      (try $0.pragma("application_id"), try $0.pragma("user_version"))
    }
    if id == 0 {
      try connection.transaction(.write) {
        try $0.execute(script: "PRAGMA application_id = \(Database.applicationID)")
      }
    }
    for (index, migration) in migrations.enumerated().dropFirst(version) {
      try connection.transaction(.write) { connection in
        // Read again under the lock: another process may have migrated since.
        guard try connection.pragma("user_version") == index else { return }
        try migration.apply(connection)
        try connection.execute(script: "PRAGMA user_version = \(index + 1)")
      }
    }
  }

  private func openError(_ error: any Error) -> DatabaseOpenError {
    let path = location.path
    if let error = error as? DatabaseOpenError { return error }
    guard let error = error as? SQLError else { return .failed(path: path, detail: "\(error)") }
    guard case .sqlite(let code) = error.code else {
      return .failed(path: path, detail: error.message)
    }
    switch code {
    case SQLITE_NOTADB: return .notADatabase(path: path)
    case SQLITE_CORRUPT: return .damaged(path: path, detail: error.message)
    case SQLITE_BUSY, SQLITE_LOCKED: return .locked(path: path)
    case SQLITE_FULL: return .diskFull(path: path)
    case SQLITE_IOERR where isDiskFull: return .diskFull(path: path)
    case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
      return isDiskFull ? .diskFull(path: path) : .inaccessible(path: path, detail: error.reason)
    default: return .failed(path: path, detail: error.message)
    }
  }

  // MARK: Files

  /// Creates the directory and the file.
  /// - Returns: A warning if the directory existed before and is open to others. It may hold other
  ///   data, so its permissions are left alone.
  private static func prepare(
    _ directory: URL, _ path: String
  ) throws(DatabaseOpenError) -> [String] {
    do {
      let isNew = try PrivateFiles.createDirectory(directory.path)
      do { systemClose(try PrivateFiles.createFile(path)) } catch  where error.code == EEXIST {}
      let others = (PrivateFiles.mode(directory.path) ?? 0) & 0o077
      return isNew || others == 0
        ? [] : ["\(directory.path): other users have access to this directory (try chmod 700)"]
    } catch  where error.code == ENOSPC {
      throw .diskFull(path: path)
    } catch {
      throw .inaccessible(path: path, detail: error.reason)
    }
  }

  /// The size of a file in bytes; 0 if there is none.
  private func size(_ path: String) -> Int {
    Int(PrivateFiles.status(path)?.st_size ?? 0)
  }

  /// True if less than 64 KiB are free. SQLite reports some full disks as other errors.
  private var isDiskFull: Bool {
    var status = statvfs()
    guard let path = location.directory?.path, statvfs(path, &status) == 0 else { return false }
    return UInt64(status.f_bavail) * UInt64(status.f_frsize) < 1 << 16
  }
}

extension Database.Location {
  fileprivate var path: String { file?.path ?? ":memory:" }
}

extension Connection {
  /// The handle of an SQLite database, which is all that a `DatabaseOpener` opens.
  fileprivate var handle: OpaquePointer { (driver as! SQLiteDriver).handle }

  fileprivate func pragma(_ name: String) throws -> Int {
    try first("PRAGMA \(name)") ?? 0
  }
}

/// A database that could not be opened. Its data is unchanged.
public enum DatabaseOpenError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A newer version of the app wrote the database.
  case newerVersion(path: String, found: Int, known: Int)
  /// The database belongs to another program.
  case foreign(path: String, applicationID: Int)
  case notADatabase(path: String)
  /// SQLite's quick check failed.
  case damaged(path: String, detail: String)
  /// The directory or the file cannot be created, read or written.
  case inaccessible(path: String, detail: String)
  case diskFull(path: String)
  /// The server of a database does not answer, or does not admit the user.
  case unreachable(server: String, detail: String)
  /// The file does not exist, and the command does not create one.
  case missing(path: String)
  /// Another process held a lock on the file for five seconds.
  case locked(path: String)
  /// A migration failed. The file has the version of the last migration that completed.
  case failed(path: String, detail: String)

  /// True if the disk is at fault, its permissions, or lack of space.
  fileprivate var isOfDisk: Bool {
    switch self {
    case .inaccessible, .diskFull, .failed: true
    case .newerVersion, .foreign, .notADatabase, .damaged, .missing, .locked, .unreachable: false
    }
  }

  /// What is wrong with the file, and what to do about it.
  public var description: String {
    switch self {
    case .newerVersion(let path, let found, let known):
      """
      \(path): schema version \(found) is newer than the supported version \(known); update the \
      app or choose another database
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
    case .unreachable(let server, let detail):
      "\(server): \(detail); check the address, the server, and the password in PGPASSFILE"
    case .missing(let path): "\(path): no such database"
    case .diskFull(let path):
      "\(path): no space left on the disk; free some, or choose another directory with --data"
    case .locked(let path):
      "\(path): locked by another process; close other programs that use it and retry"
    case .failed(let path, let detail):
      "\(path): cannot prepare the database (\(detail))"
    }
  }
}
