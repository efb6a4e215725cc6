internal import Offstage
internal import OffstageSystem

/// The front ends whose sessions have been parked, since they have said nothing for a while. They stay
/// connected, and each comes back to its session by its next line.
@CoreActor
final class IdleFrontEnds {
  /// A connection, and the line that resumes its session.
  private typealias FrontEnd = (key: SessionKey, resumingLine: [UInt8])

  private let sockets: ReadableDescriptors
  private var frontEnds: [Int32: FrontEnd] = [:]
  private var socketsBySession: [SessionKey: Int32] = [:]

  /// - Throws: `FileError` if the process has no descriptors left.
  init() throws(FileError) { sockets = try ReadableDescriptors() }

  var count: Int { frontEnds.count }

  /// - Returns: False if the system has no memory for it.
  func add(_ socket: Int32, of key: SessionKey, _ resumingLine: [UInt8]) -> Bool {
    guard sockets.add(socket) else { return false }
    frontEnds[socket] = (key, resumingLine)
    socketsBySession[key] = socket
    return true
  }

  /// Closes the connection of a front end whose session another one goes on with.
  func close(_ key: SessionKey) {
    if let socket = socketsBySession[key], remove(socket) != nil { systemClose(socket) }
  }

  private func remove(_ socket: Int32) -> FrontEnd? {
    guard let frontEnd = frontEnds.removeValue(forKey: socket) else { return nil }
    sockets.remove(socket)
    socketsBySession[frontEnd.key] = nil
    return frontEnd
  }

  /// - Parameter take: Is passed the connection of a front end that comes back, and what it has sent.
  func addWait(to waits: inout Waits, _ take: @escaping (Int32, [UInt8], Greeting) -> Void) {
    guard !frontEnds.isEmpty else { return }
    waits.add(sockets.descriptor, POLLIN) { [self] _ in
      for socket in sockets.readable() {
        var chunk = [UInt8](repeating: 0, count: 1 << 14)
        let count = chunk.withUnsafeMutableBytes { systemRead(socket, $0) }
        if count < 0, systemCallShouldRetry { continue }
        guard let (key, resumingLine) = remove(socket) else { continue }
        if count > 0 {
          let greeting = Greeting(returningTo: key, by: resumingLine)
          take(socket, Array(chunk[..<count]), greeting)
        } else {
          systemClose(socket)
        }
      }
    }
  }
}
