import OffstageFoundation
import OffstageSystem
import Synchronization

/// Named locks for the processes that share a data directory.
///
/// Each lock is a locked file. The system unlocks it however its process ends, so no process has to
/// guess whether another one is alive. The name of a lock becomes that of its file.
package final class ProcessLocks: Sendable {
  private struct Lock {
    let descriptor: Int32
    var holders = 1
  }

  /// The directory of the files; nil if no other process sees the data.
  private let directory: URL?
  /// The locks of this process, by the paths of their files.
  private let held = Mutex<[String: Lock]>([:])

  init(in directory: URL?) { self.directory = directory }

  /// Takes a lock, which this process may hold several times.
  /// - Returns: False if another process holds it.
  /// - Throws: ``StorageError`` if the file cannot be created.
  package func acquire(_ name: String) throws -> Bool {
    guard let path = path(of: name) else { return true }
    return try held.withLock { held in
      if held[path] != nil {
        held[path]?.holders += 1
        return true
      }
      do throws(POSIXError) {
        guard let descriptor = try Self.lock(path, creating: true) else { return false }
        held[path] = Lock(descriptor: descriptor)
        return true
      } catch {
        throw StorageError(writing: path, error)
      }
    }
  }

  package func release(_ name: String) {
    guard let path = path(of: name) else { return }
    held.withLock { held in
      guard var lock = held.removeValue(forKey: path) else { return }
      lock.holders -= 1
      if lock.holders > 0 { held[path] = lock } else { Self.unlock(path, lock.descriptor) }
    }
  }

  func releaseAll() {
    held.withLock { held in
      for (path, lock) in held { Self.unlock(path, lock.descriptor) }
      held = [:]
    }
  }

  package func isHeldElsewhere(_ name: String) -> Bool {
    guard let path = path(of: name) else { return false }
    return held.withLock { held in
      guard held[path] == nil else { return false }
      do throws(POSIXError) {
        guard let descriptor = try Self.lock(path, creating: false) else { return true }
        // The process that locked the file has crashed.
        Self.unlock(path, descriptor)
      } catch {
        // A missing file is not locked.
      }
      return false
    }
  }

  private func path(of name: String) -> String? {
    directory?.appendingPathComponent("\(name).lock").path
  }

  /// Locks a file.
  /// - Returns: The descriptor; nil if another process has locked the file.
  private static func lock(_ path: String, creating: Bool) throws(POSIXError) -> Int32? {
    while true {
      let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | (creating ? O_CREAT : 0)
      let descriptor = open(path, flags, 0o600)
      guard descriptor >= 0 else { throw PrivateFiles.lastError }
      guard tryLock(descriptor) else {
        systemClose(descriptor)
        return nil
      }
      // The lock counts only if the file had not been removed before it was locked.
      var (opened, found) = (stat(), stat())
      if fstat(descriptor, &opened) == 0, stat(path, &found) == 0, opened.st_ino == found.st_ino {
        return descriptor
      }
      systemClose(descriptor)
    }
  }

  /// Removes the file before unlocking it, because another process may lock it afterward.
  private static func unlock(_ path: String, _ descriptor: Int32) {
    unlink(path)
    unlockAndClose(descriptor)
  }
}
