import LiveTestSupport
import OffstageLive
import OffstagePostgreSQL
import TestSupport

@testable import Showcase
@testable import ShowcaseLive

/// The databases that the repositories of people work on.
enum Store: CaseIterable {
  case memory
  case file
  case server

  /// Opens a new database.
  func open() throws -> Database { try Place(self).open() }

  /// Where a new database is, which may be opened again.
  struct Place {
    private let directory: TemporaryDirectory
    private let server: ServerAddress?
    private let store: Store

    init(_ store: Store) throws {
      directory = try TemporaryDirectory()
      server = store == .server ? try PostgreSQLServer.shared.get().makeSchema() : nil
      self.store = store
    }

    func open() throws -> Database {
      if let server {
        return try Database(server, migrations: Migration.people, mapError: LoadFailure.map)
      }
      return try store == .memory
        ? Database(.memory, execution: .inline)
        : Database(.directory(directory.url), execution: .background)
    }
  }
}
