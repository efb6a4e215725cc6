import LiveTestSupport
import OffstageLive
import OffstagePostgreSQL
import TestSupport
import Testing

@testable import Showcase
@testable import ShowcaseLive

@Suite struct StoredLibraryTests {
  @Test(arguments: Store.allCases)
  func storesBookmarks(store: Store) async throws {
    let library = PersonalDatabase(try store.open())
    #expect(try await library.library()["jaws"]?.personal is Movie)
    for _ in 1...2 { try await library.setBookmarked(true, key: "jaws") }
    #expect(try await library.library()["jaws"]?.personal is BookmarkedMovie)
    #expect(try await library.library()["jaws"]?.personal is BookmarkedMovie)
    for _ in 1...2 { try await library.setBookmarked(false, key: "jaws") }
    #expect(try await library.library()["jaws"]?.personal is Movie)
  }

  @Test(arguments: [Store.file, .server]) func bookmarksSurviveARestart(store: Store) async throws {
    let place = try Store.Place(store)
    for expected in [false, true] {
      let library = PersonalDatabase(try place.open())
      #expect(try await library.library()["jaws"]?.personal is BookmarkedMovie == expected)
      try await library.setBookmarked(true, key: "jaws")
      try await library.setBookmarked(false, key: "parasite")
    }
    let library = PersonalDatabase(try place.open())
    #expect(
      try await library.library()["parasite"]?.personal is Movie,
      "samples come with the first start only")
  }

  @Test(arguments: Store.allCases) func firstStartHasSamples(store: Store) async throws {
    let library = PersonalDatabase(try store.open())
    #expect(try await library.library()["parasite"]?.personal is BookmarkedMovie)
    let film = try #require(try await library.library()["seven-samurai"]?.personal as? WatchedMovie)
    #expect(film.progress == 0.5)
    let both = try #require(
      try await library.library()["spirited-away"]?.personal as? BookmarkedMovie)
    #expect(both.progress == 0.8)
    let drama = try #require(try await library.library()["signal"]?.personal as? TVDrama)
    #expect(drama.progress == 0.625)
  }

  @Test(arguments: ["", "no such title", "Jaws"]) func unknownKeyHasNoTitle(_ key: String)
    async throws
  {
    let library = PersonalDatabase(try Store.memory.open())
    #expect(try await library.library()[key] == nil)
  }

  @Test func whileTheServerIsAwayNothingCountsAsSaved() async throws {
    let server = try PostgreSQLServer()
    let address = try server.makeSchema()
    let database = try Database(
      address, migrations: Migration.people, mapError: LoadFailure.map)
    let library = PersonalDatabase(database)
    try await library.setBookmarked(true, key: "jaws")
    try server.control("stop")
    let failure = await #expect(throws: LoadFailure.self) {
      try await library.setBookmarked(true, key: "alien")
    }
    #expect(failure?.remedy == .away)
    #expect(failure?.retryable == true)
    try server.control("start")
    // A later start of the app, since this one's connection waits for a second before it tries again.
    let later = PersonalDatabase(try Database(address, migrations: Migration.people))
    #expect(try await later.library()["jaws"]?.record.isBookmarked == true)
    #expect(try await later.library()["alien"]?.record.isBookmarked == false)
  }

  @Test(arguments: Store.allCases) func failingSaveIsAStorageFailure(store: Store) async throws {
    let database = try store.open()
    let library = PersonalDatabase(database)
    try await database.write { try $0.execute(script: "DROP TABLE library_bookmarks") }
    let failure = await #expect(throws: LoadFailure.self) {
      try await library.setBookmarked(true, key: "jaws")
    }
    #expect(failure?.reason == .storage)
  }
}
