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
///
/// An evicted picture stays listed without its bytes, so that it can be loaded again under its name.
final class ImageCache: Sendable {
  /// The directory of the files; nil to store the bytes in the list.
  private let directory: URL?
  private let database: Database
  private let byteLimit: Int
  /// The number of evicted pictures to remember.
  private static let evictedLimit = 10_000

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
        UPDATE images SET used = (SELECT max(used) + 1 FROM images) WHERE url = ? AND bytes > 0
        RETURNING file, bytes
        """, url
      ) { (name: try $0[0] as String, size: try $0[1] as Int) }
      guard let picture, directory == nil || size(of: picture.name) == picture.size
      else { return nil }
      return picture.name
    }
  }

  /// Returns the address of a picture by name; nil for any other name.
  func url(of name: String) async throws -> String? {
    try await database.read { connection in
      try connection.row("SELECT url FROM images WHERE file = ?", name) { try $0[0] }
    }
  }

  /// Returns the content of a picture by name; nil for any other name, and for a missing or
  /// incomplete file: a power cut may leave an empty one.
  func content(of name: String) async throws -> Resource.Content? {
    try await database.read { [self] connection in
      let picture = try connection.row("SELECT bytes, content FROM images WHERE file = ?", name) {
        (size: try $0[0] as Int, bytes: try $0[1] as Data?)
      }
      guard let picture, picture.size > 0 else { return nil }
      if let bytes = picture.bytes { return .bytes(Array(bytes)) }
      return size(of: name) == picture.size ? .file(path: path(of: name)) : nil
    }
  }

  /// Makes room for a picture and writes it. A picture that was evicted gets its name back.
  /// - Returns: The name of the picture.
  /// - Throws: `LoadFailure` (`storage`), and `CancellationError`.
  func keep(_ picture: Data, suffix: String, for url: String) async throws -> String {
    let name = try await database.write { [self] connection in
      let old: String? = try connection.row("SELECT file FROM images WHERE url = ?", url) {
        try $0[0]
      }
      let isSame = old?.hasSuffix(".\(suffix)") == true
      let name = isSame ? old! : "\(UUID().uuidString.lowercased()).\(suffix)"
      try connection.execute(
        """
        INSERT OR REPLACE INTO images (url, file, bytes, content, used)
        VALUES (?, ?, ?, ?, (SELECT ifnull(max(used), 0) + 1 FROM images))
        """, url, name, picture.count, directory == nil ? picture : nil)
      var dropped = try connection.rows(Self.eviction, byteLimit, name) { try $0[0] as String }
      dropped += try connection.rows(Self.forgetting, Self.evictedLimit) { try $0[0] as String }
      for name in dropped + [old].compactMap(\.self) where size(of: name) != nil {
        unlink(path(of: name))
      }
      return name
    }
    if directory == nil { return name }
    try await database.write { [self] connection in
      // Other pictures may have evicted it in the meantime, and another process may have written it.
      if try connection.exists("SELECT 1 FROM images WHERE file = ? AND bytes > 0", name),
        size(of: name) == nil
      {
        try write(picture, to: name)
      }
    }
    return name
  }

  /// Keeps the most recently used pictures up to the limit and evicts the rest.
  private static let eviction = """
    UPDATE images SET bytes = 0, content = NULL WHERE bytes > 0 AND file <> ?2 AND id IN (
      SELECT id FROM (SELECT id, sum(bytes) OVER (ORDER BY used DESC) AS total FROM images)
      WHERE total > ?1
    ) RETURNING file
    """

  /// Forgets the evicted pictures that have not been used for the longest time.
  private static let forgetting = """
    DELETE FROM images WHERE id IN (
      SELECT id FROM images WHERE bytes = 0 ORDER BY used DESC LIMIT -1 OFFSET ?
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

  /// Evicts the pictures of versions that did not look at their bytes.
  static let checkedPictures = Migration(
    "UPDATE images SET url = file, bytes = 1 << 50, content = NULL, used = 0")
}
