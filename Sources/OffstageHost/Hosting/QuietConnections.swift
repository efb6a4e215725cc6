internal import Offstage
internal import OffstageSystem

/// Keeps the loop from asking each of many connections at every step whether there is something to do.
///
/// A connection that is quiet leaves the loop. It comes back when its front end sends something, when
/// a job or timer changes its core, or when the host says so.
@CoreActor
final class QuietConnections {
  private let sockets: ReadableDescriptors
  /// The connections that the loop serves.
  private var awake: [Connection] = []
  /// The others, by their sockets.
  private var asleep: [Int32: Connection] = [:]

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
      guard connection.isQuiet, let transport = connection.transport as? StreamTransport,
        sockets.add(transport.awaited)
      else { return false }
      asleep[transport.awaited] = connection
      connection.session.place?.rest()
      CoreActor.executor.remove(connection)
      connection.session.publisher.onOutput = { [unowned self, unowned connection] in
        wake(connection)
      }
      return true
    }
  }

  /// Lets the loop serve a connection again.
  func wake(_ connection: Connection) {
    guard let transport = connection.transport as? StreamTransport,
      asleep[transport.awaited] === connection
    else { return }
    asleep[transport.awaited] = nil
    sockets.remove(transport.awaited)
    connection.session.publisher.onOutput = nil
    awake.append(connection)
    CoreActor.executor.add(connection)
  }

  func wakeAll() { for connection in asleep.values { wake(connection) } }

  func addWaits(to waits: inout Waits) {
    guard !asleep.isEmpty else { return }
    waits.add(sockets.descriptor, POLLIN) { [self] _ in
      for socket in sockets.readable() {
        guard let connection = asleep[socket] else { continue }
        wake(connection)
        // At once, or it would be quiet again.
        connection.input.read(from: socket)
      }
    }
  }
}
