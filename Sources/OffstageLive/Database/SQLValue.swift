public import OffstageFoundation

/// A value in one of SQLite's storage classes.
public enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  /// The storage class, for messages, with the value of an integer that is too large.
  var kind: String {
    switch self {
    case .null: "NULL"
    case .integer(let value): value.magnitude <= 1 << 53 ? "INTEGER" : "INTEGER \(value)"
    case .real: "REAL"
    case .text: "TEXT"
    case .blob: "BLOB"
    }
  }
}

/// A type that binds to a parameter and reads from a column.
public protocol SQLConvertible {
  /// The value to bind.
  var sqlValue: SQLValue { get }
  /// Reads a value; nil for another storage class, because nothing is converted silently.
  init?(sqlValue: SQLValue)
}

extension SQLValue: SQLConvertible {
  public var sqlValue: SQLValue { self }

  public init?(sqlValue: SQLValue) { self = sqlValue }
}

extension Int: SQLConvertible {
  public var sqlValue: SQLValue { .integer(Int64(self)) }

  /// Returns nil for an integer beyond 2^53, which front ends cannot hold exactly.
  public init?(sqlValue: SQLValue) {
    guard case .integer(let value) = sqlValue, value.magnitude <= 1 << 53 else { return nil }
    self.init(exactly: value)
  }
}

extension Bool: SQLConvertible {
  public var sqlValue: SQLValue { .integer(self ? 1 : 0) }

  public init?(sqlValue: SQLValue) {
    guard case .integer(let value) = sqlValue, value == 0 || value == 1 else { return nil }
    self = value == 1
  }
}

extension Double: SQLConvertible {
  /// SQLite has no NaN and stores it as NULL.
  public var sqlValue: SQLValue { isNaN ? .null : .real(self) }

  public init?(sqlValue: SQLValue) {
    guard case .real(let value) = sqlValue else { return nil }
    self = value
  }
}

extension String: SQLConvertible {
  public var sqlValue: SQLValue { .text(self) }

  public init?(sqlValue: SQLValue) {
    guard case .text(let value) = sqlValue else { return nil }
    self = value
  }
}

extension Data: SQLConvertible {
  public var sqlValue: SQLValue { .blob([UInt8](self)) }

  public init?(sqlValue: SQLValue) {
    guard case .blob(let value) = sqlValue else { return nil }
    self.init(value)
  }
}

extension Optional: SQLConvertible where Wrapped: SQLConvertible {
  public var sqlValue: SQLValue { self?.sqlValue ?? .null }

  public init?(sqlValue: SQLValue) {
    self = Wrapped(sqlValue: sqlValue)
    if self == nil, sqlValue != .null { return nil }
  }
}
