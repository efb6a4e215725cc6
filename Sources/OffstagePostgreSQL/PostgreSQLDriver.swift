import OffstageLibpq
package import OffstageLive
import OffstageSystem

/// A connection to a PostgreSQL server, which it renews if the server goes away and comes back.
///
/// Transactions are serializable, so they do what they would do one after another, as with SQLite.
package final class PostgreSQLDriver: DatabaseDriver {
  private let connection: OpaquePointer
  /// The names of prepared statements, by their SQL.
  private var names: [String: String] = [:]
  private var cancellation: Cancellation?
  /// True from the COMMIT on. If the connection is lost then, the server may have committed or not.
  private var isCommitting = false
  /// When to try again to reach a server that was away.
  private var retryTime: ContinuousClock.Instant?

  private static let retryDelay = Duration.seconds(1)
  private static let mostStatements = 256

  /// Connects.
  package init(_ server: ServerAddress) throws(SQLError) {
    // A full queue of a dead server must not hold a transaction for minutes.
    let options = [
      ("connect_timeout", "5"), ("tcp_user_timeout", "10000"), ("client_encoding", "UTF8"),
      ("application_name", "offstage"),
      // A process that is stopped in a transaction must not hold up the others for long.
      ("options", "-c statement_timeout=30s -c idle_in_transaction_session_timeout=3s"),
      // What the address says comes after the defaults, so it counts.
      ("dbname", server.description),
    ]
    connection = Self.withPointers(options.map(\.0)) { names in
      Self.withPointers(options.map(\.1)) { PQconnectdbParams(names, $0, 1) }
    }
    guard PQstatus(connection) == CONNECTION_OK else { throw unreachable("") }
    PQsetNoticeProcessor(connection, { _, _ in }, nil)
  }

  deinit { PQfinish(connection) }

  // MARK: Transactions

  package func begin(_ kind: Connection.Transaction, _ cancellation: Cancellation?) throws {
    let mode = kind == .read ? " READ ONLY" : ""
    let sql = "BEGIN ISOLATION LEVEL SERIALIZABLE" + mode
    isCommitting = false
    do { try run(script: sql) } catch {
      guard error.isUnreachable else { throw error }
      try reconnect()
      try run(script: sql)
    }
    self.cancellation = cancellation
  }

  package func commit() throws {
    cancellation = nil
    isCommitting = true
    try run(script: "COMMIT")
  }

  package func rollBack() {
    cancellation = nil
    if PQtransactionStatus(connection) != PQTRANS_IDLE { try? run(script: "ROLLBACK") }
  }

  package func canRepeat(after error: SQLError) -> Bool {
    // A transaction that conflicts with another one, or that was cut off before its end, has changed
    // nothing.
    switch error.code {
    case .postgreSQL("40001"), .postgreSQL("40P01"): true
    default: error.isUnreachable && !isCommitting && retryTime == nil
    }
  }

  private func reconnect() throws(SQLError) {
    if let retryTime, retryTime > .now { throw unreachable("") }
    names = [:]
    PQreset(connection)
    guard PQstatus(connection) == CONNECTION_OK else {
      retryTime = .now + Self.retryDelay
      throw unreachable("")
    }
    retryTime = nil
  }

  // MARK: Statements

  package func run(
    _ sql: String, _ parameters: [any SQLConvertible], limit: Int,
    _ receive: (borrowing Row) throws -> Void
  ) throws -> Int {
    if cancellation?.isCancelled == true { throw CancellationError() }
    let name = try prepare(sql)
    let result = QueryResult(try execute(name, parameters, sql), sql)
    for row in 0..<min(result.count, limit) {
      result.row = Int32(row)
      try receive(Row(result))
    }
    return result.changes
  }

  package func run(script: String) throws(SQLError) {
    PQclear(try check(PQexec(connection, script), script))
  }

  package func releaseMemory() {}

  private func prepare(_ sql: String) throws(SQLError) -> String {
    if let name = names[sql] { return name }
    if names.count == Self.mostStatements {
      try run(script: "DEALLOCATE ALL")
      names = [:]
    }
    let name = "s\(names.count)"
    PQclear(try check(PQprepare(connection, name, Self.numbered(sql), 0, nil), sql))
    names[sql] = name
    return name
  }

  /// Writes the parameters as PostgreSQL does: `$1` for the first `?`, and for `?1`. So a statement has no
  /// other question marks.
  static func numbered(_ sql: String) -> String {
    var (result, rest, count) = ("", Substring(sql), 0)
    while let index = rest.firstIndex(of: "?") {
      result += rest[..<index] + "$"
      rest = rest[index...].dropFirst()
      count += 1
      if rest.first?.isWholeNumber != true { result += "\(count)" }
    }
    return result + rest
  }

  private func execute(
    _ name: String, _ parameters: [any SQLConvertible], _ sql: String
  ) throws(SQLError) -> OpaquePointer {
    let values = parameters.map { Parameter($0.sqlValue) }
    // The bytes of all values in a row, so that one buffer lives until the call has returned.
    let bytes = values.flatMap(\.bytes)
    var offset = 0
    let result = bytes.withUnsafeBufferPointer { bytes in
      let start = UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
      let pointers = values.map { value -> UnsafePointer<CChar>? in
        defer { offset += value.bytes.count }
        return value.isNull ? nil : start.map { $0 + offset }
      }
      return PQexecPrepared(
        connection, name, Int32(values.count), pointers, values.map { Int32($0.bytes.count) },
        values.map { $0.isBinary ? 1 : 0 }, 0)
    }
    return try check(result, sql)
  }

  // MARK: Errors

  private func check(
    _ result: OpaquePointer?, _ sql: String
  ) throws(SQLError) -> OpaquePointer {
    switch PQresultStatus(result) {
    case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: return result!
    default: break
    }
    defer { PQclear(result) }
    guard PQstatus(connection) == CONNECTION_OK else { throw unreachable(sql) }
    let field = { (code: UnicodeScalar) in
      PQresultErrorField(result, Int32(code.value)).map { String(cString: $0) }
    }
    throw SQLError(.postgreSQL(field("C")), field("M") ?? "unknown error", sql)
  }

  private func unreachable(_ sql: String) -> SQLError {
    let message = String(cString: PQerrorMessage(connection))
    return SQLError(.postgreSQL(nil), ServerAddress.line(message), sql)
  }

  private static func withPointers<Value>(
    _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Value
  ) -> Value {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies.map { UnsafePointer($0) } + [nil])
  }
}

/// A value as the server reads it: bytes as they are, and everything else as text.
private struct Parameter {
  let bytes: [UInt8]
  let isNull: Bool
  let isBinary: Bool

  init(_ value: SQLValue) {
    isNull = value == .null
    switch value {
    case .null: (bytes, isBinary) = ([], false)
    case .integer(let value): (bytes, isBinary) = ("\(value)".utf8 + [0], false)
    case .real(let value): (bytes, isBinary) = ("\(value)".utf8 + [0], false)
    case .text(let value):
      // PostgreSQL has no text with a zero.
      (bytes, isBinary) = (value.replacing("\0", with: "\u{FFFD}").utf8 + [0], false)
    case .blob(let value): (bytes, isBinary) = (value, true)
    }
  }
}

/// The rows that a statement has returned.
private final class QueryResult: RowSource {
  private let result: OpaquePointer
  let sql: String
  var row: Int32 = 0

  /// - Parameter result: It is freed on deinit.
  init(_ result: OpaquePointer, _ sql: String) { (self.result, self.sql) = (result, sql) }

  deinit { PQclear(result) }

  var count: Int { Int(PQntuples(result)) }

  var changes: Int { Int(String(cString: PQcmdTuples(result))) ?? 0 }

  func value(at column: Int) throws(SQLError) -> SQLValue {
    guard (0..<Int(PQnfields(result))).contains(column) else {
      throw SQLError(.mismatch, "no column \(column)", sql)
    }
    let column = Int32(column)
    if PQgetisnull(result, row, column) == 1 { return .null }
    let start = PQgetvalue(result, row, column)!
    let count = Int(PQgetlength(result, row, column))
    let bytes = UnsafeRawBufferPointer(start: start, count: count)
    let text = String(decoding: bytes, as: UTF8.self)
    // The numbers of types in pg_type.dat, which never change.
    switch PQftype(result, column) {
    case 16: return .integer(text == "t" ? 1 : 0)
    case 20, 21, 23: return .integer(Int64(text) ?? 0)
    case 700, 701, 1700: return .real(Double(text) ?? .nan)
    case 17:
      var size = 0
      guard let bytes = PQunescapeBytea(start, &size) else {
        throw SQLError(.mismatch, "out of memory", sql)
      }
      defer { PQfreemem(bytes) }
      return .blob([UInt8](UnsafeRawBufferPointer(start: bytes, count: size)))
    default: return .text(text)
    }
  }
}
