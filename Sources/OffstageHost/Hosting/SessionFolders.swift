internal import Offstage
internal import OffstageSystem

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
  /// Keeps other hosts out; nil in one of several processes, whose first one does.
  private let lock: PlaceDirectory?
  /// The number of sessions that have a folder.
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
    guard let lock = PlaceDirectory(folder, app) else {
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

  private func path(of key: SessionKey) -> String { "\(path)/\(key.visitor)/\(key.id)" }
}

extension SessionFolders: SessionHome {
  func begin(_ key: SessionKey) throws -> any Place {
    number += 1
    try PrivateFiles.createDirectory("\(path)/\(key.visitor)")
    guard mkdir(path(of: key), 0o700) == 0 else { throw FileError(path(of: key)) }
    return try open(key)
  }

  func find(_ key: SessionKey) throws -> (any Place)? {
    guard key.isPossible, Descriptor.isDirectory(path(of: key)) else { return nil }
    let place = try open(key)
    return place.state == nil ? nil : place
  }

  private func open(_ key: SessionKey) throws(FileError) -> FilePlace {
    guard let directory = PlaceDirectory(path(of: key), app) else {
      throw FileError(description: "another process uses \(path(of: key))")
    }
    return FilePlace(ofManyIn: directory, app: app)
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
        // The folder of a session changes when it is parked.
        PrivateFiles.status("\(path)/\(key.visitor)/\(key.id)")
          .map { .nanoseconds(modificationTime($0)) < limit } == true
      }
    }.value
  }

  func isLast(_ key: SessionKey) -> Bool { Self.sessions(of: key.visitor, in: path) == [key] }

  func remove(_ key: SessionKey) {
    Descriptor.removeDirectory(path(of: key))
    number -= 1
    if key.visitor == key.id { removeVisitor(key.visitor) }
  }

  var count: Int? { number }

  private nonisolated static func sessions(of visitor: String, in path: String) -> [SessionKey] {
    (Descriptor.names(in: "\(path)/\(visitor)") ?? []).filter(SessionKey.isID)
      .map { SessionKey(visitor: visitor, id: $0) }
  }

  fileprivate nonisolated static func all(in path: String) -> [SessionKey] {
    (Descriptor.names(in: path) ?? []).flatMap { sessions(of: $0, in: path) }
  }
}
