public import Offstage

/// The rows of a query, for a list that is longer than anybody looks at.
/// ```swift
/// output.places.load(
///   from: DatabaseRows(in: database, "SELECT id, name FROM places", by: "name", "id") {
///     Place(id: try $0[0], name: try $0[1])
///   })
/// ```
/// SQLite counts the rows once, and again when they are reloaded after a change. It finds the window
/// from the one before, or else from the nearer end of the list, so scrolling takes the same time
/// anywhere, and only a jump into the middle steps over many rows. An index of the columns that the rows
/// are sorted by makes all of this fast.
public final class DatabaseRows<Value: Identifiable & Codable & Equatable & Sendable>: RowProvider {
  private let database: Database
  private let query: Query
  private let value: @Sendable (borrowing Row) throws -> Value

  /// The first row of the newest window; nil once its position may be another one.
  private var mark: Mark?
  private var total: Int?
  /// Counts what makes positions invalid.
  private var version = 0

  /// Creates the rows of a query.
  /// - Parameters:
  ///   - database: Where the query runs.
  ///   - query: A `SELECT` without an `ORDER BY` and a `LIMIT`.
  ///   - parameters: A value for each `?` in the query.
  ///   - columns: The columns of the query to sort by. Together, they tell any two rows apart, and none
  ///     of them is null.
  ///   - descending: True for the largest first.
  ///   - value: Makes a value from a row of the result.
  public init(
    in database: Database, _ query: String, _ parameters: any SQLConvertible & Sendable...,
    by columns: String..., descending: Bool = false,
    as value: @escaping @Sendable (borrowing Row) throws -> Value
  ) {
    self.database = database
    self.query = Query(
      text: query, parameters: parameters, columns: columns, isDescending: descending)
    self.value = value
  }

  public func count() async throws -> Int {
    (mark, total) = (nil, nil)
    version += 1
    let count = try await database.read { [query] in try query.count($0) }
    total = count
    return count
  }

  public func rows(in range: Range<Int>) async throws -> [Value] {
    guard !range.isEmpty else { return [] }
    let (version, mark, total) = (version, mark, total)
    let (keys, rows) = try await database.read { [query, value] connection in
      let keys = try query.keys(at: range.lowerBound, from: mark, of: total, connection)
      return (keys, try keys.map { try query.rows(range.count, from: $0, connection, value) } ?? [])
    }
    if let keys, version == self.version {
      self.mark = Mark(position: range.lowerBound, keys: keys)
    }
    return rows
  }
}

/// A row by the values that it is sorted by.
private struct Mark: Sendable {
  let position: Int
  let keys: [SQLValue]
}

/// A query, sorted in both directions.
private struct Query: Sendable {
  let text: String
  let parameters: [any SQLConvertible & Sendable]
  let columns: [String]
  let isDescending: Bool

  func count(_ connection: Connection) throws -> Int {
    try connection.rows("SELECT count(*) FROM (\(text)) AS result", parameters: parameters) {
      try $0[0] as Int
    }[0]
  }

  /// Returns what the row at a position is sorted by, stepping over as few rows as it can; nil if the
  /// list ends before.
  func keys(
    at position: Int, from mark: Mark?, of total: Int?, _ connection: Connection
  ) throws -> [SQLValue]? {
    let fromEnd = total.map { $0 - 1 - position } ?? .max
    if let mark, abs(position - mark.position) <= min(position, max(fromEnd, 0)) {
      let steps = position - mark.position
      return try keys(after: abs(steps), from: mark.keys, isBackward: steps < 0, connection)
    }
    if 0..<position ~= fromEnd {
      return try keys(after: fromEnd, from: nil, isBackward: true, connection)
    }
    return try keys(after: position, from: nil, isBackward: false, connection)
  }

  private func keys(
    after steps: Int, from keys: [SQLValue]?, isBackward: Bool, _ connection: Connection
  ) throws -> [SQLValue]? {
    let columns = columns
    return try connection.rows(
      "SELECT \(columns.joined(separator: ", ")) " + tail(from: keys, isBackward: isBackward)
        + " LIMIT 1 OFFSET ?",
      parameters: parameters + (keys ?? []) + [steps]
    ) { row in
      var values: [SQLValue] = []
      for index in columns.indices { values.append(try row[index]) }
      return values
    }.first
  }

  func rows<Value>(
    _ count: Int, from keys: [SQLValue], _ connection: Connection,
    _ value: (borrowing Row) throws -> Value
  ) throws -> [Value] {
    try connection.rows(
      "SELECT * " + tail(from: keys, isBackward: false) + " LIMIT ?",
      parameters: parameters + keys + [count], as: value)
  }

  /// The rows from the one with these keys on, in one of the two directions.
  private func tail(from keys: [SQLValue]?, isBackward: Bool) -> String {
    let isDescending = isDescending != isBackward
    let places = columns.map { _ in "?" }.joined(separator: ", ")
    let start = "(\(columns.joined(separator: ", "))) \(isDescending ? "<=" : ">=") (\(places))"
    let order = columns.map { $0 + (isDescending ? " DESC" : "") }.joined(separator: ", ")
    return "FROM (\(text)) AS result" + (keys == nil ? "" : " WHERE \(start)")
      + " ORDER BY \(order)"
  }
}
