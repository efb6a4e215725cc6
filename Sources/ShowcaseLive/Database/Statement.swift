import ShowcaseSQLite

/// A prepared statement: the only code that hands memory to SQLite and takes memory from it.
final class Statement {
  private let sql: String
  private let handle: OpaquePointer
  private let database: OpaquePointer

  init(_ sql: String, on database: OpaquePointer) throws(SQLError) {
    var handle: OpaquePointer?
    // Persistent: SQLite takes memory that suits a statement which is kept.
    let code = sqlite3_prepare_v3(
      database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard code == SQLITE_OK else { throw SQLError(of: database, code: code, sql: sql) }
    guard let handle else { throw SQLError(code: SQLITE_MISUSE, message: "no statement: \(sql)") }
    self.sql = sql
    self.handle = handle
    self.database = database
  }

  deinit { sqlite3_finalize(handle) }

  var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }
  var columnCount: Int { Int(sqlite3_column_count(handle)) }

  func bind(_ parameters: [any SQLConvertible]) throws(SQLError) {
    let expected = Int(sqlite3_bind_parameter_count(handle))
    guard parameters.count == expected else {
      throw SQLError(
        code: SQLITE_RANGE, message: "\(parameters.count) parameters for \(expected): \(sql)")
    }
    for (index, parameter) in parameters.enumerated() {
      let code = bind(parameter.sqlValue, at: Int32(index + 1))
      if code != SQLITE_OK { throw SQLError(of: database, code: code, sql: sql) }
    }
  }

  /// Goes on to the next row.
  /// - Returns: whether there is one.
  func step() throws(SQLError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw SQLError(of: database, code: code, sql: sql)
    }
  }

  /// Makes the statement ready for its next use and lets go of what is bound.
  func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  /// What a column of the current row holds.
  func value(at column: Int) throws(SQLError) -> SQLValue {
    guard (0..<columnCount).contains(column) else { throw mismatch("no column \(column)") }
    let index = Int32(column)
    switch sqlite3_column_type(handle, index) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, index))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, index))
    case SQLITE_TEXT:
      // The pointer first, then the length: asking for the text may convert it.
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

  func mismatch(_ what: String) -> SQLError {
    SQLError(code: SQLITE_MISMATCH, message: "\(what): \(sql)")
  }

  private func bind(_ value: SQLValue, at index: Int32) -> Int32 {
    switch value {
    case .null:
      return sqlite3_bind_null(handle, index)
    case .integer(let value):
      return sqlite3_bind_int64(handle, index, value)
    case .real(let value):
      return sqlite3_bind_double(handle, index, value)
    case .text(let value):
      // Swift lends a terminated copy; the length counts, so a NUL inside survives.
      return sqlite3_bind_text64(
        handle, index, value, UInt64(value.utf8.count), showcase_sqlite_transient(),
        UInt8(SQLITE_UTF8))
    case .blob(let value) where value.isEmpty:
      // An empty array may lend a null pointer, which SQLite would take for NULL.
      return sqlite3_bind_zeroblob(handle, index, 0)
    case .blob(let value):
      return sqlite3_bind_blob64(
        handle, index, value, UInt64(value.count), showcase_sqlite_transient())
    }
  }
}

extension SQLError {
  /// What `database` says of its last call.
  init(of database: OpaquePointer, code: Int32, sql: String) {
    self.init(code: code, message: "\(String(cString: sqlite3_errmsg(database))): \(sql)")
  }
}
