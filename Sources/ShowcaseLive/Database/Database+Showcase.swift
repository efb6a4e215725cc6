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

extension Migration {
  /// The app's schema; append only.
  package static let all: [Migration] = [
    .accounts, .offlineAnswers, .images,
    .library,
    .places, .builtInPlaces,
    .avatars, .chats, .settings, .session, .reminders, .trackedEvents,
    .imageLeftovers, .placeSearch, .downloadedPlaces, .profiles, .offlineVersions, .cutReasons,
    .answerTimes, .downloadTimes, .travelers,
    .servedPlaceIDs, .answersByTime, .eventOwners, .newestPlaceIDs,
    .listedLeftovers, .checkedPictures, .chatDeletions, .sharedCaches,
    .placeOrder, .visitors,
  ]

  /// Gives the tables of the caches the names that `OffstageLive` knows them by.
  private static let sharedCaches = Migration(
    """
    ALTER TABLE offline_answers RENAME TO cached_responses;
    ALTER TABLE images RENAME TO cached_files
    """)
}

// MARK: The history of the caches

extension Migration {
  private static let offlineAnswers = Migration(
    """
    CREATE TABLE offline_answers (
      url TEXT PRIMARY KEY,
      body BLOB NOT NULL
    ) STRICT, WITHOUT ROWID
    """)

  /// Adds the server's identifier of the stored version, so that unchanged content is not sent
  /// again.
  private static let offlineVersions = Migration(
    "ALTER TABLE offline_answers ADD COLUMN etag TEXT")

  /// Adds the time of each response, and removes the responses without one.
  private static let answerTimes = Migration(
    """
    DELETE FROM offline_answers;
    ALTER TABLE offline_answers ADD COLUMN fetched_at INTEGER NOT NULL DEFAULT 0
    """)

  /// Adds an index that finds the oldest responses without reading the others.
  private static let answersByTime = Migration(
    "CREATE INDEX offline_answers_by_time ON offline_answers (fetched_at DESC, url)")

  /// The list of files. `used` increases with every use, so the highest is the most recent.
  private static let images = Migration(
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
  private static let imageLeftovers = Migration(
    "CREATE TABLE image_leftovers (file TEXT PRIMARY KEY) STRICT, WITHOUT ROWID")

  /// Adds the content of pictures without a file, and lists the files to delete with a size beyond
  /// every limit, so that the next picture evicts them.
  private static let listedLeftovers = Migration(
    """
    ALTER TABLE images ADD COLUMN content BLOB;
    INSERT INTO images (url, file, bytes, used) SELECT file, file, 1 << 50, 0 FROM image_leftovers;
    DROP TABLE image_leftovers
    """)

  /// Evicts the pictures of versions that did not look at their bytes.
  private static let checkedPictures = Migration(
    "UPDATE images SET url = file, bytes = 1 << 50, content = NULL, used = 0")
}
