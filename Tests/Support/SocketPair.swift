import OffstageSystem

/// Returns the two ends of a Unix socket, which child processes do not inherit.
/// - Throws: `FileError` if the process has no descriptors left.
package func socketPair() throws -> (Int32, Int32) {
  var ends: [Int32] = [0, 0]
  #if canImport(Darwin)
    let type = SOCK_STREAM
  #else
    let type = Int32(SOCK_STREAM.rawValue)
  #endif
  guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw FileError("socketpair") }
  for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  return (ends[0], ends[1])
}
