import Dispatch
public import Foundation
import Showcase
import Synchronization

/// The one database of the app: every access is a transaction, and one runs at a time.
///
/// It is opened with the schema's migrations and refuses a file that it must not touch; see
/// ``DatabaseRefusal``. Two processes may share a file: each waits up to five seconds for the
/// other's transaction.
public final class Database: Sendable {
  /// Where the data is kept.
  public enum Location: Sendable {
    /// In memory, gone with the object.
    case memory
    /// In `showcase.sqlite` in this directory, which is made when it is missing.
    case directory(URL)
  }

  /// Where the transactions run.
  public enum Execution: Sendable {
    /// On the caller's thread without suspending, so that results come in the order of the calls.
    case inline
    /// On a serial queue of the database's own, so that the caller's thread is never blocked.
    case background
  }

  /// Whether everything is gone with this object.
  let isTemporary: Bool
  private let connection: Mutex<Connection>
  /// The queue to run on; nil to run inline.
  private let queue: DispatchQueue?

  /// Opens the database and brings its schema up to date.
  ///
  /// Blocks while it checks the file; call it once, before the app runs.
  /// - Parameter migrations: the whole history of the schema, oldest first.
  public init(
    _ location: Location, execution: Execution, migrations: [Migration] = Migration.all
  ) throws(DatabaseRefusal) {
    isTemporary = if case .memory = location { true } else { false }
    connection = Mutex(try DatabaseOpening(migrations: migrations).open(location))
    switch execution {
    case .inline: queue = nil
    case .background: queue = DispatchQueue(label: "showcase.database")
    }
  }

  /// Reads from one consistent state of the database.
  /// - Throws: `LoadFailure` (`storage`) when SQLite fails, and for a statement that writes;
  ///   `CancellationError` when the task was cancelled before; whatever `body` throws itself.
  public nonisolated(nonsending) func read<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    try await transaction(.read, body)
  }

  /// Reads and writes; everything is kept, or nothing when `body` throws.
  /// - Throws: as ``read(_:)``.
  public nonisolated(nonsending) func write<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    try await transaction(.write, body)
  }

  /// Writes in its turn, before all that is asked for later, without making the caller wait. A
  /// failure is not told: this is for what nothing else depends on.
  func enqueue(_ body: @escaping @Sendable (Connection) throws -> some Sendable) {
    guard let queue else {
      _ = try? perform(.write, body)
      return
    }
    queue.async { _ = try? self.perform(.write, body) }
  }

  private nonisolated(nonsending) func transaction<Value: Sendable>(
    _ kind: Connection.Transaction, _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    guard let queue else { return try perform(kind, body) }
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try self.perform(kind, body) }) }
    }
  }

  private func perform<Value: Sendable>(
    _ kind: Connection.Transaction, _ body: @Sendable (Connection) throws -> Value
  ) throws -> Value {
    do {
      return try connection.withLock { try $0.transaction(kind, body) }
    } catch let error as SQLError {
      throw LoadFailure(
        .storage, "The database failed: \(error.message).", retryable: error.isTransient)
    }
  }
}
