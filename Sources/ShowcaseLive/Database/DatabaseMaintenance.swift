package import Foundation
import OffstageSystem
import Showcase

extension Database {
  /// Copies the database into a new file that only its owner can read. The app may go on writing;
  /// the copy has the state at the start.
  ///
  /// The backup does not include pictures and other caches on disk. To restore it, replace
  /// `showcase.sqlite` with it in a directory without `showcase.sqlite-wal`.
  /// - Throws: `FileError`.
  package func backUp(to file: URL) throws {
    do {
      try PrivateFiles.createFile(file.path) { descriptor in
        // After a failure, SQLite would roll the journal back into the next database of that name.
        defer { unlink(file.path + "-journal") }
        try withConnection { _ = try $0.execute("VACUUM INTO ?", file.path) }
        // VACUUM does not wait for the disk.
        guard fsync(descriptor) == 0 else { throw PrivateFiles.lastError }
        try PrivateFiles.sync(file.deletingLastPathComponent())
      }
    } catch {
      let reason = (error as? SQLError)?.reason ?? (error as? POSIXError)?.reason ?? "\(error)"
      throw FileError(description: "\(file.path): \(reason); no backup was made")
    }
  }

  /// Checks the whole database: its structure, its references, and the index of the places.
  /// - Returns: A line for each problem, at most 100 of a kind.
  /// - Throws: `SQLError`.
  package func problems() throws -> [String] {
    try withConnection { connection in
      try connection.transaction(.read) { connection in
        var problems: [String] = try connection.rows("PRAGMA integrity_check(100)") { try $0[0] }
        if problems == ["ok"] { problems = [] }
        problems += try connection.rows("PRAGMA foreign_key_check") { row in
          "\(try row[0] as String): row \(try row[1] as Int? ?? 0) refers to a missing row"
        }.prefix(100)
        for tables in [PlaceTables.places, .downloadedPlaces] {
          // A database of an earlier version may lack them.
          guard try connection.exists("SELECT 1 FROM sqlite_schema WHERE name = ?", tables.index)
          else { continue }
          let report: String? = try connection.row("SELECT rtreecheck(?)", tables.index) {
            try $0[0]
          }
          if let report, report != "ok" { problems.append("\(tables.index): \(report)") }
          let missing: Int? = try connection.row(
            """
            SELECT (SELECT count(*) FROM \(tables.name)) - (SELECT count(*) FROM \(tables.index))
            """
          ) { try $0[0] }
          if let missing, missing != 0 {
            problems.append(
              "\(tables.index): \(abs(missing)) entries too \(missing > 0 ? "few" : "many")")
          }
        }
        return problems
      }
    }
  }
}
