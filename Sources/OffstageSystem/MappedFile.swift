/// A file of a fixed size in memory. What is stored there is in the file even if the process is
/// killed at the next instruction, and takes no system call.
package final class MappedFile {
  package let bytes: UnsafeMutableRawBufferPointer

  /// Opens a file, or creates one that only its owner may read and that is full of zeros.
  /// - Parameters:
  ///   - size: The size of a new file.
  ///   - others: The sizes that an existing file may have, too.
  /// - Throws: `FileError`, also for a file of another size.
  package init(_ path: String, size: Int, orAnyOf others: [Int] = []) throws(FileError) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileError(path) }
    defer { systemClose(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileError(path) }
    let isNew = status.st_size == 0
    guard isNew || status.st_size == size || others.contains(Int(status.st_size)) else {
      throw FileError(description: "\(path) has \(status.st_size) bytes, not \(size)")
    }
    let size = isNew ? size : Int(status.st_size)
    let failure = allocateFile(descriptor, size: size)
    guard failure == 0 else {
      if isNew { unlink(path) }
      throw FileError(path, code: failure)
    }
    let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let memory, memory != MAP_FAILED else { throw FileError(path) }
    bytes = UnsafeMutableRawBufferPointer(start: memory, count: size)
  }

  /// Gives the memory back to the system until the next access. The content stays in the file.
  package func releaseMemory() { madvise(bytes.baseAddress, bytes.count, MADV_DONTNEED) }

  deinit { munmap(bytes.baseAddress, bytes.count) }
}

/// Reserves the blocks of a file: a store to a block that the disk has no room for would end the
/// process with SIGBUS.
/// - Returns: 0, or an error number.
private func allocateFile(_ descriptor: Int32, size: Int) -> Int32 {
  #if canImport(Darwin)
    // Without `posix_fallocate`, write the blocks of a new file.
    let zeros = [UInt8](repeating: 0, count: 1 << 16)
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return errno }
    while status.st_size < size {
      let count = zeros.withUnsafeBytes {
        pwrite(
          descriptor, $0.baseAddress, min($0.count, size - Int(status.st_size)), status.st_size)
      }
      if count > 0 { status.st_size += off_t(count) } else if errno != EINTR { return errno }
    }
    return 0
  #else
    var failure: Int32
    repeat { failure = posix_fallocate(descriptor, 0, off_t(size)) } while failure == EINTR
    return failure
  #endif
}

/// Locks a file or directory for this process until the descriptor is closed.
/// - Returns: False if another process, or another descriptor of this one, holds the lock. True where
///   files cannot be locked.
package func tryLock(_ descriptor: Int32) -> Bool {
  while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
    if errno != EINTR { return errno != EWOULDBLOCK }
  }
  return true
}

/// Unlocks and closes a descriptor of ``tryLock(_:)``.
///
/// Closing alone would leave it locked as long as a child has a copy, which every child has between its
/// fork and its program.
package func unlockAndClose(_ descriptor: Int32) {
  flock(descriptor, LOCK_UN)
  systemClose(descriptor)
}
