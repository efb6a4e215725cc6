import Dispatch
public import OffstageFoundation
import OffstageSystem
import Synchronization

/// A database, SQLite's in a file or a server's. Every access is a transaction.
///
/// Opening a file applies the migrations of the schema and rejects a file that is not the app's; see
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

  /// "Offs" in the header of a file, which tells it from those of other programs.
  package static let applicationID = 0x4f66_6673

  /// The maximum number of connections for reading.
  private static let readerLimit = 3

  /// Problems to report to the user, such as a directory that others can read.
  public let warnings: [String]
  /// Where SQLite's data is.
  package let location: Location
  /// The locks for the processes that share the directory.
  package let locks: ProcessLocks
  let mapError: @Sendable (any Error) -> any Error
  /// The connections, which all transactions use but reads that have `readers`.
  private let lanes: [Lane]
  /// The connections for reading, each opened when no other one is free; none to read on `lanes`.
  private let readers: [Lane]
  /// True to run transactions on the caller's thread.
  private let isInline: Bool

  /// Opens the database and migrates its schema. Blocks while it checks the file. It is closed at
  /// the latest when the process exits.
  /// - Parameters:
  ///   - location: Where the data is.
  ///   - migrations: The whole history of the schema, oldest first.
  ///   - execution: The thread that transactions run on.
  ///   - mapError: Turns an ``SQLError``, or a ``StorageError`` of a ``PictureCache``, into an error of
  ///     the app before it is thrown.
  /// - Throws: ``DatabaseOpenError``.
  public convenience init(
    _ location: Location, migrations: [Migration], execution: Execution = .background,
    mapError: @escaping @Sendable (any Error) -> any Error = { $0 }
  ) throws(DatabaseOpenError) {
    try self.init(
      location, migrations: migrations, execution: execution, addFunctions: { _ in },
      mapError: mapError)
  }

  /// - Parameter addFunctions: Adds functions that statements call to a new connection.
  package init(
    _ location: Location, migrations: [Migration], execution: Execution,
    addFunctions: @escaping @Sendable (OpaquePointer) -> Void,
    mapError: @escaping @Sendable (any Error) -> any Error
  ) throws(DatabaseOpenError) {
    let opener = try DatabaseOpener(location, migrations: migrations, addFunctions: addFunctions)
    self.location = location
    self.mapError = mapError
    locks = ProcessLocks(in: location.directory)
    let writer = Lane(try opener.open())
    lanes = [writer]
    warnings = opener.warnings
    isInline = execution == .inline
    let count = isInline || location.file == nil ? 0 : Self.readerLimit
    readers = (0..<count).map { _ in Lane(orElse: writer) { try opener.openReader() } }
    if location.file != nil { OpenDatabases.closeAtExit(self) }
  }

  /// - Parameter lanes: The connections to a server's database.
  package init(lanes: [Lane], mapError: @escaping @Sendable (any Error) -> any Error) {
    self.lanes = lanes
    self.mapError = mapError
    location = .memory
    locks = ProcessLocks(in: nil)
    warnings = []
    isInline = false
    readers = []
  }

  /// Opens an existing database to read it, even on a full or read-only disk.
  /// - Parameter count: The number of migrations of the schema.
  package init(
    reading file: URL, migrations count: Int,
    addFunctions: @escaping @Sendable (OpaquePointer) -> Void = { _ in },
    mapError: @escaping @Sendable (any Error) -> any Error = { $0 }
  ) throws(DatabaseOpenError) {
    let opener = DatabaseOpener(existing: file, version: count, addFunctions: addFunctions)
    location = .file(file)
    self.mapError = mapError
    locks = ProcessLocks(in: location.directory)
    lanes = [Lane(try opener.openForReading())]
    warnings = []
    isInline = true
    readers = []
  }

  /// Reads from one consistent state of the database. Canceling the task interrupts the query.
  /// - Throws: ``SQLError``, as `mapError` returns it, if SQLite fails or a statement writes;
  ///   `CancellationError` if the task is canceled or the database closed; or any error that `body`
  ///   throws.
  public nonisolated(nonsending) func read<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    try await read(on: 0, body)
  }

  /// Commits the changes that `body` makes, or rolls them back if it throws.
  /// - Throws: The same errors as ``read(_:)``.
  @discardableResult
  public nonisolated(nonsending) func write<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    try await write(on: 0, body)
  }

  /// - Parameter lane: A number. Transactions with the same one run in order; with others, they run at
  ///   the same time if the database system can.
  package nonisolated(nonsending) func read<Value: Sendable>(
    on lane: Int, _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    let reader = readers.min { $0.load < $1.load }
    return try await run(.read, on: reader ?? self.lane(lane), body)
  }

  /// - Parameter lane: See ``read(on:_:)``.
  @discardableResult
  package nonisolated(nonsending) func write<Value: Sendable>(
    on lane: Int, _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    try await run(.write, on: self.lane(lane), body)
  }

  /// Starts a write ahead of all later ones, without waiting for it or reporting its failure. Use
  /// this for data that nothing depends on.
  package func enqueue(
    on lane: Int = 0, _ body: @escaping @Sendable (Connection) throws -> some Sendable
  ) {
    let lane = self.lane(lane)
    let run = { @Sendable [self] in _ = try? perform(.write, on: lane, nil, body) }
    if isInline { run() } else { lane.run(run) }
  }

  /// Finishes pending writes, interrupts reads, and closes every connection, which moves the
  /// write-ahead log into the file. Later accesses throw `CancellationError`. Releases all locks.
  public func close() {
    defer { locks.releaseAll() }
    if !isInline { for lane in lanes { lane.finish() } }
    for lane in readers + lanes { lane.close() }
  }

  /// Lends the connection for writing, without a transaction.
  package func withConnection<Value: Sendable>(_ body: (Connection) throws -> Value) throws -> Value
  {
    try lane(0).use(body)
  }

  private func lane(_ number: Int) -> Lane { lanes[number % lanes.count] }

  private nonisolated(nonsending) func run<Value: Sendable>(
    _ kind: Connection.Transaction, on lane: Lane,
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    if isInline { return try perform(kind, on: lane, nil, body) }
    let cancellation = kind == .read ? Cancellation { lane.isClosed } : nil
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        lane.run {
          continuation.resume(with: Result { try self.perform(kind, on: lane, cancellation, body) })
        }
      }
    } onCancel: {
      cancellation?.cancel()
    }
  }

  /// - Throws: The app's error in place of that of a statement or a connection.
  private func perform<Value: Sendable>(
    _ kind: Connection.Transaction, on lane: Lane, _ cancellation: Cancellation?,
    _ body: (Connection) throws -> Value
  ) throws -> Value {
    guard cancellation?.isCancelled != true else { throw CancellationError() }
    do {
      return try lane.use { try $0.transaction(kind, cancellation, body) }
    } catch let error as SQLError {
      throw cancellation?.isCancelled == true ? CancellationError() : mapError(error)
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
