import OffstageJSON
import OffstageLive
package import OffstageSystem
package import Showcase

/// Tracked events as JSON lines in a file, for a program that collects them:
/// `{"at":1767225600,"name":"explore.avatarTapped","parameters":{"id":"a1"}}`.
///
/// Each event is one write to the end of the file, so several processes can share it. A file that
/// has reached the limit is renamed to `FILE.1`, and replaces the one before.
package struct EventFile: EventSink {
  private let path: String
  private let byteLimit: Int
  private let warn: @Sendable (String) -> Void

  /// Opens the file, to find out at start that it cannot be written.
  /// - Parameter warn: Is told why an event was not written.
  package init(
    _ path: String, byteLimit: Int = 64 << 20, warn: @escaping @Sendable (String) -> Void
  ) throws(FileError) {
    self.path = path
    self.byteLimit = byteLimit
    self.warn = warn
    do { try append([]) } catch { throw FileError(description: "--events \(error)") }
  }

  package nonisolated func track(
    _ name: String, _ parameters: [String: String], at: Int, as owner: Owner
  ) {
    let line: JSON = [
      "at": .int(at), "name": .string(name), "parameters": JSON(encoding: parameters),
    ]
    // Appending to a file goes to the system's cache, so it can happen on the core's thread.
    do { try append(Array("\(line)\n".utf8)) } catch {
      warn("the event \(name) was not written to \(error)")
    }
  }

  private func append(_ line: [UInt8]) throws(FileError) {
    // Without O_NONBLOCK, opening a named pipe would wait for its reader.
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      guard errno == ENOENT else { throw FileError(path) }
      systemClose(try PrivateFiles.createFile(path))
      return try append(line)
    }
    defer { systemClose(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileError(path) }
    if Int(status.st_size) >= byteLimit, rename(path, "\(path).1") == 0 { return try append(line) }
    try PrivateFiles.write(line, to: descriptor, path)
  }
}
