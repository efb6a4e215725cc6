import Foundation
import OffstageSystem

/// Creates directories and files that only their owner can access, whatever the umask.
enum PrivateFiles {
  /// Creates a directory. Missing parents get the usual permissions.
  /// - Returns: true if it was created, false if it existed.
  /// - Throws: `POSIXError`.
  static func createDirectory(_ directory: URL) throws(POSIXError) -> Bool {
    try? FileManager.default.createDirectory(
      at: directory.deletingLastPathComponent(), withIntermediateDirectories: true)
    guard mkdir(directory.path, 0o700) == 0 else {
      let error = lastError
      if mode(directory.path).map({ $0 & S_IFMT == S_IFDIR }) == true { return false }
      throw error
    }
    chmod(directory.path, 0o700)
    return true
  }

  /// Creates an empty file and opens it for writing.
  /// - Returns: the descriptor, which the caller closes.
  /// - Throws: `POSIXError`, with `EEXIST` if there is a file.
  static func createFile(_ path: String) throws(POSIXError) -> Int32 {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw lastError }
    fchmod(descriptor, 0o600)
    return descriptor
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

  private static var lastError: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}

extension POSIXError {
  /// The system's description, such as "Permission denied".
  var reason: String { String(cString: strerror(code.rawValue)) }
}
