internal import Offstage
internal import OffstageSystem

/// Keeps the loop from asking each of many connections at every step whether there is something to do.
///
/// A connection that is quiet leaves the loop. It comes back when its front end sends something, when
/// it has been left alone for long enough, when a job or timer changes its core, or when the host says
/// so.
@CoreActor
final class QuietConnections {
  /// A connection that the loop does not serve.
  private struct Quiet {
    let key: SessionKey
    let connection: Connection
    /// That of the front end; nil if none is connected.
    var socket: Int32?
    /// When to look at it if nothing happens before.
    var time: Duration
  }

  private let sockets: ReadableDescriptors
  private let idleDelay: Duration
  /// Called when a front end has said nothing for a while. Parks its session, or returns false.
  var onIdle: (SessionKey, Connection) -> Bool = { _, _ in false }
  /// The connections that the loop serves.
  private var awake: [(key: SessionKey, connection: Connection)] = []
  private var asleep: [ObjectIdentifier: Quiet] = [:]
  /// Those that wait for their front ends, by their sockets.
  private var connected: [Int32: Connection] = [:]
  /// No other connection waits for a time before; nil if none waits for any.
  private var nextTime: Duration?

  /// The number of sessions that one step of the loop parks, so that the others do not wait for long.
  private static let mostAtOnce = 4

  /// - Throws: `FileError` if the process has no descriptors left.
  init(idleDelay: Duration) throws(FileError) {
    sockets = try ReadableDescriptors()
    self.idleDelay = idleDelay
  }

  /// The number of connections that the loop serves.
  var awakeCount: Int { awake.count }

  /// Adds a connection that the loop serves.
  func watch(_ key: SessionKey, _ connection: Connection) { awake.append((key, connection)) }

  func forget(_ connection: Connection) {
    wake(connection)
    awake.removeAll { $0.connection === connection }
  }

  /// Takes the connections that have nothing to do out of the loop.
  func takeQuiet() {
    awake.removeAll { key, connection in
      guard let awaited = connection.awaited else { return false }
      let quiet: Quiet
      switch awaited {
      case .input(let socket):
        guard sockets.add(socket) else { return false }
        connected[socket] = connection
        let time = CoreClock.machineTime + idleDelay
        quiet = Quiet(key: key, connection: connection, socket: socket, time: time)
      case .time(let time): quiet = Quiet(key: key, connection: connection, time: time)
      }
      nextTime = min(nextTime ?? quiet.time, quiet.time)
      asleep[ObjectIdentifier(connection)] = quiet
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
    guard let quiet = asleep.removeValue(forKey: ObjectIdentifier(connection)) else { return }
    if let socket = quiet.socket {
      connected[socket] = nil
      sockets.remove(socket)
    }
    connection.session.publisher.onOutput = nil
    awake.append((quiet.key, connection))
    CoreActor.executor.add(connection)
  }

  func wakeAll() { for quiet in asleep.values { wake(quiet.connection) } }

  /// Wakes the connections whose time has come, and parks the sessions of idle front ends.
  func wakeDue() {
    let now = CoreClock.machineTime
    guard let nextTime, now >= nextTime else { return }
    for quiet in Array(asleep.values.lazy.filter { $0.time <= now }.prefix(Self.mostAtOnce)) {
      if quiet.socket == nil {
        wake(quiet.connection)
      } else if !onIdle(quiet.key, quiet.connection) {
        asleep[ObjectIdentifier(quiet.connection)]?.time = now + idleDelay
      }
    }
    self.nextTime = asleep.values.lazy.map(\.time).min()
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
