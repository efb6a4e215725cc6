import Offstage
import OffstageFoundation
import OffstageSystem

/// Files with a limit on their total size, listed in the database.
///
/// The files are in a folder next to the database. With a database in memory, their bytes are in the
/// list itself, so that nothing is left on disk. The folder may contain other files, so the list
/// deletes only files that it created: a name is unguessable and never replaces a file. A name is
/// listed before its file is created and until the file is deleted, so a crash leaves no unlisted
/// file. Symbolic links are not followed.
///
/// An evicted file stays listed without its bytes, so that it can be loaded again under its name.
final class FileList: Sendable {
  /// The directory of the files; nil to store the bytes in the list.
  private let directory: URL?
  private let database: Database
  private let byteLimit: Int
  /// The number of evicted files to remember.
  private static let evictedLimit = 10_000

  init(database: Database, folder: String, byteLimit: Int) {
    directory = database.location.directory?.appendingPathComponent(folder)
    self.database = database
    self.byteLimit = byteLimit
  }

  /// Returns the name of a file, which then counts as just used; nil if it is not in the cache.
  func find(_ url: String) async throws -> String? {
    try await database.write { [self] connection in
      let file = try connection.row(
        """
        UPDATE cached_files SET used = (SELECT max(used) + 1 FROM cached_files) WHERE url = ? AND bytes > 0
        RETURNING file, bytes
        """, url
      ) { (name: try $0[0] as String, size: try $0[1] as Int) }
      guard let file, directory == nil || size(of: file.name) == file.size
      else { return nil }
      return file.name
    }
  }

  /// Returns the address of a file by name; nil for any other name.
  func url(of name: String) async throws -> String? {
    try await database.read { connection in
      try connection.first("SELECT url FROM cached_files WHERE file = ?", name)
    }
  }

  /// Returns the content of a file by name; nil for any other name, and for a missing or
  /// incomplete file: a power cut may leave an empty one.
  func content(of name: String) async throws -> Resource.Content? {
    try await database.read { [self] connection in
      let file = try connection.row("SELECT bytes, content FROM cached_files WHERE file = ?", name)
      {
        (size: try $0[0] as Int, bytes: try $0[1] as Data?)
      }
      guard let file, file.size > 0 else { return nil }
      if let bytes = file.bytes { return .bytes(Array(bytes)) }
      return size(of: name) == file.size ? .file(path: path(of: name)) : nil
    }
  }

  /// Makes room for a file and writes it. A file that was evicted gets its name back.
  /// - Returns: The name of the file.
  /// - Throws: What ``Database/write(_:)`` throws, and ``StorageError``, as the database maps it.
  func keep(_ content: Data, suffix: String, for url: String) async throws -> String {
    let name = try await database.write { [self] connection in
      let old: String? = try connection.first("SELECT file FROM cached_files WHERE url = ?", url)
      let isSame = old?.hasSuffix(".\(suffix)") == true
      let name = isSame ? old! : "\(UUID().uuidString.lowercased()).\(suffix)"
      try connection.execute(
        """
        INSERT OR REPLACE INTO cached_files (url, file, bytes, content, used)
        VALUES (?, ?, ?, ?, (SELECT ifnull(max(used), 0) + 1 FROM cached_files))
        """, url, name, content.count, directory == nil ? content : nil)
      var dropped = try connection.rows(Self.eviction, byteLimit, name) { try $0[0] as String }
      dropped += try connection.rows(Self.forgetting, Self.evictedLimit) { try $0[0] as String }
      for name in dropped + [old].compactMap(\.self) where size(of: name) != nil {
        unlink(path(of: name))
      }
      return name
    }
    if directory == nil { return name }
    try await database.write { [self] connection in
      // Other files may have evicted it in the meantime, and another process may have written it.
      if try connection.exists("SELECT 1 FROM cached_files WHERE file = ? AND bytes > 0", name),
        size(of: name) == nil
      {
        try write(content, to: name)
      }
    }
    return name
  }

  /// Keeps the most recently used files up to the limit and evicts the rest.
  private static let eviction = """
    UPDATE cached_files SET bytes = 0, content = NULL WHERE bytes > 0 AND file <> ?2 AND id IN (
      SELECT id FROM (SELECT id, sum(bytes) OVER (ORDER BY used DESC) AS total FROM cached_files)
      WHERE total > ?1
    ) RETURNING file
    """

  /// Forgets the evicted files that have not been used for the longest time.
  private static let forgetting = """
    DELETE FROM cached_files WHERE id IN (
      SELECT id FROM cached_files WHERE bytes = 0 ORDER BY used DESC LIMIT -1 OFFSET ?
    ) RETURNING file
    """

  // MARK: Files

  private func path(of name: String) -> String {
    directory?.appendingPathComponent(name).path ?? ""
  }

  /// Returns the size of a file in bytes; nil unless it is a regular file.
  private func size(of name: String) -> Int? {
    guard let status = PrivateFiles.status(path(of: name), followsLink: false),
      status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    return Int(status.st_size)
  }

  private func write(_ content: Data, to name: String) throws {
    guard let directory else { return }
    do {
      try PrivateFiles.createDirectory(directory.path)
      guard let status = PrivateFiles.status(directory.path, followsLink: false),
        status.st_mode & S_IFMT == S_IFDIR
      else { throw FileError(directory.path, code: ENOTDIR) }
      try PrivateFiles.createFile(path(of: name)) {
        try PrivateFiles.write(Array(content), to: $0, name)
      }
    } catch let error as FileError {
      throw database.mapError(StorageError(writing: path(of: name), error))
    }
  }
}

extension Migration {
  /// Creates the table of ``PictureCache``.
  public static let pictureCache = Migration(
    """
    CREATE TABLE cached_files (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      url TEXT NOT NULL UNIQUE,
      file TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      used INTEGER NOT NULL,
      content BLOB
    ) STRICT;
    CREATE INDEX cached_files_by_use ON cached_files (used)
    """)
}
