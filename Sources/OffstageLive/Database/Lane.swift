import Dispatch
import Synchronization

/// A connection, nil while it is closed, and a queue that uses it. After a while without use, it gives
/// memory back: a process may have many connections, and each takes some 100 KiB.
package final class Lane: Sendable {
  package typealias Opener = @Sendable () throws -> sending Connection

  private static let patience = DispatchTimeInterval.seconds(10)

  private let connection: Mutex<Connection?>
  /// A serial queue, because it gets its own thread. On a concurrent queue, a long query would keep
  /// Swift's tasks waiting.
  private let queue: DispatchQueue
  private let opener: Opener?
  /// Used if no connection can be opened, for example for lack of file descriptors.
  private let fallback: Lane?
  /// The number of times that it has been used.
  private let uses = Atomic(0)
  private let waiting = Atomic(0)
  private let isWaitingToRest = Atomic(false)
  private let closed = Atomic(false)

  /// Creates a lane whose connection stays open until it is closed for good.
  init(_ connection: consuming sending Connection) {
    self.connection = Mutex(connection)
    opener = nil
    fallback = nil
    queue = DispatchQueue(label: "offstage.database")
  }

  /// Creates a lane that opens a connection when it needs one, and closes one that is not used.
  package init(orElse fallback: Lane? = nil, _ opener: @escaping Opener) {
    connection = Mutex(nil)
    self.opener = opener
    self.fallback = fallback
    queue = DispatchQueue(label: "offstage.database.reader")
  }

  /// The work on the queue that has not ended.
  var load: Int { waiting.load(ordering: .relaxed) }

  var isClosed: Bool { closed.load(ordering: .relaxed) }

  /// Lends the connection.
  /// - Throws: `CancellationError` if it is closed for good, an error of the opener, or one that `body`
  ///   throws.
  func use<Value: Sendable>(_ body: (Connection) throws -> Value) throws -> Value {
    let value = try connection.withLock { connection -> Value? in
      if connection == nil, let opener, !isClosed {
        do { connection = try opener() } catch {
          if fallback == nil { throw error }
          return nil
        }
      }
      guard let connection else { throw CancellationError() }
      return try body(connection)
    }
    if let value { return value }
    return try fallback!.use(body)
  }

  /// Waits for the work on the queue.
  func finish() { queue.sync {} }

  /// Closes the connection for good.
  func close() {
    closed.store(true, ordering: .relaxed)
    connection.withLock { $0 = nil }
  }

  /// Runs work on the queue.
  func run(_ work: @escaping @Sendable () -> Void) {
    waiting.wrappingAdd(1, ordering: .relaxed)
    queue.async { [self] in
      work()
      waiting.wrappingSubtract(1, ordering: .relaxed)
      uses.wrappingAdd(1, ordering: .relaxed)
      if !isWaitingToRest.exchange(true, ordering: .relaxed) { waitUntilIdle() }
    }
  }

  private func waitUntilIdle() {
    let uses = uses.load(ordering: .relaxed)
    queue.asyncAfter(deadline: .now() + Self.patience) { [weak self] in
      guard let self else { return }
      guard self.uses.load(ordering: .relaxed) == uses else { return waitUntilIdle() }
      isWaitingToRest.store(false, ordering: .relaxed)
      connection.withLock { connection in
        if opener != nil { connection = nil } else { connection?.driver.releaseMemory() }
      }
    }
  }
}
