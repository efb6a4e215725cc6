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
      do throws(FileError) {
        let descriptor = try PrivateFiles.lockFile(path, isCreated: true, tryLock)
        held[path] = descriptor.map { Lock(descriptor: $0) }
        return descriptor != nil
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
      do throws(FileError) {
        guard let descriptor = try PrivateFiles.lockFile(path, isCreated: false, tryLock)
        else { return true }
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

  /// Removes the file before unlocking it, because another process may lock it afterward.
  private static func unlock(_ path: String, _ descriptor: Int32) {
    unlink(path)
    unlockAndClose(descriptor)
  }
}
