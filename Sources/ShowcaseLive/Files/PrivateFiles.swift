import Foundation
import OffstageSystem
import Showcase

/// Creates directories and files that only their owner can access, whatever the umask.
enum PrivateFiles {
  /// Creates a directory and its missing parents.
  /// - Returns: True if it was created, false if it existed.
  /// - Throws: `POSIXError`.
  @discardableResult
  static func createDirectory(_ directory: URL) throws(POSIXError) -> Bool {
    guard mkdir(directory.path, 0o700) == 0 else {
      let error = lastError
      let parent = directory.deletingLastPathComponent()
      if error.code == .ENOENT, mode(parent.path) == nil, parent.path != directory.path {
        try createDirectory(parent)
        return try createDirectory(directory)
      }
      if mode(directory.path).map({ $0 & S_IFMT == S_IFDIR }) == true { return false }
      throw error
    }
    chmod(directory.path, 0o700)
    return true
  }

  /// Creates an empty file and opens it for writing.
  /// - Returns: The descriptor, which the caller closes.
  /// - Throws: `POSIXError`, with `EEXIST` if the file exists.
  static func createFile(_ path: String) throws(POSIXError) -> Int32 {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw lastError }
    fchmod(descriptor, 0o600)
    return descriptor
  }

  /// Creates a file and lets `body` write it. If `body` throws, removes the file.
  /// - Throws: `POSIXError`, with `EEXIST` if the file exists; or any error that `body` throws.
  static func createFile(_ path: String, _ body: (Int32) throws -> Void) throws {
    let descriptor = try createFile(path)
    defer { systemClose(descriptor) }
    do { try body(descriptor) } catch {
      unlink(path)
      throw error
    }
  }

  /// Creates a temporary file without a name, so that it disappears however the process ends.
  /// - Returns: The descriptor, which the caller closes.
  /// - Throws: `POSIXError`.
  static func createNamelessFile() throws(POSIXError) -> Int32 {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("showcase-\(UUID().uuidString)").path
    let descriptor = try createFile(path)
    unlink(path)
    return descriptor
  }

  /// Writes all bytes.
  /// - Throws: `POSIXError`. Some of the bytes may have been written.
  static func write(_ data: Data, to descriptor: Int32) throws(POSIXError) {
    let failure = data.withUnsafeBytes { bytes -> POSIXError? in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: rest))
        guard count >= 0 || errno == EINTR else { return lastError }
        rest = rest.dropFirst(max(count, 0))
      }
      return nil
    }
    if let failure { throw failure }
  }

  /// Waits until the entries of a directory, such as the name of a new file, are on disk.
  static func sync(_ directory: URL) throws(POSIXError) {
    let descriptor = open(directory.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw lastError }
    defer { systemClose(descriptor) }
    // Some file systems cannot sync a directory, and need not.
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw lastError }
  }

  /// Removes the permissions of other users from a regular file.
  static func restrict(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_mode & 0o077 != 0
    else { return }
    chmod(path, status.st_mode & 0o700)
  }

  /// The permissions that other users have on a directory; 0 for none.
  static func othersPermissions(_ directory: URL) -> mode_t { (mode(directory.path) ?? 0) & 0o077 }

  static func mode(_ path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode : nil
  }

  static var lastError: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}

extension POSIXError {
  /// The system's description, such as "Permission denied".
  var reason: String { String(cString: strerror(code.rawValue)) }

  func loadFailure(writing file: String) -> LoadFailure {
    LoadFailure(
      .storage, "Could not write \(file): \(reason).", retryable: true,
      remedy: code == .ENOSPC ? .diskFull : nil)
  }
}
