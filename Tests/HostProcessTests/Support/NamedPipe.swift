import Foundation

/// A named pipe: the fixture's `busy` screen waits for its line.
final class NamedPipe {
  let path: String
  private let scratch: Scratch
  private let descriptor: Int32

  init() throws {
    scratch = try Scratch()
    path = scratch.file("gate")
    guard mkfifo(path, 0o600) == 0 else { throw PeerError("mkfifo", errno) }
    // For both, so that opening it does not wait for the other side.
    descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw PeerError(path, errno) }
  }

  deinit { close(descriptor) }

  /// Lets go whoever waits, now or later.
  func write(_ text: String) {
    let bytes = Array((text + "\n").utf8)
    _ = Foundation.write(descriptor, bytes, bytes.count)
  }
}
