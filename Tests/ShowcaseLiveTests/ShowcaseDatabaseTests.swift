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

  init() throws {
    directory = try TemporaryDirectory()
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
