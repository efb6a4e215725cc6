import Dispatch
import OffstageSystem
import Synchronization

/// A connection, nil while it is closed, and a queue that uses it. After a while without use, it gives
/// memory back: a process may have many databases open, and each connection takes some 100 KiB.
final class Lane: Sendable {
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
final class ReaderPool: Sendable {
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
