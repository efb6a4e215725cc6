import ShowcaseSQLite

/// A statement that SQLite would not run.
public struct SQLError: Error, Hashable, Sendable {
  /// SQLite's primary result code, such as `SQLITE_CONSTRAINT`.
  public let code: Int32
  /// What SQLite says, with the statement that it says it of.
  public let message: String

  /// Whether the same statement can succeed later, as another process was in the way.
  public var isTransient: Bool { code == SQLITE_BUSY || code == SQLITE_LOCKED }

  init(code: Int32, message: String) {
    self.code = code & 0xff
    self.message = message
  }
}
