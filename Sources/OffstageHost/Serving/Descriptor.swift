import OffstageSystem

enum Descriptor {
  /// Writes everything, waiting for the reader when necessary.
  /// - Parameter timeout: The longest wait in milliseconds; -1 for no limit.
  /// - Returns: False if the reader is gone or too slow.
  @discardableResult
  static func writeAll(_ descriptor: Int32, _ bytes: [UInt8], timeout: Int32 = -1) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        let ready = poll(&wait, 1, timeout)
        guard ready > 0 || ready < 0 && errno == EINTR else { return false }
        // A blocking pipe that polls as writable accepts this much without blocking.
        let piece = timeout >= 0 ? rest.prefix(512) : rest
        let count = systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: piece))
        guard count >= 0 || systemCallShouldRetry else { return false }
        rest = rest.dropFirst(max(count, 0))
      }
      return true
    }
  }

  /// Replaces the content of a file, or restores it if that fails. The file keeps its mode and links;
  /// a read-only file is left alone.
  static func replaceFile(_ path: String, _ bytes: [UInt8]) throws(FileError) {
    let old = try PrivateFiles.read(path)
    // Root could write to a read-only file.
    guard let mode = PrivateFiles.mode(path), mode & 0o222 != 0 else {
      throw FileError(path, code: EACCES)
    }
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(path) }
    defer { systemClose(descriptor) }
    guard writeAll(descriptor, bytes), ftruncate(descriptor, off_t(bytes.count)) == 0,
      fsync(descriptor) == 0
    else {
      let failure = FileError(path)
      // The blocks of the old content are still allocated.
      if lseek(descriptor, 0, SEEK_SET) == 0, writeAll(descriptor, old) {
        _ = ftruncate(descriptor, off_t(old.count))
      }
      throw failure
    }
  }

  /// Creates or empties a file that only its owner may read, regardless of the umask.
  static func createPrivateFile(_ path: String) throws(FileError) -> Int32 {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileError(path) }
    var status = stat()
    // Leave the mode of a terminal or another device alone.
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
      _ = fchmod(descriptor, 0o600)
    }
    return descriptor
  }

  static func createScratchDirectory() throws(FileError) -> String {
    let parent = PrivateFiles.temporaryDirectory
    var template = Array("\(parent)/offstage-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw FileError(parent) }
    return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  static func removeDirectory(_ path: String) {
    for name in names(in: path) ?? [] {
      let child = "\(path)/\(name)"
      if isDirectory(child) { removeDirectory(child) } else { unlink(child) }
    }
    rmdir(path)
  }

  /// Returns the names in a directory, in no particular order; nil if the path is not a directory.
  static func names(in path: String) -> [String]? {
    guard let directory = opendir(path) else { return nil }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Returns true for a directory, but not for a link to one.
  static func isDirectory(_ path: String) -> Bool {
    PrivateFiles.status(path, followsLink: false).map { $0.st_mode & S_IFMT == S_IFDIR } == true
  }
}
