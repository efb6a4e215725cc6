import Synchronization

/// A connection inside a transaction, valid only in the closure passed to ``Database/read(_:)`` or
/// ``Database/write(_:)``.
///
/// Write a parameter as `?` in the statement. Parameters are bound in order and never interpolated.
public final class Connection {
  package enum Transaction {
    case read
    case write
  }

  /// The connection to the database system.
  package let driver: any DatabaseDriver

  package init(_ driver: any DatabaseDriver) { self.driver = driver }

  /// Runs a statement and discards its rows.
  /// - Returns: The number of rows an `INSERT`, `UPDATE` or `DELETE` changed.
  /// - Throws: ``SQLError``.
  @discardableResult
  public func execute(_ sql: String, _ parameters: (any SQLConvertible)...) throws -> Int {
    try driver.run(sql, parameters, limit: .max) { _ in }
  }

  /// Runs any number of statements without parameters, stopping at the first that fails.
  /// - Throws: ``SQLError``.
  public func execute(script: String) throws { try driver.run(script: script) }

  /// Returns the rows of a query, each converted by `value`.
  /// - Throws: ``SQLError``, or any error that `value` throws.
  public func rows<Value>(
    _ sql: String, _ parameters: (any SQLConvertible)...,
    as value: (borrowing Row) throws -> Value
  ) throws -> [Value] {
    try rows(sql, parameters: parameters, as: value)
  }

  /// Returns the rows of a query with a list of parameters.
  public func rows<Value>(
    _ sql: String, parameters: [any SQLConvertible],
    as value: (borrowing Row) throws -> Value
  ) throws -> [Value] {
    var values: [Value] = []
    try driver.run(sql, parameters, limit: .max) { values.append(try value($0)) }
    return values
  }

  /// Returns the first row of a query converted by `value`, or nil if the query has no rows.
  /// - Throws: ``SQLError``, or any error that `value` throws.
  public func row<Value>(
    _ sql: String, _ parameters: (any SQLConvertible)...,
    as value: (borrowing Row) throws -> Value
  ) throws -> Value? {
    var first: Value?
    try driver.run(sql, parameters, limit: 1) { first = try value($0) }
    return first
  }

  /// Returns the first value of a query, which is not null; nil if it has no rows.
  package func first<Value: SQLConvertible>(
    _ sql: String, _ parameters: (any SQLConvertible)...
  ) throws -> Value? {
    var first: Value?
    try driver.run(sql, parameters, limit: 1) { first = try $0[0] as Value }
    return first
  }

  /// Returns the first value of a statement that has a row, such as the key of one that it inserted.
  /// ```swift
  /// let id: Int = try connection.value("INSERT INTO notes (text) VALUES (?) RETURNING id", text)
  /// ```
  /// - Throws: ``SQLError``, also if there is no row.
  public func value<Value: SQLConvertible>(
    _ sql: String, _ parameters: (any SQLConvertible)...
  ) throws -> Value {
    var value: Value?
    try driver.run(sql, parameters, limit: 1) { value = try $0[0] as Value }
    guard let value else { throw SQLError(.mismatch, "no row", sql) }
    return value
  }

  /// Returns true if a query has rows.
  public func exists(_ sql: String, _ parameters: (any SQLConvertible)...) throws -> Bool {
    var isEmpty = true
    try driver.run(sql, parameters, limit: 1) { _ in isEmpty = false }
    return !isEmpty
  }

  /// Commits the changes that `body` makes, or rolls them back if it throws.
  /// - Parameter cancellation: Interrupts statements that `body` runs.
  package func transaction<Value>(
    _ kind: Transaction, _ cancellation: Cancellation? = nil, _ body: (Connection) throws -> Value
  ) throws -> Value {
    var attempts = 1
    while true {
      do {
        try driver.begin(kind, cancellation)
        do {
          let value = try body(self)
          try driver.commit()
          return value
        } catch {
          driver.rollBack()
          throw error
        }
      } catch let error as SQLError {
        guard attempts < Self.mostAttempts, driver.canRepeat(after: error) else { throw error }
        attempts += 1
      }
    }
  }

  /// Many, because each conflict is one that another transaction has won: with 10 attempts, some of 16
  /// that change the same row lose them all.
  private static let mostAttempts = 1000
}

/// A connection to a database system, as ``Connection`` uses it.
package protocol DatabaseDriver: AnyObject {
  /// - Parameter cancellation: Interrupts the statements of the transaction, but not its end.
  func begin(_ kind: Connection.Transaction, _ cancellation: Cancellation?) throws
  func commit() throws
  func rollBack()
  /// Returns true if the transaction has changed nothing and may succeed if it begins again.
  func canRepeat(after error: SQLError) -> Bool
  /// Runs a statement, and passes its first rows on.
  /// - Returns: The number of rows that it changed.
  @discardableResult
  func run(
    _ sql: String, _ parameters: [any SQLConvertible], limit: Int,
    _ receive: (borrowing Row) throws -> Void
  ) throws -> Int
  func run(script: String) throws
  /// Frees memory that is not needed until the next statement.
  func releaseMemory()
}

/// The current row of a query. The next one overwrites it, so it cannot be stored.
public struct Row: ~Copyable {
  private let source: any RowSource

  package init(_ source: any RowSource) { self.source = source }

  /// Returns the value of a column, counted from 0.
  /// - Throws: ``SQLError`` if the column is missing or holds another type.
  public subscript<Value: SQLConvertible>(column: Int) -> Value {
    get throws(SQLError) {
      let found = try source.value(at: column)
      guard let value = Value(sqlValue: found) else {
        let reason = "column \(column) holds \(found.kind), not \(Value.self)"
        throw SQLError(.mismatch, reason, source.sql)
      }
      return value
    }
  }
}

/// The result of a statement, at its current row.
package protocol RowSource {
  /// The statement.
  var sql: String { get }
  /// - Throws: ``SQLError`` if there is no such column.
  func value(at column: Int) throws(SQLError) -> SQLValue
}

/// Stops the query of a task.
package final class Cancellation: Sendable {
  private let flag = Atomic(false)
  private let isClosed: @Sendable () -> Bool

  /// - Parameter isClosed: Returns true once the connection is to be closed.
  init(isClosed: @escaping @Sendable () -> Bool) { self.isClosed = isClosed }

  package var isCancelled: Bool { flag.load(ordering: .relaxed) || isClosed() }
  func cancel() { flag.store(true, ordering: .relaxed) }
}
