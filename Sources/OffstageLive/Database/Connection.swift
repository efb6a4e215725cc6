import OffstageSQLite
import OffstageSystem

/// A connection inside a transaction, valid only in the closure passed to ``Database/read(_:)`` or
/// ``Database/write(_:)``.
///
/// Write a parameter as `?` in the statement. Parameters are bound in order and never interpolated.
public final class Connection {
  package enum Transaction: String {
    case read = "BEGIN"
    /// Takes the write lock up front: upgrading a read lock fails at once when another process
    /// writes, without the busy timeout.
    case write = "BEGIN IMMEDIATE"
  }

  let handle: OpaquePointer
  private var transaction: Transaction?
  private var cancellation: Cancellation?
  /// Prepared statements that are not in use, by their SQL.
  private var idle: [String: Statement] = [:]

  /// - Parameter handle: An open database, which the connection closes on deinit.
  init(handle: OpaquePointer) {
    self.handle = handle
    // SQLite calls this every 1,000 steps, on the thread that uses the connection. The pointer
    // lives as long as the handle, which `deinit` closes.
    sqlite3_progress_handler(
      handle, 1000,
      { connection in
        let connection = Unmanaged<Connection>.fromOpaque(connection!).takeUnretainedValue()
        return connection.cancellation?.isCancelled == true ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit {
    idle.removeAll()
    sqlite3_close_v2(handle)
  }

  /// Frees prepared statements, and pages that can be read again.
  func releaseMemory() {
    idle.removeAll()
    sqlite3_db_release_memory(handle)
  }

  /// The row ID assigned by the last `INSERT` on this connection.
  public var lastInsertedID: Int { Int(sqlite3_last_insert_rowid(handle)) }

  /// Runs a statement and discards its rows.
  /// - Returns: The number of rows an `INSERT`, `UPDATE` or `DELETE` changed.
  /// - Throws: ``SQLError``.
  @discardableResult
  public func execute(_ sql: String, _ parameters: (any SQLConvertible)...) throws -> Int {
    _ = try run(sql, parameters) { _ in }
    return Int(sqlite3_changes(handle))
  }

  /// Runs any number of statements without parameters, stopping at the first that fails.
  /// - Throws: ``SQLError``.
  public func execute(script: String) throws {
    errno = 0
    let code = sqlite3_exec(handle, script, nil, nil, nil)
    if code != SQLITE_OK { throw SQLError(of: handle, code: code, sql: script) }
  }

  /// Returns the rows of a query, each converted by `value`.
  /// - Throws: ``SQLError``, or any error that `value` throws.
  public func rows<Value>(
    _ sql: String, _ parameters: (any SQLConvertible)...,
    as value: (borrowing Row) throws -> Value
  ) throws -> [Value] {
    try run(sql, parameters, value)
  }

  /// Returns the rows of a query with a list of parameters.
  public func rows<Value>(
    _ sql: String, parameters: [any SQLConvertible],
    as value: (borrowing Row) throws -> Value
  ) throws -> [Value] {
    try run(sql, parameters, value)
  }

  /// Returns the first row of a query converted by `value`, or nil if the query has no rows.
  /// - Throws: ``SQLError``, or any error that `value` throws.
  public func row<Value>(
    _ sql: String, _ parameters: (any SQLConvertible)...,
    as value: (borrowing Row) throws -> Value
  ) throws -> Value? {
    try run(sql, parameters, limit: 1, value).first
  }

  /// Returns true if a query has rows.
  public func exists(_ sql: String, _ parameters: (any SQLConvertible)...) throws -> Bool {
    try !run(sql, parameters, limit: 1) { _ in }.isEmpty
  }

  /// Commits the changes that `body` makes, or rolls them back if it throws.
  package func transaction<Value>(
    _ kind: Transaction, _ body: (Connection) throws -> Value
  ) throws -> Value {
    try transaction(kind, nil, body)
  }

  /// - Parameter cancellation: Interrupts statements that `body` runs.
  func transaction<Value>(
    _ kind: Transaction, _ cancellation: Cancellation?, _ body: (Connection) throws -> Value
  ) throws -> Value {
    try execute(kind.rawValue)
    (transaction, self.cancellation) = (kind, cancellation)
    let result = Result { try body(self) }
    // Canceling must not interrupt COMMIT or ROLLBACK.
    (transaction, self.cancellation) = (nil, nil)
    do {
      let value = try result.get()
      try execute("COMMIT")
      return value
    } catch {
      // SQLite rolls back on its own after some errors, such as a full disk.
      if sqlite3_get_autocommit(handle) == 0 { _ = try? execute("ROLLBACK") }
      throw error
    }
  }

  private func run<Value>(
    _ sql: String, _ parameters: [any SQLConvertible], limit: Int = .max,
    _ value: (borrowing Row) throws -> Value
  ) throws -> [Value] {
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
    var values: [Value] = []
    while values.count < limit, try statement.step() {
      values.append(try value(Row(statement: statement)))
    }
    return values
  }
}

/// The current row of a query. The next step overwrites it, so it cannot be stored.
public struct Row: ~Copyable {
  fileprivate let statement: Statement

  /// Returns the value of a column, counted from 0.
  /// - Throws: ``SQLError`` if the column is missing or holds another type.
  public subscript<Value: SQLConvertible>(column: Int) -> Value {
    get throws(SQLError) {
      let found = try statement.value(at: column)
      guard let value = Value(sqlValue: found) else {
        throw statement.mismatch("column \(column) holds \(found.kind), not \(Value.self)")
      }
      return value
    }
  }
}

/// A statement that failed.
public struct SQLError: Error, Hashable, Sendable, CustomStringConvertible {
  /// SQLite's primary result code, such as 19 for a violated constraint; see
  /// https://sqlite.org/rescode.html.
  public let code: Int32
  /// SQLite's message, which does not repeat the statement.
  public let reason: String
  /// The statement.
  public let sql: String

  /// What failed and what to do, without the statement.
  public var description: String {
    let remedy =
      isBusy ? " Another process uses it; try again." : isDiskFull ? " Free some space." : ""
    return "The database failed: \(reason).\(remedy)"
  }

  /// The reason followed by the statement, for logs.
  package var message: String { sql.isEmpty ? reason : "\(reason): \(sql)" }

  /// True if another connection held a lock, so that the statement may succeed later.
  public var isBusy: Bool { code == SQLITE_BUSY || code == SQLITE_LOCKED }

  /// True if the disk is full, or the user's share of it.
  public var isDiskFull: Bool { code == SQLITE_FULL }

  package init(code: Int32, reason: String, sql: String = "") {
    self.code = code & 0xff
    self.reason = reason
    self.sql = sql
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
private final class Statement {
  private let sql: String
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
      throw mismatch("no column \(column)")
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

  func mismatch(_ reason: String) -> SQLError {
    SQLError(code: SQLITE_MISMATCH, reason: reason, sql: sql)
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
