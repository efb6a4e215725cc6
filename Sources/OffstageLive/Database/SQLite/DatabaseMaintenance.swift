public import OffstageFoundation
import OffstageSystem

extension Database {
  /// Copies the database into a new file that only its owner can read. The app may go on writing;
  /// the copy has the state at the start.
  ///
  /// The backup does not include the files of a ``PictureCache``. To restore it, replace the database
  /// with it in a directory without the database's `-wal` file.
  /// - Throws: ``StorageError``. No backup was made then.
  public func backUp(to file: URL) throws {
    do {
      try PrivateFiles.createFile(file.path) { descriptor in
        // After a failure, SQLite would roll the journal back into the next database of that name.
        defer { unlink(file.path + "-journal") }
        try withConnection { _ = try $0.execute("VACUUM INTO ?", file.path) }
        // VACUUM does not wait for the disk.
        guard fsync(descriptor) == 0 else { throw FileError(file.path) }
        try PrivateFiles.sync(file.deletingLastPathComponent().path)
      }
    } catch {
      let reason = (error as? SQLError)?.reason ?? (error as? FileError)?.reason ?? "\(error)"
      throw StorageError("\(file.path): \(reason); no backup was made")
    }
  }

  /// Checks the whole database: its structure, its references, and what `check` finds.
  /// - Returns: A line for each problem, at most 100 of a kind.
  /// - Throws: ``SQLError``, and any error that `check` throws.
  public func problems(_ check: (Connection) throws -> [String] = { _ in [] }) throws -> [String] {
    try withConnection { connection in
      try connection.transaction(.read) { connection in
        var problems: [String] = try connection.rows("PRAGMA integrity_check(100)") { try $0[0] }
        if problems == ["ok"] { problems = [] }
        problems += try connection.rows("PRAGMA foreign_key_check") { row in
          "\(try row[0] as String): row \(try row[1] as Int? ?? 0) refers to a missing row"
        }.prefix(100)
        return try problems + check(connection)
      }
    }
  }
}
