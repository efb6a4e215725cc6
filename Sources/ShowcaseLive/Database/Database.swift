import Dispatch
package import Foundation
import OffstageSystem
import Showcase
import Synchronization

/// The app's database. Every access is a transaction.
///
/// Opening applies the schema's migrations and rejects files that are not ours; see
/// ``DatabaseOpenError``. Writes run one at a time, in order. Reads have their own connections and
/// see every write that finished before they began.
///
/// Several processes may share a file: each waits up to five seconds for another's write. A write
/// that has returned survives a crash of the process and, if the disk keeps its promises, a power
/// cut.
package final class Database: Sendable {
  package enum Location: Sendable {
    /// In memory, for the lifetime of the object.
    case memory
    /// A file in this directory. Both are created if missing, for their owner alone.
    case directory(URL)

    /// The directory; nil for a database in memory.
    var directory: URL? {
      if case .directory(let directory) = self { directory } else { nil }
    }

    /// The file; nil for a database in memory.
    var file: URL? { directory?.appendingPathComponent(Database.fileName) }
  }

  /// The name of the file in its directory.
  package static let fileName = "showcase.sqlite"

  /// The thread that transactions run on.
  package enum Execution: Sendable {
    /// The caller's thread, without suspending, so that results arrive in the order of the calls.
    case inline
    /// A queue's thread, so that the caller's is never blocked.
    case background
  }

  /// The maximum number of connections for reading.
  private static let readerLimit = 3

  /// Problems to report to the user, such as a directory that others can read.
  package let warnings: [String]
  let location: Location
  let locks: ProcessLocks
  private let writer: Mutex<Connection?>
  /// The queue for transactions; nil to run inline.
  private let queue: DispatchQueue?
  /// The connections for reading; nil to read on the writer's.
  private let readers: ReaderPool?

  /// Opens the database and migrates its schema. Blocks while it checks the file.
  /// - Parameter migrations: The whole history of the schema, oldest first.
  package init(
    _ location: Location, execution: Execution, migrations: [Migration] = Migration.all
  ) throws(DatabaseOpenError) {
    let opener = try DatabaseOpener(location, migrations: migrations)
    self.location = location
    locks = ProcessLocks(in: location.directory)
    writer = Mutex(try opener.open())
    warnings = opener.warnings
    switch (execution, location) {
    case (.inline, _):
      queue = nil
      readers = nil
    case (.background, .memory):
      queue = DispatchQueue(label: "showcase.database")
      readers = nil
    case (.background, .directory):
      queue = DispatchQueue(label: "showcase.database")
      readers = ReaderPool(limit: Self.readerLimit) { opener.openReader() }
    }
  }

  /// Opens an existing database to read it, even on a full or read-only disk.
  package init(reading directory: URL) throws(DatabaseOpenError) {
    let opener = DatabaseOpener(existing: directory)
    location = .directory(directory)
    locks = ProcessLocks(in: directory)
    writer = Mutex(try opener.openForReading())
    warnings = []
    queue = nil
    readers = nil
  }

  /// Reads from one consistent state of the database. Canceling the task interrupts the query.
  /// - Throws: `LoadFailure` (`storage`) if SQLite fails or a statement writes; `CancellationError`
  ///   if the task is canceled or the database closed; or any error that `body` throws.
  nonisolated(nonsending) func read<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    guard let readers else { return try await onWriter(.read, body) }
    try Task.checkCancellation()
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        readers.submit(cancellation) { connection in
          continuation.resume(
            with: Result { try Self.perform(.read, on: connection, cancellation, body) })
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  /// Commits the changes that `body` makes, or rolls them back if it throws.
  /// - Throws: The same errors as ``read(_:)``.
  @discardableResult
  nonisolated(nonsending) func write<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    try await onWriter(.write, body)
  }

  /// Starts a write ahead of all later ones, without waiting for it or reporting its failure. Use
  /// this for data that nothing depends on.
  func enqueue(_ body: @escaping @Sendable (Connection) throws -> some Sendable) {
    let run = { @Sendable [self] in
      _ = try? writer.withLock { try Self.perform(.write, on: $0, nil, body) }
    }
    if let queue { queue.async(execute: run) } else { run() }
  }

  /// Finishes pending writes, interrupts reads, and closes every connection, which moves the
  /// write-ahead log into the file. Later accesses throw `CancellationError`. Releases all locks.
  package func close() {
    defer { locks.releaseAll() }
    queue?.sync {}
    readers?.close()
    writer.withLock { $0 = nil }
  }

  /// Lends the connection for writing, without a transaction.
  func withConnection<Value: Sendable>(_ body: (Connection) throws -> Value) throws -> Value {
    try writer.withLock { connection in
      guard let connection else { throw CancellationError() }
      return try body(connection)
    }
  }

  private nonisolated(nonsending) func onWriter<Value: Sendable>(
    _ kind: Connection.Transaction, _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    let run = { @Sendable [self] in
      try writer.withLock { try Self.perform(kind, on: $0, nil, body) }
    }
    guard let queue else { return try run() }
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try run() }) }
    }
  }

  private static func perform<Value>(
    _ kind: Connection.Transaction, on connection: Connection?, _ cancellation: Cancellation?,
    _ body: (Connection) throws -> Value
  ) throws -> Value {
    guard let connection, cancellation?.isCancelled != true else { throw CancellationError() }
    do {
      return try connection.transaction(kind, cancellation, body)
    } catch let error as SQLError {
      if cancellation?.isCancelled == true { throw CancellationError() }
      throw LoadFailure(
        .storage, "The database failed: \(error.reason).", retryable: error.remedy != nil,
        remedy: error.remedy)
    }
  }
}

/// Stops the query of a task.
final class Cancellation: Sendable {
  private let flag = Atomic(false)

  var isCancelled: Bool { flag.load(ordering: .relaxed) }
  func cancel() { flag.store(true, ordering: .relaxed) }
}

/// Connections for reading. Each serves one read at a time; other reads wait in order.
private final class ReaderPool: Sendable {
  typealias Read = @Sendable (Connection?) -> Void

  private struct Job {
    let cancellation: Cancellation
    let read: Read
  }

  private struct State {
    var idle: [Int]
    var waiting = Queue<Job>()
    var running: [Int: Cancellation] = [:]
    var isClosed = false
  }

  private let readers: [Reader]
  private let state: Mutex<State>

  /// Opens the connections; nil if none can be opened.
  /// - Parameter open: Returns nil if no more connections can be opened, for example for lack of
  ///   file descriptors.
  init?(limit: Int, open: () -> sending Connection?) {
    var readers: [Reader] = []
    while readers.count < limit, let connection = open() { readers.append(Reader(connection)) }
    if readers.isEmpty { return nil }
    self.readers = readers
    state = Mutex(State(idle: Array(readers.indices)))
  }

  /// Calls `read` with a connection, or with nil after ``close()``.
  func submit(_ cancellation: Cancellation, _ read: @escaping Read) {
    let job = Job(cancellation: cancellation, read: read)
    let index = state.withLock { state -> Int? in
      guard let index = state.idle.popLast() else {
        state.waiting.append(job)
        return nil
      }
      state.running[index] = cancellation
      return index
    }
    if let index { readers[index].queue.async { self.serve(job, on: index) } }
  }

  private func serve(_ first: Job, on index: Int) {
    var next: Job? = first
    while let job = next {
      readers[index].connection.withLock { job.read($0) }
      next = state.withLock { state in
        state.running[index] = nil
        guard let job = state.waiting.popFirst() else {
          state.idle.append(index)
          return nil
        }
        state.running[index] = job.cancellation
        if state.isClosed { job.cancellation.cancel() }
        return job
      }
    }
  }

  func close() {
    state.withLock { state in
      state.isClosed = true
      for cancellation in state.running.values { cancellation.cancel() }
    }
    for reader in readers { reader.connection.withLock { $0 = nil } }
  }

  /// A connection; nil once closed. Its lock is free when a read begins, and closing waits for it.
  private final class Reader: Sendable {
    let connection: Mutex<Connection?>
    /// A serial queue, because it gets its own thread. On a concurrent queue, a long query would
    /// keep Swift's tasks waiting.
    let queue = DispatchQueue(label: "showcase.database.reader")

    init(_ connection: sending Connection) { self.connection = Mutex(connection) }
  }
}
