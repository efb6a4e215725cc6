/// Reads and replaces whole files, and creates directories and files that only their owner can access,
/// whatever the umask.
package enum PrivateFiles {
  // MARK: Creating

  /// Creates a directory and its missing parents.
  /// - Returns: True if it was created, false if it existed.
  @discardableResult
  package static func createDirectory(_ path: String) throws(FileError) -> Bool {
    guard mkdir(path, 0o700) == 0 else {
      let error = FileError(path)
      let parent = directory(of: path)
      if error.code == ENOENT, mode(parent) == nil {
        try createDirectory(parent)
        return try createDirectory(path)
      }
      if mode(path).map({ $0 & S_IFMT == S_IFDIR }) == true { return false }
      throw error
    }
    chmod(path, 0o700)
    return true
  }

  /// Creates an empty file and opens it for reading and writing.
  /// - Returns: The descriptor, which the caller closes.
  /// - Throws: `FileError`, with `EEXIST` if the file exists.
  package static func createFile(_ path: String) throws(FileError) -> Int32 {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileError(path) }
    fchmod(descriptor, 0o600)
    return descriptor
  }

  /// Creates a file and lets `body` write it. If `body` throws, removes the file.
  /// - Throws: `FileError`, with `EEXIST` if the file exists; or any error that `body` throws.
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
  package static func createNamelessFile() throws(FileError) -> Int32 {
    var template = Array("\(temporaryDirectory)/offstage-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw FileError(temporaryDirectory) }
    unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }

  package static var temporaryDirectory: String {
    getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
  }

  // MARK: Content

  /// Reads a whole file.
  /// - Throws: `FileError`, also if it has more bytes than the limit.
  package static func read(_ path: String, byteLimit: Int = .max) throws(FileError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(path) }
    defer { systemClose(descriptor) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let count = piece.withUnsafeMutableBytes { systemRead(descriptor, $0) }
      if count == 0 { return bytes }
      guard count > 0 || systemCallShouldRetry else { throw FileError(path) }
      bytes += piece.prefix(max(count, 0))
      guard bytes.count <= byteLimit else {
        throw FileError(description: "\(path): has more than \(byteLimit) bytes.")
      }
    }
  }

  /// Writes all bytes.
  /// - Parameter path: The name of the file in an error.
  /// - Throws: `FileError`. Some of the bytes may have been written.
  package static func write(
    _ bytes: [UInt8], to descriptor: Int32, _ path: String
  ) throws(FileError) {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: $0[done...]))
      }
      guard count >= 0 || errno == EINTR else { throw FileError(path) }
      done += max(count, 0)
    }
  }

  /// Replaces the content of a file, which it creates if necessary. After a crash or a power cut, the
  /// file has the old content or the new one.
  /// - Throws: `FileError`. The file has the old content then, unless the disk fails at the end.
  package static func replace(_ path: String, with content: [UInt8]) throws(FileError) {
    try createDirectory(directory(of: path))
    let new = path + ".new"
    let lock = try lockFile(new, isCreated: true) { descriptor in
      // Go on without a lock where files cannot be locked.
      while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
      return true
    }
    guard let descriptor = lock else { return }
    defer { systemClose(descriptor) }
    do throws(FileError) {
      // A crash may have left an incomplete one.
      guard ftruncate(descriptor, 0) == 0, fchmod(descriptor, 0o600) == 0 else {
        throw FileError(path)
      }
      try write(content, to: descriptor, path)
      // Without `fsync`, a power failure could leave the file empty.
      guard fsync(descriptor) == 0, rename(new, path) == 0 else { throw FileError(path) }
    } catch {
      unlink(new)
      throw error
    }
    try sync(directory(of: path))
  }

  /// Waits until the entries of a directory, such as the name of a new file, are on disk.
  package static func sync(_ directory: String) throws(FileError) {
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // Some directories cannot be read or synced, and what is in them is right nevertheless.
    if descriptor < 0, errno == EACCES { return }
    guard descriptor >= 0 else { throw FileError(directory) }
    defer { systemClose(descriptor) }
    guard fsync(descriptor) == 0 || ![EIO, ENOSPC].contains(errno) else {
      throw FileError(directory)
    }
  }

  /// Opens a file and locks it.
  /// - Returns: The descriptor, which the caller closes; nil if `lock` returns false, because another
  ///   process has locked the file.
  package static func lockFile(
    _ path: String, isCreated: Bool, _ lock: (Int32) -> Bool
  ) throws(FileError) -> Int32? {
    while true {
      let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | (isCreated ? O_CREAT : 0)
      let descriptor = open(path, flags, 0o600)
      guard descriptor >= 0 else { throw FileError(path) }
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

  // MARK: Names

  /// Returns the path of the directory that a file is in.
  package static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  package static func mode(_ path: String) -> mode_t? { status(path)?.st_mode }

  /// Returns what the system says of a file, or of a symbolic link itself; nil if there is none.
  package static func status(_ path: String, followsLink: Bool = true) -> stat? {
    var status = stat()
    let result = followsLink ? stat(path, &status) : lstat(path, &status)
    return result == 0 ? status : nil
  }
}
