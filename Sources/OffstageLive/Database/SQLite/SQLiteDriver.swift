import OffstageSQLite
import OffstageSystem

/// A connection to SQLite.
final class SQLiteDriver: DatabaseDriver {
  let handle: OpaquePointer
  private var transaction: Connection.Transaction?
  private var cancellation: Cancellation?
  /// Prepared statements that are not in use, by their SQL.
  private var idle: [String: Statement] = [:]

  /// - Parameter handle: An open database, which the driver closes on deinit.
  init(handle: OpaquePointer) {
    self.handle = handle
    // SQLite calls this every 1,000 steps, on the thread that uses the connection. The pointer
    // lives as long as the handle, which `deinit` closes.
    sqlite3_progress_handler(
      handle, 1000,
      { driver in
        let driver = Unmanaged<SQLiteDriver>.fromOpaque(driver!).takeUnretainedValue()
        return driver.cancellation?.isCancelled == true ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit {
    idle.removeAll()
    sqlite3_close_v2(handle)
  }

  func begin(_ kind: Connection.Transaction, _ cancellation: Cancellation?) throws {
    switch kind {
    case .read: try run("BEGIN")
    // Takes the write lock up front: upgrading a read lock fails at once when another process
    // writes, without the busy timeout.
    case .write: try run("BEGIN IMMEDIATE")
    }
    (transaction, self.cancellation) = (kind, cancellation)
  }

  func commit() throws {
    // Canceling must not interrupt COMMIT or ROLLBACK.
    (transaction, cancellation) = (nil, nil)
    try run("COMMIT")
  }

  func rollBack() {
    (transaction, cancellation) = (nil, nil)
    // SQLite rolls back on its own after some errors, such as a full disk.
    if sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
  }

  /// SQLite has waited for other transactions already.
  func canRepeat(after error: SQLError) -> Bool { false }

  private func run(_ sql: String) throws { _ = try run(sql, [], limit: .max) { _ in } }

  func run(
    _ sql: String, _ parameters: [any SQLConvertible], limit: Int,
    _ receive: (borrowing Row) throws -> Void
  ) throws -> Int {
    // Taking the statement out of the cache allows the same SQL to run inside its own row loop.
    let statement = try idle.removeValue(forKey: sql) ?? Statement(sql, on: handle)
    defer {
      statement.reset()
      idle[sql] = statement
    }
    if transaction == .read, !statement.isReadOnly {
      throw SQLError(code: SQLITE_READONLY, reason: "write in a read transaction", sql: sql)
    }
    try statement.bind(parameters)
    var count = 0
    while count < limit, try statement.step() {
      try receive(Row(statement))
      count += 1
    }
    return Int(sqlite3_changes(handle))
  }

  func run(script: String) throws {
    errno = 0
    let code = sqlite3_exec(handle, script, nil, nil, nil)
    if code != SQLITE_OK { throw SQLError(of: handle, code: code, sql: script) }
  }

  func releaseMemory() {
    idle.removeAll()
    sqlite3_db_release_memory(handle)
  }
}

extension SQLError {
  package init(code: Int32, reason: String, sql: String = "") {
    self.init(.sqlite(code & 0xff), reason, sql)
  }

  /// Reads the message of the last call on `database`, and `errno`, which must have been 0 before.
  fileprivate init(of database: OpaquePointer, code: Int32, sql: String) {
    // SQLite counts neither a limit on the size of files nor a user's quota as a full disk.
    let isFull = code & 0xff == SQLITE_IOERR && [EFBIG, EDQUOT].contains(errno)
    let reason = isFull ? sqlite3_errstr(SQLITE_FULL) : sqlite3_errmsg(database)
    self.init(code: isFull ? SQLITE_FULL : code, reason: String(cString: reason!), sql: sql)
  }
}

/// A prepared statement. All pointers into SQLite's memory stay inside this class.
private final class Statement: RowSource {
  let sql: String
  private let handle: OpaquePointer
  private let database: OpaquePointer

  init(_ sql: String, on database: OpaquePointer) throws(SQLError) {
    var handle: OpaquePointer?
    let code = sqlite3_prepare_v3(
      database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard code == SQLITE_OK else { throw SQLError(of: database, code: code, sql: sql) }
    guard let handle else {
      throw SQLError(code: SQLITE_MISUSE, reason: "empty statement", sql: sql)
    }
    self.sql = sql
    self.handle = handle
    self.database = database
  }

  deinit { sqlite3_finalize(handle) }

  var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

  func bind(_ parameters: [any SQLConvertible]) throws(SQLError) {
    let expected = Int(sqlite3_bind_parameter_count(handle))
    guard parameters.count == expected else {
      throw SQLError(
        code: SQLITE_RANGE, reason: "\(parameters.count) parameters for \(expected)", sql: sql)
    }
    for (index, parameter) in parameters.enumerated() {
      let code = bind(parameter.sqlValue, at: Int32(index + 1))
      if code != SQLITE_OK { throw SQLError(of: database, code: code, sql: sql) }
    }
  }

  /// Advances to the next row.
  /// - Returns: False after the last row.
  func step() throws(SQLError) -> Bool {
    errno = 0
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw SQLError(of: database, code: code, sql: sql)
    }
  }

  func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  func value(at column: Int) throws(SQLError) -> SQLValue {
    guard (0..<Int(sqlite3_column_count(handle))).contains(column) else {
      throw SQLError(.mismatch, "no column \(column)", sql)
    }
    let index = Int32(column)
    switch sqlite3_column_type(handle, index) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, index))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, index))
    case SQLITE_TEXT:
      // Ask for the pointer before the length: reading the text may convert it.
      let start = sqlite3_column_text(handle, index)
      let count = Int(sqlite3_column_bytes(handle, index))
      return .text(String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
    case SQLITE_BLOB:
      let start = sqlite3_column_blob(handle, index)
      let count = Int(sqlite3_column_bytes(handle, index))
      return .blob([UInt8](UnsafeRawBufferPointer(start: start, count: count)))
    default: return .null
    }
  }

  private func bind(_ value: SQLValue, at index: Int32) -> Int32 {
    switch value {
    case .null: sqlite3_bind_null(handle, index)
    case .integer(let value): sqlite3_bind_int64(handle, index, value)
    case .real(let value): sqlite3_bind_double(handle, index, value)
    case .text(let value):
      // Passing the length keeps a NUL inside the text.
      sqlite3_bind_text64(
        handle, index, value, UInt64(value.utf8.count), offstage_sqlite_transient(),
        UInt8(SQLITE_UTF8))
    case .blob(let value) where value.isEmpty:
      // An empty array may pass a null pointer, which SQLite binds as NULL.
      sqlite3_bind_zeroblob(handle, index, 0)
    case .blob(let value):
      sqlite3_bind_blob64(handle, index, value, UInt64(value.count), offstage_sqlite_transient())
    }
  }
}
