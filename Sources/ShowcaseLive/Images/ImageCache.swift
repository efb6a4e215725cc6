import Foundation
import Offstage
import Showcase

/// Pictures with a limit on their total size, listed in the database.
///
/// Each picture is a file in `images` next to the database. With a database in memory, pictures are
/// in the list itself, so that nothing is left on disk. The directory may contain other files, so
/// the cache deletes only files that it created: a name is unguessable and never replaces a file. A
/// name is listed before its file is created and until the file is deleted, so a crash leaves no
/// unlisted file. Symbolic links are not followed.
final class ImageCache: Sendable {
  /// The directory of the files; nil to store the bytes in the list.
  private let directory: URL?
  private let database: Database
  private let byteLimit: Int

  init(database: Database, byteLimit: Int) {
    directory = database.location.directory?.appendingPathComponent("images")
    self.database = database
    self.byteLimit = byteLimit
  }

  /// Returns the name of a picture, which then counts as just used; nil if it is not in the cache.
  func find(_ url: String) async throws -> String? {
    try await database.write { [self] connection in
      let picture = try connection.row(
        """
        UPDATE images SET used = (SELECT max(used) + 1 FROM images) WHERE url = ?
        RETURNING file, bytes
        """, url
      ) { (name: try $0[0] as String, size: try $0[1] as Int) }
      guard let picture, directory == nil || size(of: picture.name) == picture.size
      else { return nil }
      return picture.name
    }
  }

  /// Returns the content of a picture by name; nil for any other name, and for a missing or
  /// incomplete file: a power cut may leave an empty one.
  func content(of name: String) async throws -> Resource.Content? {
    try await database.read { [self] connection in
      let picture = try connection.row("SELECT bytes, content FROM images WHERE file = ?", name) {
        (size: try $0[0] as Int, bytes: try $0[1] as Data?)
      }
      guard let picture else { return nil }
      if let bytes = picture.bytes { return .bytes(Array(bytes)) }
      return size(of: name) == picture.size ? .file(path: path(of: name)) : nil
    }
  }

  /// Makes room for a picture and writes it.
  /// - Returns: The name of the picture.
  /// - Throws: `LoadFailure` (`storage`), and `CancellationError`.
  func keep(_ picture: Data, suffix: String, for url: String) async throws -> String {
    let name = "\(UUID().uuidString.lowercased()).\(suffix)"
    try await database.write { [self] connection in
      // If the picture is already listed, its file is lost or another process was faster.
      var dropped: [String] = try connection.rows(
        "DELETE FROM images WHERE url = ? RETURNING file", url
      ) { try $0[0] }
      try connection.execute(
        """
        INSERT INTO images (url, file, bytes, content, used)
        VALUES (?, ?, ?, ?, (SELECT ifnull(max(used), 0) + 1 FROM images))
        """, url, name, picture.count, directory == nil ? picture : nil)
      dropped += try connection.rows(Self.eviction, byteLimit, name) { try $0[0] }
      for name in dropped where size(of: name) != nil { unlink(path(of: name)) }
    }
    if directory == nil { return name }
    try await database.write { [self] connection in
      // Other pictures may have evicted it in the meantime.
      if try connection.exists("SELECT 1 FROM images WHERE file = ?", name) {
        try write(picture, to: name)
      }
    }
    return name
  }

  /// Keeps the most recently used pictures up to the limit and evicts the rest.
  private static let eviction = """
    DELETE FROM images WHERE file <> ?2 AND id IN (
      SELECT id FROM (SELECT id, sum(bytes) OVER (ORDER BY used DESC) AS total FROM images)
      WHERE total > ?1
    ) RETURNING file
    """

  // MARK: Files

  private func path(of name: String) -> String {
    directory?.appendingPathComponent(name).path ?? ""
  }

  /// Returns the size of a file in bytes; nil unless it is a regular file.
  private func size(of name: String) -> Int? {
    var status = stat()
    guard lstat(path(of: name), &status) == 0, status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    return Int(status.st_size)
  }

  private func write(_ picture: Data, to name: String) throws {
    guard let directory else { return }
    do {
      try PrivateFiles.createDirectory(directory)
      guard try !directory.resourceValues(forKeys: [.isSymbolicLinkKey]).isSymbolicLink! else {
        throw POSIXError(.ENOTDIR)
      }
      try PrivateFiles.createFile(path(of: name)) { try PrivateFiles.write(picture, to: $0) }
    } catch let error as POSIXError {
      throw error.loadFailure(writing: path(of: name))
    }
  }
}

extension Migration {
  /// The list of files. `used` increases with every use, so the highest is the most recent.
  static let images = Migration(
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

  /// The files to delete; see `listedLeftovers`.
  static let imageLeftovers = Migration(
    "CREATE TABLE image_leftovers (file TEXT PRIMARY KEY) STRICT, WITHOUT ROWID")

  /// Adds the content of pictures without a file, and lists the files to delete with a size beyond
  /// every limit, so that the next picture evicts them.
  static let listedLeftovers = Migration(
    """
    ALTER TABLE images ADD COLUMN content BLOB;
    INSERT INTO images (url, file, bytes, used) SELECT file, file, 1 << 50, 0 FROM image_leftovers;
    DROP TABLE image_leftovers
    """)
}
