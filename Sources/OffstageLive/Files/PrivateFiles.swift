package import OffstageFoundation
package import OffstageSystem

/// Creates directories and files that only their owner can access, whatever the umask.
package enum PrivateFiles {
  /// Creates a directory and its missing parents.
  /// - Returns: True if it was created, false if it existed.
  @discardableResult
  package static func createDirectory(_ directory: URL) throws(POSIXError) -> Bool {
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
  package static func createFile(_ path: String) throws(POSIXError) -> Int32 {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw lastError }
    fchmod(descriptor, 0o600)
    return descriptor
  }

  /// Creates a file and lets `body` write it. If `body` throws, removes the file.
  /// - Throws: `POSIXError`, with `EEXIST` if the file exists; or any error that `body` throws.
  package static func createFile(_ path: String, _ body: (Int32) throws -> Void) throws {
    let descriptor = try createFile(path)
    defer { systemClose(descriptor) }
    do { try body(descriptor) } catch {
      unlink(path)
      throw error
    }
  }

  /// Creates a temporary file without a name, so that it disappears however the process ends.
  /// - Returns: The descriptor, which the caller closes.
  package static func createNamelessFile() throws(POSIXError) -> Int32 {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("offstage-\(UUID().uuidString)").path
    let descriptor = try createFile(path)
    unlink(path)
    return descriptor
  }

  /// Writes all bytes.
  /// - Throws: `POSIXError`. Some of the bytes may have been written.
  package static func write(_ data: Data, to descriptor: Int32) throws(POSIXError) {
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

  /// Replaces the content of a file, which it creates if necessary. After a crash or a power cut, the
  /// file has the old content or the new one.
  /// - Throws: `POSIXError`. The file then has the old content.
  package static func replace(_ file: URL, with content: Data) throws(POSIXError) {
    let directory = file.deletingLastPathComponent()
    try createDirectory(directory)
    let path = file.path + ".new"
    let lock = try lockFile(path, isCreated: true) { descriptor in
      // Go on without a lock where files cannot be locked.
      while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
      return true
    }
    guard let descriptor = lock else { return }
    defer { systemClose(descriptor) }
    // A crash may have left an incomplete one.
    guard ftruncate(descriptor, 0) == 0, fchmod(descriptor, 0o600) == 0 else { throw lastError }
    do throws(POSIXError) {
      try write(content, to: descriptor)
      guard fsync(descriptor) == 0, rename(path, file.path) == 0 else { throw lastError }
    } catch {
      unlink(path)
      throw error
    }
    try sync(directory)
  }

  /// Opens a file and locks it.
  /// - Returns: The descriptor, which the caller closes; nil if `lock` returns false, because another
  ///   process has locked the file.
  static func lockFile(
    _ path: String, isCreated: Bool, _ lock: (Int32) -> Bool
  ) throws(POSIXError) -> Int32? {
    while true {
      let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | (isCreated ? O_CREAT : 0)
      let descriptor = open(path, flags, 0o600)
      guard descriptor >= 0 else { throw lastError }
      guard lock(descriptor) else {
        systemClose(descriptor)
        return nil
      }
      // Another process may have renamed or removed the file before it was locked.
      var (opened, found) = (stat(), stat())
      if fstat(descriptor, &opened) == 0, stat(path, &found) == 0, opened.st_ino == found.st_ino {
        return descriptor
      }
      systemClose(descriptor)
    }
  }

  /// Reads a whole file.
  /// - Returns: nil if there is none.
  /// - Throws: ``StorageError``, also if it has more bytes than the limit.
  package static func read(_ path: String, byteLimit: Int) throws(StorageError) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw StorageError(reading: path, lastError)
    }
    defer { systemClose(descriptor) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = piece.withUnsafeMutableBytes { systemRead(descriptor, $0) }
      if count == 0 { return bytes }
      guard count > 0 || errno == EINTR else { throw StorageError(reading: path, lastError) }
      bytes += piece.prefix(max(count, 0))
      guard bytes.count <= byteLimit else {
        throw StorageError("\(path): has more than \(byteLimit) bytes.")
      }
    }
  }

  /// Waits until the entries of a directory, such as the name of a new file, are on disk.
  package static func sync(_ directory: URL) throws(POSIXError) {
    let descriptor = open(directory.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw lastError }
    defer { systemClose(descriptor) }
    // Some file systems cannot sync a directory, and need not.
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw lastError }
  }

  /// Removes the permissions of other users from a regular file.
  package static func restrict(_ path: String) {
    guard let mode = status(path, followsLink: false)?.st_mode, mode & S_IFMT == S_IFREG,
      mode & 0o077 != 0
    else { return }
    chmod(path, mode & 0o700)
  }

  /// The permissions that other users have on a directory; 0 for none.
  package static func othersPermissions(_ directory: URL) -> mode_t {
    (mode(directory.path) ?? 0) & 0o077
  }

  package static func mode(_ path: String) -> mode_t? { status(path)?.st_mode }

  /// Returns what the system says of a file, or of a symbolic link itself; nil if there is none.
  package static func status(_ path: String, followsLink: Bool = true) -> stat? {
    var status = stat()
    let result = followsLink ? stat(path, &status) : lstat(path, &status)
    return result == 0 ? status : nil
  }

  package static var lastError: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}

extension POSIXError {
  /// The system's description, such as "Permission denied".
  package var reason: String { String(cString: strerror(code.rawValue)) }
}
