import Testing

@testable import Showcase
@testable import ShowcaseLive

@Suite struct SQLiteEventTrackerTests {
  @Test(arguments: [Database.Execution.inline, .background])
  func storesEventsInOrder(execution: Database.Execution) async throws {
    let tracker = SQLiteEventTracker(database: try Database(.memory, execution: execution))
    for number in 1...20 { tracker.track(TrackedEvent("e", ["n": "\(number)"]), at: number) }
    let newest = try await tracker.newest(3)
    #expect(newest.map(\.id) == [20, 19, 18])
    #expect(newest.map { $0.parameters["n"] } == ["20", "19", "18"])
    #expect(newest.map(\.at) == [20, 19, 18])
  }

  @Test func closingTheDatabaseSavesEveryEvent() async throws {
    let directory = try TemporaryDirectory()
    let database = try Database(.directory(directory.url), execution: .background)
    SQLiteEventTracker(database: database)
      .track(TrackedEvent("tap", ["avatar": "한 \" 나"]), at: 5)
    database.close()
    let second = SQLiteEventTracker(
      database: try Database(.directory(directory.url), execution: .background))
    #expect(
      try await second.newest(10) == [
        TrackedEventRow(id: 1, name: "tap", parameters: ["avatar": "한 \" 나"], at: 5)
      ])
  }
}
