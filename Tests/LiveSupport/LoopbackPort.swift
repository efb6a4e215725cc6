import Foundation
import OffstageSystem

/// A reserved port on 127.0.0.1, whether a server listens on it or not.
///
/// Tests run in parallel. Without the reservation, another server would soon get a stopped server's
/// port.
final class LoopbackPort: Sendable {
  let number: UInt16
  /// A socket that is bound but never listens, so that connections are refused.
  private let reservation: Int32

  init() throws {
    let reservation = try boundSocket(to: 0)
    var bound = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &bound) { bound in
      bound.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        _ = getsockname(reservation, address, &size)
      }
    }
    self.reservation = reservation
    number = UInt16(bigEndian: bound.sin_port)
  }

  deinit { close(reservation) }

  /// Returns a new socket that listens on the port.
  func listener() throws -> Int32 {
    let listener = try boundSocket(to: number)
    guard listen(listener, 16) == 0 else { throw systemError() }
    return listener
  }

  /// Opens and closes a connection, to wake a blocked `accept`.
  func knock() {
    let knock = socket(AF_INET, streamSocket, 0)
    _ = withAddress(number) { connect(knock, $0, $1) }
    close(knock)
  }
}

#if canImport(Glibc)
  private let streamSocket = Int32(SOCK_STREAM.rawValue)
#else
  private let streamSocket = SOCK_STREAM
#endif

/// - Parameter port: 0 to let the system choose one.
private func boundSocket(to port: UInt16) throws -> Int32 {
  let descriptor = socket(AF_INET, streamSocket, 0)
  var yes: Int32 = 1
  // The first allows for connections that have just ended, the second shares with the reservation.
  for option in [SO_REUSEADDR, SO_REUSEPORT] {
    setsockopt(descriptor, SOL_SOCKET, option, &yes, socklen_t(MemoryLayout<Int32>.size))
  }
  guard withAddress(port, { bind(descriptor, $0, $1) }) == 0 else { throw systemError() }
  return descriptor
}

private func systemError() -> POSIXError {
  POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
}

/// Calls `body` with the address of a port on the loopback interface.
private func withAddress<Result>(
  _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
) -> Result {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
  return withUnsafePointer(to: address) { address in
    address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
}
