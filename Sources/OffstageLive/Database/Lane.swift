import Dispatch
import Synchronization

/// A connection, nil while it is closed, and a queue that uses it. After a while without use, it gives
/// memory back: a process may have many connections, and each takes some 100 KiB.
package final class Lane: Sendable {
  package typealias Opener = @Sendable () throws -> sending Connection

  private static let patience = DispatchTimeInterval.seconds(10)

  /// Its lock is free when a read begins, and closing waits for it.
  let connection: Mutex<Connection?>
  /// A serial queue, because it gets its own thread. On a concurrent queue, a long query would keep
  /// Swift's tasks waiting.
  let queue: DispatchQueue
  private let opener: Opener?
  /// The number of times that it has been used.
  private let uses = Atomic(0)
  private let isWaiting = Atomic(false)
  private let isClosed = Atomic(false)

  /// Creates a lane whose connection stays open until it is closed for good.
  init(_ connection: consuming sending Connection) {
    self.connection = Mutex(connection)
    opener = nil
    queue = DispatchQueue(label: "offstage.database")
  }

  /// Creates a lane that opens a connection when it needs one, and closes one that is not used.
  package init(_ opener: @escaping Opener) {
    connection = Mutex(nil)
    self.opener = opener
    queue = DispatchQueue(label: "offstage.database.reader")
  }

  /// Lends the connection.
  /// - Throws: `CancellationError` if it is closed for good, an error of the opener, or one that `body`
  ///   throws.
  func use<Value: Sendable>(_ body: (Connection) throws -> Value) throws -> Value {
    try connection.withLock { connection in
      if connection == nil, let opener, !isClosed.load(ordering: .relaxed) {
        connection = try opener()
      }
      guard let connection else { throw CancellationError() }
      return try body(connection)
    }
  }

  /// Closes the connection for good.
  func close() {
    isClosed.store(true, ordering: .relaxed)
    connection.withLock { $0 = nil }
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
        if opener != nil { connection = nil } else { connection?.driver.releaseMemory() }
      }
    }
  }
}
