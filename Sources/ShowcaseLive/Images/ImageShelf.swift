import Foundation
import Showcase
import Synchronization

/// The files of the pictures and the list of them, within a limit of bytes.
///
/// A file is there before its row is committed and goes after its row is deleted, so a row without
/// a file is rare and a file without a row is waste: ``find(_:)`` forgives the first, and the
/// second is swept up at the first use.
final class ImageShelf: Sendable {
  private let directory: URL
  private let database: Database
  private let byteLimit: Int
  private let isSwept = Mutex(false)

  init(directory: URL, database: Database, byteLimit: Int) {
    self.directory = directory
    self.database = database
    self.byteLimit = byteLimit
  }

  /// The file of a picture, which counts as used now; nil when it is not kept.
  func find(_ url: String) async throws -> URL? {
    try await sweepOnce()
    return try await database.write { [directory] connection in
      let name: String? = try connection.row(
        """
        UPDATE images SET used = (SELECT max(used) + 1 FROM images) WHERE url = ? RETURNING file
        """, url
      ) { try $0[0] }
      guard let name else { return nil }
      let file = directory.appendingPathComponent(name)
      return FileManager.default.fileExists(atPath: file.path) ? file : nil
    }
  }

  /// Writes a picture and makes room for it.
  /// - Throws: `LoadFailure` (`storage`), and `CancellationError`.
  func keep(_ picture: Data, suffix: String, for url: String) async throws -> URL {
    let (file, evicted) = try await database.write { [directory, byteLimit] connection in
      // A row of the same picture: its file is lost, or another process was faster.
      var evicted: [String] = try connection.rows(
        "DELETE FROM images WHERE url = ? RETURNING file", url
      ) { try $0[0] }
      try connection.execute(
        """
        INSERT INTO images (url, file, bytes, used)
        VALUES (?, '', ?, (SELECT ifnull(max(used), 0) + 1 FROM images))
        """, url, picture.count)
      let id = connection.lastInsertedID
      let name = "\(id).\(suffix)"
      try connection.execute("UPDATE images SET file = ? WHERE id = ?", name, id)
      evicted += try connection.rows(Self.eviction, byteLimit, id) { try $0[0] }
      let file = directory.appendingPathComponent(name)
      try Self.write(picture, to: file)
      return (file, evicted)
    }
    for name in evicted {
      try? FileManager.default.removeItem(at: directory.appendingPathComponent(name))
    }
    return file
  }

  /// Adds up from the picture used last and drops whatever is beyond the limit.
  private static let eviction = """
    DELETE FROM images WHERE id <> ?2 AND id IN (
      SELECT id FROM (SELECT id, sum(bytes) OVER (ORDER BY used DESC) AS total FROM images)
      WHERE total > ?1
    ) RETURNING file
    """

  private static func write(_ picture: Data, to file: URL) throws {
    do {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      // Atomic: beside it first, then renamed, so nobody ever opens half a picture.
      try picture.write(to: file, options: .atomic)
    } catch {
      throw LoadFailure(.storage, "\(file.path) could not be written.", retryable: true)
    }
  }

  /// Removes the files that no row names: what a crash left. The write transaction keeps another
  /// process from being in the middle of adding one.
  private func sweepOnce() async throws {
    let isFirst = isSwept.withLock { isSwept in
      defer { isSwept = true }
      return !isSwept
    }
    guard isFirst else { return }
    try await database.write { [directory] connection in
      let known = Set(try connection.rows("SELECT file FROM images") { try $0[0] as String })
      let found = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
      for name in found where !known.contains(name) {
        try? FileManager.default.removeItem(at: directory.appendingPathComponent(name))
      }
    }
  }
}

extension Migration {
  /// The list of the files: `used` counts up with every use, the highest being the last.
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
}
