/// A row of a query's result; it cannot be kept, as the next row takes its place.
public struct Row: ~Copyable {
  let statement: Statement

  /// The value of a column, counted from 0.
  /// - Throws: `SQLError` when there is no such column or it holds another type.
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
