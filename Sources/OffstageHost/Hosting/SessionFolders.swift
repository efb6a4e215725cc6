internal import Offstage
internal import OffstageSystem

/// A session of a host, and whose it is. One that names no visitor is its own.
struct SessionKey: Hashable, Sendable {
  let visitor: String
  let id: String
}

/// The folders of a host's visitors and their sessions.
///
/// ```text
/// FOLDER/data                                   what all visitors share
///       /visitors/VISITOR/data                  what the app keeps for one
///                        /SESSION/state.json    where the user is
///                                /journal       while the session is in memory
/// ```
/// So a session is found only by those who name its visitor. Both names come from outside, and are
/// used only if they can be those of folders.
@CoreActor
final class SessionFolders {
  private let path: String
  private let app: AppInfo
  /// Keeps other hosts out.
  private let lock: PlaceDirectory
  /// The number of sessions that have a folder.
  private(set) var count: Int

  /// - Throws: `FileError` if the folder cannot be created, or if another process uses it.
  init(in folder: String, _ app: AppInfo) throws(FileError) {
    (path, self.app) = ("\(folder)/visitors", app)
    try Descriptor.createDirectories(folder)
    guard let lock = PlaceDirectory(folder, app) else {
      throw FileError(
        description:
          "\(folder): another process keeps its sessions there; end it, or choose another "
          + "directory with --state")
    }
    self.lock = lock
    count = Self.all(in: path).count
  }

  /// Returns true for a name that a visitor can have. Two of them differ on any file system.
  static func isVisitor(_ name: String) -> Bool {
    name.wholeMatch(of: /[a-z0-9-]{1,64}/) != nil
  }

  /// Returns true if both names can be those of a session.
  static func isKey(_ key: SessionKey) -> Bool { isVisitor(key.visitor) && isID(key.id) }

  /// Returns true for a session that has a folder.
  func has(_ key: SessionKey) -> Bool {
    Self.isKey(key) && Descriptor.isDirectory(path(of: key))
  }

  /// The app's data directory for a visitor.
  func data(of visitor: String) -> String { "\(path)/\(visitor)/data" }

  private func path(of key: SessionKey) -> String { "\(path)/\(key.visitor)/\(key.id)" }

  /// Creates the folder of a new session, or opens that of an earlier one.
  /// - Throws: `FileError`, also while another process uses it.
  func open(_ key: SessionKey, isNew: Bool) throws(FileError) -> PlaceDirectory {
    let folder = path(of: key)
    if isNew {
      try Descriptor.createDirectories("\(path)/\(key.visitor)")
      guard mkdir(folder, 0o700) == 0 else { throw FileError(folder) }
      count += 1
    }
    guard let directory = PlaceDirectory(folder, app) else {
      throw FileError(description: "another process uses \(folder)")
    }
    return directory
  }

  /// Returns the sessions that were parked before a time, by their folders, which change then.
  func unused(since time: Duration) async -> [SessionKey] {
    let path = path
    // It takes a while for many sessions, which the others must not wait for.
    return await Task.detached {
      Self.all(in: path).filter { key in
        var status = stat()
        return stat("\(path)/\(key.visitor)/\(key.id)", &status) == 0
          && .nanoseconds(modificationTime(status)) < time
      }
    }.value
  }

  func remove(_ key: SessionKey) {
    Descriptor.removeDirectory(path(of: key))
    count -= 1
    if key.visitor == key.id { removeVisitor(key.visitor) }
  }

  /// Returns true if a session is the only one of its visitor.
  func isLast(_ key: SessionKey) -> Bool { Self.sessions(of: key.visitor, in: path) == [key] }

  func removeVisitor(_ visitor: String) { Descriptor.removeDirectory("\(path)/\(visitor)") }

  private nonisolated static func all(in path: String) -> [SessionKey] {
    (Descriptor.names(in: path) ?? []).flatMap { sessions(of: $0, in: path) }
  }

  private nonisolated static func sessions(of visitor: String, in path: String) -> [SessionKey] {
    (Descriptor.names(in: "\(path)/\(visitor)") ?? []).filter(isID)
      .map { SessionKey(visitor: visitor, id: $0) }
  }

  private nonisolated static func isID(_ name: String) -> Bool {
    name.wholeMatch(of: /[0-9a-f]{32}/) != nil
  }
}
