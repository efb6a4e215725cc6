import Dispatch
public import Foundation
import OffstageSystem
import Synchronization

/// An SQLite database. Every access is a transaction.
///
/// Opening applies the migrations of the schema and rejects a file that is not the app's; see
/// ``DatabaseOpenError``. Writes run one at a time, in order. Reads have their own connections and
/// see every write that finished before they began.
///
/// Several processes may share a file: each waits up to five seconds for another's write. A write
/// that has returned survives a crash of the process and, if the disk keeps its promises, a power
/// cut.
/// ```swift
/// extension Migration {
///   static let notes = Migration("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT) STRICT")
/// }
///
/// let database = try Database(.file(folder.appending(path: "notes.sqlite")), migrations: [.notes])
/// try await database.write { try $0.execute("INSERT INTO notes (text) VALUES (?)", text) }
/// let notes = try await database.read {
///   try $0.rows("SELECT id, text FROM notes") { Note(id: try $0[0], text: try $0[1]) }
/// }
/// ```
public final class Database: Sendable {
  /// Where the data is.
  public enum Location: Sendable {
    /// In memory, for the lifetime of the object.
    case memory
    /// In a file. It and its directory are created if missing, for their owner alone.
    case file(URL)

    /// The directory of the file; nil for a database in memory.
    package var directory: URL? { file?.deletingLastPathComponent() }

    /// The file; nil for a database in memory.
    package var file: URL? { if case .file(let file) = self { file } else { nil } }
  }

  /// The thread that transactions run on.
  public enum Execution: Sendable {
    /// The caller's thread, without suspending, so that results arrive in the order of the calls, as
    /// a deterministic run needs.
    case inline
    /// A queue's thread, so that the caller's is never blocked.
    case background
  }

  /// "Offs" in the header of a file; see ``init(_:migrations:execution:applicationID:mapError:)``.
  public static let applicationID = 0x4f66_6673

  /// The maximum number of connections for reading.
  private static let readerLimit = 3

  /// Problems to report to the user, such as a directory that others can read.
  public let warnings: [String]
  package let location: Location
  /// The locks for the processes that share the directory.
  package let locks: ProcessLocks
  let mapError: @Sendable (any Error) -> any Error
  private let writer: Lane
  /// True to run transactions on the caller's thread.
  private let isInline: Bool
  /// The connections for reading; nil to read on the writer's.
  private let readers: ReaderPool?

  /// Opens the database and migrates its schema. Blocks while it checks the file. It is closed at
  /// the latest when the process exits.
  /// - Parameters:
  ///   - location: Where the data is.
  ///   - migrations: The whole history of the schema, oldest first.
  ///   - execution: The thread that transactions run on.
  ///   - applicationID: A number in the header of the file that tells it from other programs' files.
  ///   - mapError: Turns an ``SQLError``, or a ``StorageError`` of a ``FileCache``, into an error of
  ///     the app before it is thrown.
  /// - Throws: ``DatabaseOpenError``.
  public convenience init(
    _ location: Location, migrations: [Migration], execution: Execution = .background,
    applicationID: Int = Database.applicationID,
    mapError: @escaping @Sendable (any Error) -> any Error = { $0 }
  ) throws(DatabaseOpenError) {
    try self.init(
      location, migrations: migrations, execution: execution, applicationID: applicationID,
      functions: [], mapError: mapError)
  }

  /// - Parameter functions: Each adds functions that statements call to a new connection.
  package init(
    _ location: Location, migrations: [Migration], execution: Execution,
    applicationID: Int = Database.applicationID,
    functions: [@Sendable (OpaquePointer) -> Void],
    mapError: @escaping @Sendable (any Error) -> any Error
  ) throws(DatabaseOpenError) {
    let opener = try DatabaseOpener(
      location, migrations: migrations, applicationID: applicationID, functions: functions)
    self.location = location
    self.mapError = mapError
    locks = ProcessLocks(in: location.directory)
    writer = Lane(try opener.open())
    warnings = opener.warnings
    isInline = execution == .inline
    readers =
      isInline || location.file == nil
      ? nil : ReaderPool(limit: Self.readerLimit) { opener.openReader() }
    if location.file != nil { OpenDatabases.closeAtExit(self) }
  }

  /// Opens an existing database to read it, even on a full or read-only disk.
  /// - Parameter count: The number of migrations of the schema.
  package init(
    reading file: URL, migrations count: Int, applicationID: Int = Database.applicationID,
    functions: [@Sendable (OpaquePointer) -> Void] = [],
    mapError: @escaping @Sendable (any Error) -> any Error = { $0 }
  ) throws(DatabaseOpenError) {
    let opener = DatabaseOpener(
      existing: file, version: count, applicationID: applicationID, functions: functions)
    location = .file(file)
    self.mapError = mapError
    locks = ProcessLocks(in: location.directory)
    writer = Lane(try opener.openForReading())
    warnings = []
    isInline = true
    readers = nil
  }

  /// Reads from one consistent state of the database. Canceling the task interrupts the query.
  /// - Throws: ``SQLError``, as `mapError` returns it, if SQLite fails or a statement writes;
  ///   `CancellationError` if the task is canceled or the database closed; or any error that `body`
  ///   throws.
  public nonisolated(nonsending) func read<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    guard let readers else { return try await onWriter(.read, body) }
    try Task.checkCancellation()
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let onWriter: ReaderPool.Fallback = { read in self.writer.connection.withLock { read($0) } }
        readers.submit(cancellation, orElse: onWriter) { connection in
          continuation.resume(
            with: Result { try self.perform(.read, on: connection, cancellation, body) })
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  /// Commits the changes that `body` makes, or rolls them back if it throws.
  /// - Throws: The same errors as ``read(_:)``.
  @discardableResult
  public nonisolated(nonsending) func write<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    try await onWriter(.write, body)
  }

  /// Starts a write ahead of all later ones, without waiting for it or reporting its failure. Use
  /// this for data that nothing depends on.
  package func enqueue(_ body: @escaping @Sendable (Connection) throws -> some Sendable) {
    let run = { @Sendable [self] in
      _ = try? writer.connection.withLock { try perform(.write, on: $0, nil, body) }
    }
    if isInline { run() } else { writer.run(run) }
  }

  /// Finishes pending writes, interrupts reads, and closes every connection, which moves the
  /// write-ahead log into the file. Later accesses throw `CancellationError`. Releases all locks.
  public func close() {
    defer { locks.releaseAll() }
    if !isInline { writer.queue.sync {} }
    readers?.close()
    writer.connection.withLock { $0 = nil }
  }

  /// Lends the connection for writing, without a transaction.
  package func withConnection<Value: Sendable>(_ body: (Connection) throws -> Value) throws -> Value
  {
    try writer.connection.withLock { connection in
      guard let connection else { throw CancellationError() }
      return try body(connection)
    }
  }

  private nonisolated(nonsending) func onWriter<Value: Sendable>(
    _ kind: Connection.Transaction, _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    let run = { @Sendable [self] in
      try writer.connection.withLock { try perform(kind, on: $0, nil, body) }
    }
    if isInline { return try run() }
    return try await withCheckedThrowingContinuation { continuation in
      writer.run { continuation.resume(with: Result { try run() }) }
    }
  }

  private func perform<Value>(
    _ kind: Connection.Transaction, on connection: Connection?, _ cancellation: Cancellation?,
    _ body: (Connection) throws -> Value
  ) throws -> Value {
    guard let connection, cancellation?.isCancelled != true else { throw CancellationError() }
    do {
      return try connection.transaction(kind, cancellation, body)
    } catch let error as SQLError {
      if cancellation?.isCancelled == true { throw CancellationError() }
      throw mapError(error)
    }
  }
}

/// The databases to close at exit: objects alive then are not released, and only a closed database is
/// a single file.
private enum OpenDatabases {
  private struct Entry {
    weak var database: Database?
  }

  /// A process may embed several cores.
  private static let entries = Mutex<[Entry]>([])

  static func closeAtExit(_ database: Database) {
    let isFirst = entries.withLock { entries in
      defer { entries = entries.filter { $0.database != nil } + [Entry(database: database)] }
      return entries.isEmpty
    }
    if isFirst {
      atexit { for entry in OpenDatabases.entries.withLock(\.self) { entry.database?.close() } }
    }
  }
}

/// Stops the query of a task.
final class Cancellation: Sendable {
  private let flag = Atomic(false)

  var isCancelled: Bool { flag.load(ordering: .relaxed) }
  func cancel() { flag.store(true, ordering: .relaxed) }
}

/// A connection, nil while it is closed, and a queue that uses it. After a while without use, it gives
/// memory back: a process may have many databases open, and each connection takes some 100 KiB.
private final class Lane: Sendable {
  private static let patience = DispatchTimeInterval.seconds(10)

  /// Its lock is free when a read begins, and closing waits for it.
  let connection: Mutex<Connection?>
  /// A serial queue, because it gets its own thread. On a concurrent queue, a long query would keep
  /// Swift's tasks waiting.
  let queue: DispatchQueue
  private let closesWhenIdle: Bool
  /// The number of times that it has been used.
  private let uses = Atomic(0)
  private let isWaiting = Atomic(false)

  /// - Parameter connection: The connection; nil to open one when it is needed, and to close it when it
  ///   is not used.
  init(_ connection: consuming sending Connection?) {
    closesWhenIdle = connection == nil
    queue = DispatchQueue(label: closesWhenIdle ? "offstage.database.reader" : "offstage.database")
    self.connection = Mutex(connection)
  }

  /// Runs work on the queue.
  func run(_ work: @escaping @Sendable () -> Void) {
    queue.async { [self] in
      work()
      uses.wrappingAdd(1, ordering: .relaxed)
      if !isWaiting.exchange(true, ordering: .relaxed) { waitUntilIdle() }
    }
  }

  private func waitUntilIdle() {
    let uses = uses.load(ordering: .relaxed)
    queue.asyncAfter(deadline: .now() + Self.patience) { [weak self] in
      guard let self else { return }
      guard self.uses.load(ordering: .relaxed) == uses else { return waitUntilIdle() }
      isWaiting.store(false, ordering: .relaxed)
      connection.withLock { connection in
        if closesWhenIdle { connection = nil } else { connection?.releaseMemory() }
      }
    }
  }
}

/// Connections for reading. Each serves one read at a time; other reads wait in order. A connection is
/// opened for the first read that finds no other.
private final class ReaderPool: Sendable {
  typealias Read = @Sendable (Connection?) -> Void
  typealias Fallback = @Sendable (Read) -> Void

  private struct Job {
    let cancellation: Cancellation
    let read: Read
    /// Performs it without a connection of its own.
    let fallback: Fallback
  }

  private struct State {
    var readers: [Lane] = []
    var idle: [Lane] = []
    var waiting = Queue<Job>()
    var running: [ObjectIdentifier: Cancellation] = [:]
    var isClosed = false
  }

  private let limit: Int
  private let open: @Sendable () -> sending Connection?
  private let state = Mutex(State())

  /// - Parameter open: Returns nil if no more connections can be opened, for example for lack of file
  ///   descriptors.
  init(limit: Int, open: @escaping @Sendable () -> sending Connection?) {
    (self.limit, self.open) = (limit, open)
  }

  /// Calls `read` with a connection, or with nil after ``close()``.
  func submit(
    _ cancellation: Cancellation, orElse fallback: @escaping Fallback, _ read: @escaping Read
  ) {
    let job = Job(cancellation: cancellation, read: read, fallback: fallback)
    let reader = state.withLock { state -> Lane? in
      var reader = state.idle.popLast()
      if reader == nil, state.readers.count < limit {
        reader = Lane(nil)
        state.readers.append(reader!)
      }
      guard let reader else {
        state.waiting.append(job)
        return nil
      }
      state.running[ObjectIdentifier(reader)] = cancellation
      return reader
    }
    if let reader { reader.run { self.serve(job, on: reader) } }
  }

  private func serve(_ first: Job, on reader: Lane) {
    var next: Job? = first
    while let job = next {
      perform(job, on: reader)
      next = state.withLock { state in
        state.running[ObjectIdentifier(reader)] = nil
        guard let job = state.waiting.popFirst() else {
          state.idle.append(reader)
          return nil
        }
        state.running[ObjectIdentifier(reader)] = job.cancellation
        if state.isClosed { job.cancellation.cancel() }
        return job
      }
    }
  }

  private func perform(_ job: Job, on reader: Lane) {
    let isDone = reader.connection.withLock { connection in
      if connection == nil, !state.withLock(\.isClosed) { connection = open() }
      guard connection != nil || state.withLock(\.isClosed) else { return false }
      job.read(connection)
      return true
    }
    if !isDone { job.fallback(job.read) }
  }

  func close() {
    let readers = state.withLock { state in
      state.isClosed = true
      for cancellation in state.running.values { cancellation.cancel() }
      return state.readers
    }
    for reader in readers { reader.connection.withLock { $0 = nil } }
  }
}
