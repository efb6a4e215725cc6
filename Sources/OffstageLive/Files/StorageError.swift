package import OffstageSystem

/// A file that could not be read or written, and why. Its content is what it was.
public struct StorageError: Error, Codable, Hashable, Sendable, CustomStringConvertible {
  /// What failed, with the path and the system's reason, and what to do about it.
  public let description: String
  /// True if the disk is full, or the user's share of it.
  public let isDiskFull: Bool

  /// - Parameter description: A sentence that begins with what failed.
  package init(_ description: String) {
    self.description = description
    isDiskFull = false
  }

  package init(writing path: String, _ error: FileError) {
    isDiskFull = [ENOSPC, EDQUOT, EFBIG].contains(error.code)
    let remedy = isDiskFull ? " Free some space." : ""
    description = "Could not write \(path): \(error.reason).\(remedy)"
  }

  init(reading path: String, _ error: FileError) {
    isDiskFull = false
    description =
      error.code == nil
      ? error.description
      : "Could not read \(path): \(error.reason). Check its owner and permissions."
  }
}

extension PrivateFiles {
  /// Reads a whole file; nil if there is none.
  static func content(_ path: String, byteLimit: Int) throws(StorageError) -> [UInt8]? {
    do throws(FileError) { return try read(path, byteLimit: byteLimit) } catch {
      if error.code == ENOENT { return nil }
      throw StorageError(reading: path, error)
    }
  }
}
