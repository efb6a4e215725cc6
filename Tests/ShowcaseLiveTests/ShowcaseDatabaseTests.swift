import Foundation
import Offstage
import OffstageLive
import TestSupport
import Testing

@testable import LiveTestSupport
@testable import Showcase
@testable import ShowcaseLive

/// The app's additions to the database and the caches of `OffstageLive`.
@Suite struct ShowcaseDatabaseTests {
  private let directory: TemporaryDirectory
  private let png = LoopbackReply.answer(
    LoopbackAnswer(contentType: "image/png", body: Pictures.png))

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// The history of the app's schema ends where a new app's begins.
  @Test func cachesHaveTheirTables() async throws {
    let columns = { (database: Database) in
      try await database.read { connection in
        try ["cached_files", "cached_responses"].flatMap { table in
          try connection.rows("SELECT name, type, \"notnull\", pk FROM pragma_table_info(?)", table)
          {
            "\(table) \(try $0[0] as String) \(try $0[1] as String) \(try $0[2] as Int) \(try $0[3] as Int)"
          }
        }
      }
    }
    let app = try await columns(Database(.memory, execution: .inline))
    let new = try await columns(
      Database(.memory, migrations: [.pictureCache, .responseCache], execution: .inline))
    #expect(app == new)
    #expect(app.count == 10)
  }

  /// Before the caches moved to `OffstageLive`.
  @Test func cachesOfAnEarlierVersionAreKept() async throws {
    let server = try LoopbackServer { _ in .status(404) }
    defer { server.stop() }
    let earlier = try Database(
      .directory(directory.url), execution: .inline, migrations: Array(Migration.all.prefix(28)))
    let answer = "\(server.base)/answer"
    let picture = "\(server.base)/picture"
    _ = try await earlier.write { connection in
      try connection.execute(
        "INSERT INTO offline_answers (url, body, fetched_at) VALUES (?, x'37', 1)", answer)
      try connection.execute(
        "INSERT INTO images (url, file, bytes, used) VALUES (?, 'a.png', 1, 1)", picture)
    }
    earlier.close()
    try FileManager.default.createDirectory(
      at: directory.file("images"), withIntermediateDirectories: true)
    try Data([1]).write(to: directory.file("images/a.png"))
    let database = try Database(.directory(directory.url), execution: .inline)
    let cache = ResponseCache(client: .showcase(), database: database)
    let url = try #require(URL(string: answer))
    #expect(try await cache.cached(url, as: Int.self)?.value == 7)
    let images = PictureCache(database: database, client: .showcase())
    #expect(try await images.localURL(of: picture) == "resource:image/a.png")
    #expect(server.requests == [])
  }

  /// Earlier versions had a table of files to delete.
  @Test func leftoversOfAnEarlierVersionAreDeletedAndALinkInTheirPlaceIsNot() async throws {
    let server = try LoopbackServer { [png] _ in png }
    defer { server.stop() }
    // Before `listedLeftovers`.
    let earlier = try Database(
      .directory(directory.url), execution: .inline, migrations: Array(Migration.all.prefix(25)))
    _ = try await earlier.write { connection in
      try connection.execute("INSERT INTO image_leftovers (file) VALUES ('half.png'), ('link')")
    }
    earlier.close()
    try FileManager.default.createDirectory(
      at: directory.file("images"), withIntermediateDirectories: true)
    try Data([1]).write(to: directory.file("images/half.png"))
    try Data([1]).write(to: directory.file("kept"))
    try FileManager.default.createSymbolicLink(
      at: directory.file("images/link"), withDestinationURL: directory.file("kept"))
    _ = try await PictureCache(
      database: Database(.directory(directory.url), execution: .background),
      client: NotedWaits(mapError: LoadFailure.map).client()
    ).localURL(of: "\(server.base)/b")
    #expect(try images().filter { !$0.hasSuffix(".png") } == ["link"])
    #expect(try images().count == 2)
    #expect(try !images().contains("half.png"))
    #expect(FileManager.default.fileExists(atPath: directory.file("kept").path))
  }

  private func images() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.file("images").path).sorted()
  }

  @Test(arguments: [
    "", "a.png", "file:///etc/hosts", "ftp://127.0.0.1/a", "data:text/html,<script>", "data:,x",
  ])
  func onlyWebAddressesAreLoaded(url: String) async throws {
    let failure = await #expect(throws: LoadFailure.self) {
      try await PictureCache(
        database: Database(.memory, execution: .inline), client: .showcase()
      ).localURL(of: url)
    }
    #expect(failure?.reason == .malformed)
  }

  @Test func checkFindsDamage() async throws {
    let database = try Database(.memory, execution: .inline)
    #expect(try database.problems(PlaceTables.problems) == [])
    _ = try await database.write { connection in
      try connection.execute("DELETE FROM places_rtree WHERE id = 1")
    }
    #expect(
      try database.problems(PlaceTables.problems) == ["places_rtree: 1 entries too few"])
  }

  @Test func readingLeavesTheFilesAsTheyAre() async throws {
    let database = try Database(.directory(directory.url), execution: .inline)
    _ = try await database.write { try $0.execute("DELETE FROM places_rtree WHERE id = 1") }
    let files = try directory.contents()
    #expect(files["showcase.sqlite-wal"]?.isEmpty == false)
    let reader = try Database(reading: directory.url)
    #expect(try reader.problems(PlaceTables.problems) == ["places_rtree: 1 entries too few"])
    reader.close()
    #expect(try directory.contents()["showcase.sqlite"] == files["showcase.sqlite"])
    database.close()
    let closed = try directory.contents()
    try Database(reading: directory.url).close()
    #expect(try directory.contents() == closed)
  }
}
