package import OffstageFoundation
package import OffstageLive
import Showcase

extension Database {
  /// Opens the app's database, whose transactions fail with `LoadFailure`.
  package convenience init(
    _ location: Location, execution: Execution, migrations: [Migration] = Migration.all
  ) throws(DatabaseOpenError) {
    try self.init(
      location, migrations: migrations, execution: execution,
      addFunctions: Connection.addFunctions, mapError: LoadFailure.map)
  }

  /// Opens the existing database of a directory to read it, even on a full or read-only disk.
  package convenience init(reading directory: URL) throws(DatabaseOpenError) {
    try self.init(readingFile: Self.file(in: directory))
  }

  /// Opens a copy of the app's database to read it.
  package convenience init(readingFile file: URL) throws(DatabaseOpenError) {
    try self.init(
      reading: file, migrations: Migration.all.count,
      addFunctions: Connection.addFunctions, mapError: LoadFailure.map)
  }

  package static func file(in directory: URL) -> URL {
    directory.appendingPathComponent("showcase.sqlite")
  }
}

extension Database.Location {
  /// The app's database in a directory.
  package static func directory(_ directory: URL) -> Self { .file(Database.file(in: directory)) }
}
