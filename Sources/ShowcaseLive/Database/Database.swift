import Dispatch
public import Foundation
import Showcase
import Synchronization

/// The app's database. Every access is a transaction, and one runs at a time.
///
/// Opening applies the schema's migrations and rejects files that are not ours; see
/// ``DatabaseOpenError``. Several processes may share a file: each waits up to five seconds for
/// another's transaction.
public final class Database: Sendable {
  public enum Location: Sendable {
    /// In memory, for the lifetime of the object.
    case memory
    /// `showcase.sqlite` in this directory, which is created if it is missing.
    case directory(URL)
  }

  /// The thread that transactions run on.
  public enum Execution: Sendable {
    /// The caller's, without suspending, so that results arrive in the order of the calls.
    case inline
    /// That of a serial queue, so that the caller's is never blocked.
    case background
  }

  /// True if the data does not outlive this object.
  let isTemporary: Bool
  private let connection: Mutex<Connection>
  /// nil to run inline.
  private let queue: DispatchQueue?

  /// Opens the database and migrates its schema. Blocks while it checks the file.
  /// - Parameter migrations: the whole history of the schema, oldest first.
  public init(
    _ location: Location, execution: Execution, migrations: [Migration] = Migration.all
  ) throws(DatabaseOpenError) {
    isTemporary = if case .memory = location { true } else { false }
    connection = Mutex(try DatabaseOpening(migrations: migrations).open(location))
    switch execution {
    case .inline: queue = nil
    case .background: queue = DispatchQueue(label: "showcase.database")
    }
  }

  /// Reads from one consistent state of the database.
  /// - Throws: `LoadFailure` (`storage`) if SQLite fails or a statement writes;
  ///   `CancellationError` if the task is cancelled before it starts; what `body` throws.
  public nonisolated(nonsending) func read<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    try await transaction(.read, body)
  }

  /// Commits what `body` writes, or rolls it back if `body` throws.
  /// - Throws: as ``read(_:)``.
  public nonisolated(nonsending) func write<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    try await transaction(.write, body)
  }

  /// Writes ahead of every later transaction, without waiting and without reporting failures. For
  /// data that nothing depends on.
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
