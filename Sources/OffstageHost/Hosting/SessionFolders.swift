internal import Offstage
internal import OffstageSystem

/// The folders of a host's visitors and their sessions.
///
/// ```text
/// FOLDER/data                                   what all visitors share
///       /visitors/VISITOR/data                  what the app keeps for one
///                        /SESSION.state.json    where the user is
///                        /SESSION.journal       while the session is in memory
/// ```
/// So a session is found only by those who name its visitor. Both names come from outside, and are
/// used only if they can be those of folders.
@CoreActor
final class SessionFolders {
  private let path: String
  private let app: AppInfo
  /// Keeps other hosts out; nil in one of several processes, whose first one does.
  private let lock: PlaceDirectory?
  /// The number of sessions that have files.
  private var number: Int

  /// - Throws: `FileError` if the folder cannot be created, or if another process uses it.
  init(in folder: String, _ app: AppInfo, _ share: Share) throws(FileError) {
    (path, self.app) = ("\(folder)/visitors", app)
    lock = share == .whole ? try Self.lock(folder, app) : nil
    number = Self.all(in: path).count { share.contains($0.visitor) }
  }

  /// Keeps other hosts out of a folder, which is created if it does not exist.
  /// - Throws: `FileError`, also if another host is there.
  static func lock(_ folder: String, _ app: AppInfo) throws(FileError) -> PlaceDirectory {
    try PrivateFiles.createDirectory(folder)
    guard let lock = PlaceDirectory(folder) else {
      throw FileError(
        description:
          "\(folder): another process keeps its sessions there; end it, or choose another "
          + "directory with --state")
    }
    return lock
  }

  /// The app's data directory for a visitor.
  func data(of visitor: String) -> String { "\(path)/\(visitor)/data" }

  /// Removes a visitor's folder, with all that the app keeps for the visitor alone.
  func removeVisitor(_ visitor: String) { Descriptor.removeDirectory("\(path)/\(visitor)") }

  /// What the paths of a session's files begin with.
  private nonisolated static func path(of key: SessionKey, in path: String) -> String {
    "\(path)/\(key.visitor)/\(key.id)."
  }

  /// Returns what the system says of the file of a session that is there; nil if there is none.
  private nonisolated static func status(of key: SessionKey, in path: String) -> stat? {
    let path = Self.path(of: key, in: path)
    return PrivateFiles.status("\(path)state.json") ?? PrivateFiles.status("\(path)journal")
  }
}

extension SessionFolders: SessionHome {
  func begin(_ key: SessionKey) throws -> any Place {
    number += 1
    try PrivateFiles.createDirectory("\(path)/\(key.visitor)")
    return place(key)
  }

  func find(_ key: SessionKey) -> (any Place)? {
    guard key.isPossible, Self.status(of: key, in: path) != nil else { return nil }
    let place = place(key)
    return place.state == nil ? nil : place
  }

  private func place(_ key: SessionKey) -> FilePlace {
    FilePlace(ofManyAt: Self.path(of: key, in: path), app: app)
  }

  func ended(_ key: SessionKey, isUnknown: Bool) {
    if isUnknown { remove(key) }
  }

  func unused(for time: Duration) async -> [SessionKey] {
    let limit = .seconds(OffstageSystem.time(nil)) - time
    let path = path
    // It takes a while for many sessions, which the others must not wait for.
    return await Task.detached {
      Self.all(in: path).filter { key in
        Self.status(of: key, in: path).map { .nanoseconds(modificationTime($0)) < limit } == true
      }
    }.value
  }

  func isLast(_ key: SessionKey) -> Bool { Self.sessions(of: key.visitor, in: path) == [key] }

  func remove(_ key: SessionKey) {
    number -= 1
    if key.visitor == key.id { return removeVisitor(key.visitor) }
    // Also those that were set aside.
    for name in Self.names(of: key.visitor, in: path) where name.hasPrefix("\(key.id).") {
      unlink("\(path)/\(key.visitor)/\(name)")
    }
  }

  var count: Int? { number }

  private nonisolated static func names(of visitor: String, in path: String) -> [String] {
    Descriptor.names(in: "\(path)/\(visitor)") ?? []
  }

  private nonisolated static func sessions(of visitor: String, in path: String) -> Set<SessionKey> {
    let ids = names(of: visitor, in: path).compactMap { $0.split(separator: ".").first }
    return Set(
      ids.map(String.init).filter(SessionKey.isID).map { SessionKey(visitor: visitor, id: $0) })
  }

  fileprivate nonisolated static func all(in path: String) -> [SessionKey] {
    (Descriptor.names(in: path) ?? []).flatMap { sessions(of: $0, in: path) }
  }
}
