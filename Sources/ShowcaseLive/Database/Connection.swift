import ShowcaseSQLite

/// What a transaction may do with the database; valid inside ``Database/read(_:)`` and
/// ``Database/write(_:)`` only.
///
/// Parameters are `?` in the statement and are bound in order, never spelled into it.
public final class Connection {
  /// What a transaction is for.
  enum Transaction: String {
    case read = "BEGIN"
    /// Takes the write lock at once: a lock taken in the middle could not wait for another process.
    case write = "BEGIN IMMEDIATE"
  }

  let handle: OpaquePointer
  private var transaction: Transaction?
  /// Prepared statements that nobody uses at the moment, by their text.
  private var idle: [String: Statement] = [:]

  /// - Parameter handle: an open database, which the connection closes in the end.
  init(handle: OpaquePointer) {
    self.handle = handle
  }

  deinit {
    idle.removeAll()
    sqlite3_close_v2(handle)
  }

  /// Runs a statement whose rows do not matter.
  /// - Returns: how many rows an `INSERT`, `UPDATE` or `DELETE` changed.
  /// - Throws: `SQLError`, as all that follow; what a closure throws goes through.
  @discardableResult
  public func execute(_ sql: String, _ parameters: (any SQLConvertible)...) throws -> Int {
    _ = try run(sql, parameters) { _ in }
    return Int(sqlite3_changes(handle))
  }

  /// The rows of a query, each made into a value.
  public func rows<Value>(
    _ sql: String, _ parameters: (any SQLConvertible)...,
    as value: (borrowing Row) throws -> Value
  ) throws -> [Value] {
    try run(sql, parameters, value)
  }

  /// The same for a statement whose parameters were put together with it.
  func rows<Value>(
    _ sql: String, parameters: [any SQLConvertible],
    as value: (borrowing Row) throws -> Value
  ) throws -> [Value] {
    try run(sql, parameters, value)
  }

  /// The first row of a query made into a value; nil when there is none.
  public func row<Value>(
    _ sql: String, _ parameters: (any SQLConvertible)...,
    as value: (borrowing Row) throws -> Value
  ) throws -> Value? {
    try run(sql, parameters, limit: 1, value).first
  }

  /// Runs statements that take no parameters, up to the first that fails.
  public func execute(script: String) throws {
    let code = sqlite3_exec(handle, script, nil, nil, nil)
    if code != SQLITE_OK { throw SQLError(of: handle, code: code, sql: script) }
  }

  /// The row id that the last `INSERT` of this connection gave.
  public var lastInsertedID: Int { Int(sqlite3_last_insert_rowid(handle)) }

  /// Everything that `body` does is kept, or nothing when it throws.
  func transaction<Value>(_ kind: Transaction, _ body: (Connection) throws -> Value) throws -> Value
  {
    try execute(kind.rawValue)
    transaction = kind
    defer { transaction = nil }
    do {
      let value = try body(self)
      transaction = nil
      try execute("COMMIT")
      return value
    } catch {
      transaction = nil
      // A full disk, among others, has made SQLite roll back already.
      if sqlite3_get_autocommit(handle) == 0 { _ = try? execute("ROLLBACK") }
      throw error
    }
  }

  private func run<Value>(
    _ sql: String, _ parameters: [any SQLConvertible], limit: Int = .max,
    _ value: (borrowing Row) throws -> Value
  ) throws -> [Value] {
    // A statement in use is not in the cache, so one may run inside the loop over its own rows.
    let statement = try idle.removeValue(forKey: sql) ?? Statement(sql, on: handle)
    defer {
      statement.reset()
      idle[sql] = statement
    }
    if transaction == .read, !statement.isReadOnly {
      throw SQLError(code: SQLITE_READONLY, message: "a read may not write: \(sql)")
    }
    try statement.bind(parameters)
    var values: [Value] = []
    while values.count < limit, try statement.step() {
      values.append(try value(Row(statement: statement)))
    }
    return values
  }
}
