import Foundation
import Showcase

/// Picture files with a limit on their total size, and the list of them in the database.
///
/// The directory may contain files of others, so the cache deletes only files that it created: a name
/// is unguessable, is recorded in the database before its file is created, and never replaces a file.
/// `image_leftovers` lists the names whose files are to be deleted if they exist: those being written
/// and those that were evicted. Symbolic links are not followed.
final class ImageFileCache: Sendable {
  private let directory: URL
  private let database: Database
  private let byteLimit: Int

  init(directory: URL, database: Database, byteLimit: Int) {
    self.directory = directory
    self.database = database
    self.byteLimit = byteLimit
  }

  /// The file of a picture, which counts as used now; nil if it is not in the cache.
  func find(_ url: String) async throws -> URL? {
    try await database.write { [directory] connection in
      let picture = try connection.row(
        """
        UPDATE images SET used = (SELECT max(used) + 1 FROM images) WHERE url = ?
        RETURNING file, bytes
        """, url
      ) { CachedPicture(name: try $0[0], size: try $0[1]) }
      return try Self.file(of: picture, in: directory)
    }
  }

  /// A file of the cache by its name; nil for any other name, and for a file that is gone.
  func file(named name: String) async throws -> URL? {
    try await database.read { [directory] connection in
      let picture = try connection.row("SELECT file, bytes FROM images WHERE file = ?", name) {
        CachedPicture(name: try $0[0], size: try $0[1])
      }
      return try Self.file(of: picture, in: directory)
    }
  }

  private struct CachedPicture: Sendable {
    let name: String
    /// In bytes.
    let size: Int
  }

  /// nil if the file is gone, or not complete: a loss of power may leave an empty one.
  private static func file(of picture: CachedPicture?, in directory: URL) throws -> URL? {
    guard let picture, try ImageDirectory(directory)?.size(of: picture.name) == picture.size
    else { return nil }
    return directory.appendingPathComponent(picture.name)
  }

  /// Writes a picture and makes room for it.
  /// - Throws: `LoadFailure` (`storage`), and `CancellationError`.
  func keep(_ picture: Data, suffix: String, for url: String) async throws -> URL {
    let name = "\(UUID().uuidString.lowercased()).\(suffix)"
    try await announce(name)
    try await database.write { [directory, byteLimit] connection in
      // A row of the same picture means that its file is lost, or that another process was faster.
      var dropped: [String] = try connection.rows(
        "DELETE FROM images WHERE url = ? RETURNING file", url
      ) { try $0[0] }
      try connection.execute(
        """
        INSERT INTO images (url, file, bytes, used)
        VALUES (?, ?, ?, (SELECT ifnull(max(used), 0) + 1 FROM images))
        """, url, name, picture.count)
      dropped += try connection.rows(Self.eviction, byteLimit, name) { try $0[0] }
      for name in dropped {
        try connection.execute("INSERT OR IGNORE INTO image_leftovers (file) VALUES (?)", name)
      }
      try connection.execute("DELETE FROM image_leftovers WHERE file = ?", name)
      try ImageDirectory(creating: directory).write(picture, to: name)
    }
    try await database.write { [directory] in try Self.deleteLeftovers($0, in: directory) }
    return directory.appendingPathComponent(name)
  }

  /// Records the name of a file that is about to be written, so that it can be deleted after a crash.
  private func announce(_ name: String) async throws {
    try await database.write { [directory] connection in
      try Self.deleteLeftovers(connection, in: directory)
      try connection.execute("INSERT INTO image_leftovers (file) VALUES (?)", name)
    }
  }

  private static func deleteLeftovers(_ connection: Connection, in directory: URL) throws {
    let names: [String] = try connection.rows("DELETE FROM image_leftovers RETURNING file") {
      try $0[0]
    }
    guard !names.isEmpty, let directory = try ImageDirectory(directory) else { return }
    for name in names { directory.delete(name) }
  }

  /// Keeps the most recently used pictures up to the limit and evicts the rest.
  private static let eviction = """
    DELETE FROM images WHERE file <> ?2 AND id IN (
      SELECT id FROM (SELECT id, sum(bytes) OVER (ORDER BY used DESC) AS total FROM images)
      WHERE total > ?1
    ) RETURNING file
    """
}

/// An open directory. All access goes through its descriptor, so that replacing it by a symbolic link
/// has no effect.
private struct ImageDirectory: ~Copyable {
  private let path: String
  private let descriptor: Int32

  /// nil if the directory does not exist.
  /// - Throws: `LoadFailure` (`storage`) if it is a symbolic link or not a directory.
  init?(_ url: URL) throws {
    path = url.path
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    if descriptor >= 0 { return }
    if errno == ENOENT { return nil }
    throw Self.failure(path)
  }

  init(creating url: URL) throws {
    _ = try? PrivateFiles.createDirectory(url.deletingLastPathComponent())
    if mkdir(url.path, 0o700) != 0, errno != EEXIST { throw Self.failure(url.path) }
    guard let directory = try Self(url) else { throw Self.failure(url.path) }
    self = directory
  }

  deinit { close(descriptor) }

  /// The size of a file in bytes; nil if there is no regular file of that name.
  func size(of name: String) -> Int? {
    var status = stat()
    guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
      status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    return Int(status.st_size)
  }

  func delete(_ name: String) {
    if size(of: name) != nil { unlinkat(descriptor, name, 0) }
  }

  /// Creates a file, for its owner alone.
  /// - Throws: `LoadFailure` (`storage`), also if the name is taken.
  func write(_ picture: Data, to name: String) throws {
    let file = openat(
      descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Self.failure("\(path)/\(name)") }
    defer { close(file) }
    do throws(POSIXError) {
      try PrivateFiles.write(picture, to: file)
      guard fchmod(file, 0o600) == 0 else { throw PrivateFiles.lastError }
    } catch {
      unlinkat(descriptor, name, 0)
      throw Self.failure("\(path)/\(name)", error)
    }
  }

  private static func failure(
    _ path: String, _ error: POSIXError = PrivateFiles.lastError
  ) -> LoadFailure {
    LoadFailure(.storage, "Could not write \(path): \(error.reason).", retryable: true)
  }
}

extension Migration {
  /// The list of the files. `used` increases with every use; the highest is the most recent.
  static let images = Migration(
    "images",
    """
    CREATE TABLE images (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      url TEXT NOT NULL UNIQUE,
      file TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      used INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX images_by_use ON images (used);
    """)

  static let imageLeftovers = Migration(
    "image leftovers",
    "CREATE TABLE image_leftovers (file TEXT PRIMARY KEY) STRICT, WITHOUT ROWID")
}
