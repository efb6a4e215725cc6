import Foundation

/// A temporary directory, removed with this object.
final class Scratch {
  private let directory: URL

  init() throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent(
      "host-process-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  /// Returns the path of a file in the directory. The file need not exist.
  func file(_ name: String) -> String { directory.appendingPathComponent(name).path }

  /// Writes a file, and returns its path.
  func file(_ name: String, _ text: String) throws -> String {
    try text.write(toFile: file(name), atomically: true, encoding: .utf8)
    return file(name)
  }

  func text(_ name: String) throws -> String {
    try String(contentsOfFile: file(name), encoding: .utf8)
  }
}

/// A named pipe that the fixture waits for.
final class NamedPipe {
  let path: String
  private let scratch: Scratch
  private let descriptor: Int32

  init() throws {
    scratch = try Scratch()
    path = scratch.file("gate")
    guard mkfifo(path, 0o600) == 0 else { throw PeerError("mkfifo", errno) }
    // For reading and writing, so that opening does not wait for the other side.
    descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw PeerError(path, errno) }
  }

  deinit { close(descriptor) }

  /// Writes until the pipe is full.
  func fill() {
    let bytes = [UInt8](repeating: 0, count: 512)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    while Foundation.write(descriptor, bytes, bytes.count) > 0 {}
  }

  /// Waits for the writer's text.
  /// - Throws: `PeerError` after 30 seconds.
  func text() throws -> String {
    var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&wait, 1, 30_000) > 0 else { throw PeerError("waited in vain for the named pipe") }
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  /// Writes a line, for which a reader waits now or later.
  func write(_ text: String) {
    let bytes = Array((text + "\n").utf8)
    _ = Foundation.write(descriptor, bytes, bytes.count)
  }
}
