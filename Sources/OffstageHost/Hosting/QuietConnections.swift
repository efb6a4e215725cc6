internal import Offstage
internal import OffstageSystem

/// Keeps the loop from asking each of many connections at every step whether there is something to do.
///
/// A connection that is quiet leaves the loop. It comes back when its front end sends something, when
/// it has been left alone for long enough, when a job or timer changes its core, or when the host says
/// so.
@CoreActor
final class QuietConnections {
  private let sockets: ReadableDescriptors
  /// The connections that the loop serves.
  private var awake: [Connection] = []
  /// The others, and what each waits for.
  private var asleep: [ObjectIdentifier: (connection: Connection, awaited: Awaited)] = [:]
  /// Those that wait for their front ends, by their sockets.
  private var connected: [Int32: Connection] = [:]
  /// No other connection waits for a time before; nil if none waits for any.
  private var nextTime: Duration?

  /// - Throws: `FileError` if the process has no descriptors left.
  init() throws(FileError) { sockets = try ReadableDescriptors() }

  /// The number of connections that the loop serves.
  var awakeCount: Int { awake.count }

  /// Adds a connection that the loop serves.
  func watch(_ connection: Connection) { awake.append(connection) }

  func forget(_ connection: Connection) {
    wake(connection)
    awake.removeAll { $0 === connection }
  }

  /// Takes the connections that have nothing to do out of the loop.
  func takeQuiet() {
    awake.removeAll { connection in
      guard let awaited = connection.awaited else { return false }
      switch awaited {
      case .input(let socket):
        guard sockets.add(socket) else { return false }
        connected[socket] = connection
      case .time(let time): nextTime = min(nextTime ?? time, time)
      }
      asleep[ObjectIdentifier(connection)] = (connection, awaited)
      connection.session.rest()
      CoreActor.executor.remove(connection)
      connection.session.publisher.onOutput = { [unowned self, unowned connection] in
        wake(connection)
      }
      return true
    }
  }

  /// Lets the loop serve a connection again.
  func wake(_ connection: Connection) {
    guard let (_, awaited) = asleep.removeValue(forKey: ObjectIdentifier(connection)) else {
      return
    }
    if case .input(let socket) = awaited {
      connected[socket] = nil
      sockets.remove(socket)
    }
    connection.session.publisher.onOutput = nil
    awake.append(connection)
    CoreActor.executor.add(connection)
  }

  func wakeAll() { for (connection, _) in asleep.values { wake(connection) } }

  /// Wakes the connections whose time has come.
  func wakeDue() {
    guard let nextTime, CoreClock.machineTime >= nextTime else { return }
    self.nextTime = nil
    let now = CoreClock.machineTime
    for (connection, awaited) in asleep.values {
      guard case .time(let time) = awaited else { continue }
      if time <= now { wake(connection) } else { self.nextTime = min(self.nextTime ?? time, time) }
    }
  }

  func addWaits(to waits: inout Waits) {
    if let nextTime { waits.end(by: nextTime) }
    guard !connected.isEmpty else { return }
    waits.add(sockets.descriptor, POLLIN) { [self] _ in
      for socket in sockets.readable() {
        guard let connection = connected[socket] else { continue }
        wake(connection)
        // At once, or it would be quiet again.
        connection.input.read(from: socket)
      }
    }
  }
}
