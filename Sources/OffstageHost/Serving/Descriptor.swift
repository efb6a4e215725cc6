import OffstageSystem

/// Reading and writing descriptors, under names that do not collide with anybody's methods.
enum Descriptor {
  /// - Returns: how many bytes were read; 0 at the end, less for an error.
  static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    systemRead(descriptor, buffer)
  }

  /// - Returns: how many bytes were written; less than 0 for an error.
  static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    systemWrite(descriptor, bytes)
  }

  static func close(_ descriptor: Int32) { systemClose(descriptor) }

  /// Whether the last call only came at a bad moment.
  static var shouldRetry: Bool { errno == EINTR || errno == EAGAIN }

  /// Writes everything, waiting where it must.
  /// - Returns: false once nobody can read it any more.
  @discardableResult
  static func writeAll(_ descriptor: Int32, _ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest))
        guard count >= 0 || shouldRetry else { return false }
        rest = rest.dropFirst(max(count, 0))
        if count < 0 { waitForReader(descriptor) }
      }
      return true
    }
  }

  private static func waitForReader(_ descriptor: Int32) {
    var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = poll(&wait, 1, -1)
  }

  /// A whole file.
  /// - Throws: `FileError`.
  static func readFile(_ path: String) throws(FileError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(path) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = chunk.withUnsafeMutableBytes { read(descriptor, into: $0) }
      if count == 0 { return bytes }
      if count > 0 { bytes += chunk[..<count] } else if !shouldRetry { throw FileError(path) }
    }
  }

  /// Writes a file anew, whole or not at all.
  /// - Throws: `FileError`; what was there is then still there.
  static func replaceFile(_ path: String, _ bytes: [UInt8]) throws(FileError) {
    let new = path + ".new"
    let descriptor = try create(new)
    let isWritten = writeAll(descriptor, bytes)
    let error = isWritten ? nil : FileError(new)
    close(descriptor)
    if error == nil, rename(new, path) == 0 { return }
    let failure = error ?? FileError(path)
    unlink(new)
    throw failure
  }

  /// A new file, or one emptied, to write to.
  /// - Throws: `FileError`.
  static func create(_ path: String) throws(FileError) -> Int32 {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw FileError(path) }
    return descriptor
  }
}

/// A file that cannot be used.
struct FileError: Error, CustomStringConvertible {
  let description: String

  /// Takes the reason from the last call.
  init(_ path: String) { description = "\(path): \(String(cString: strerror(errno)))" }
}
