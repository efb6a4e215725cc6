import OffstageSystem
import Synchronization

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
  private let open: Lane.Opener
  private let state = Mutex(State())

  /// - Parameter open: Fails if no more connections can be opened, for example for lack of file
  ///   descriptors.
  init(limit: Int, open: @escaping Lane.Opener) {
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
        reader = Lane(open)
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
      if connection == nil, !state.withLock(\.isClosed) { connection = try? open() }
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
