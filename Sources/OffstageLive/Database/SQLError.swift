import OffstageSQLite

/// A statement that failed.
public struct SQLError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of a failure, with the code that the database system has for it.
  public enum Code: Hashable, Sendable {
    /// SQLite's primary result code, such as 19 for a violated constraint; see
    /// https://sqlite.org/rescode.html.
    case sqlite(Int32)
    /// PostgreSQL's SQLSTATE, such as `23505` for a duplicate key; nil if the server did not answer. See
    /// https://www.postgresql.org/docs/15/errcodes-appendix.html.
    case postgreSQL(String?)
    /// The result has another form than the code that reads it expects.
    case mismatch
  }

  public let code: Code
  /// The system's message, which does not repeat the statement.
  public let reason: String
  /// The statement.
  public let sql: String

  package init(_ code: Code, _ reason: String, _ sql: String) {
    (self.code, self.reason, self.sql) = (code, reason, sql)
  }

  /// The failure and its remedy, without the statement.
  public var description: String {
    let remedy =
      isBusy
      ? " Another process uses it; try again."
      : isDiskFull ? " Free some space." : isUnreachable ? " Try again." : ""
    return "The database failed: \(reason).\(remedy)"
  }

  /// The reason followed by the statement, for logs.
  package var message: String { sql.isEmpty ? reason : "\(reason): \(sql)" }

  /// True if another connection held a lock, so that the statement may succeed later.
  public var isBusy: Bool {
    switch code {
    case .sqlite(let code): code == SQLITE_BUSY || code == SQLITE_LOCKED
    // A conflict of two transactions, a deadlock, a lock that is not available, too many connections, or
    // a statement that took too long.
    case .postgreSQL(let state): ["40001", "40P01", "55P03", "53300", "57014"].contains(state)
    case .mismatch: false
    }
  }

  /// True if the disk is full, or the user's share of it.
  public var isDiskFull: Bool { code == .sqlite(SQLITE_FULL) || code == .postgreSQL("53100") }

  /// True if the server does not answer, so that the statement may succeed later.
  public var isUnreachable: Bool {
    guard case .postgreSQL(let state) = code else { return false }
    // The connection was lost, or the server is starting or ending.
    return state?.hasPrefix("08") ?? true || ["57P01", "57P02", "57P03"].contains(state)
  }
}
