internal import Offstage
internal import OffstageSystem

/// The folder of each session of a host.
///
/// ```text
/// FOLDER/5b1f09c2a4d37e865b1f09c2a4d37e86/state.json   where the user is
///                                        /journal      while the session is in memory
///                                        /data         the app's data
/// ```
/// The id is the name. It comes from outside, so it is a name only if it could be that of a session.
@CoreActor
final class SessionFolders {
  private let path: String
  private let app: AppInfo
  /// Keeps other hosts out.
  private let lock: PlaceDirectory
  /// The number of sessions that have a folder.
  private(set) var count: Int

  /// - Throws: `FileError` if the folder cannot be created, or if another process uses it.
  init(in path: String, _ app: AppInfo) throws(FileError) {
    (self.path, self.app) = (path, app)
    try Descriptor.createDirectories(path)
    guard let lock = PlaceDirectory(path, app) else {
      throw FileError(
        description: "\(path): another process keeps its sessions there; end it, or choose another "
          + "directory with --state")
    }
    self.lock = lock
    count = Descriptor.names(in: path)?.count(where: Self.isID) ?? 0
  }

  /// Returns true for a session that has a folder.
  func has(_ id: String) -> Bool { Self.isID(id) && Descriptor.isDirectory("\(path)/\(id)") }

  /// The app's data directory for a session.
  func data(of id: String) -> String { "\(path)/\(id)/data" }

  /// Creates the folder of a new session, or opens that of an earlier one.
  /// - Throws: `FileError`, also while another process uses it.
  func open(_ id: String, isNew: Bool) throws(FileError) -> PlaceDirectory {
    let folder = "\(path)/\(id)"
    if isNew {
      guard mkdir(folder, 0o700) == 0 else { throw FileError(folder) }
      count += 1
    }
    guard let directory = PlaceDirectory(folder, app) else {
      throw FileError(description: "another process uses \(folder)")
    }
    return directory
  }

  /// Returns the sessions that were parked before a time, by their folders, which change then.
  func unused(since time: Duration) async -> [String] {
    let path = path
    // It takes a while for many sessions, which the others must not wait for.
    return await Task.detached {
      (Descriptor.names(in: path) ?? []).filter { name in
        var status = stat()
        return Self.isID(name) && stat("\(path)/\(name)", &status) == 0
          && .nanoseconds(modificationTime(status)) < time
      }
    }.value
  }

  func remove(_ id: String) {
    Descriptor.removeDirectory("\(path)/\(id)")
    count -= 1
  }

  private nonisolated static func isID(_ text: String) -> Bool {
    let digits = text.utf8.allSatisfy { byte in
      UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte
    }
    return digits && text.utf8.count == 32
  }
}
