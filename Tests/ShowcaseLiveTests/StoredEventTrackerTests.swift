import Offstage
import OffstageLive
import TestSupport
import Testing

@testable import Showcase
@testable import ShowcaseLive

@Suite @CoreActor struct StoredEventTrackerTests {
  @Test(arguments: Store.allCases)
  func storesEventsInOrder(store: Store) async throws {
    let tracker = StoredEventTracker(
      database: PersonalDatabase(try store.open()))
    for number in 1...20 { tracker.track("e", ["n": "\(number)"], at: number) }
    #expect(try await tracker.events.count() == 20)
    let newest = try await tracker.events.rows(in: 0..<3)
    #expect(newest.map(\.id) == [20, 19, 18])
    #expect(newest.map { $0.parameters["n"] } == ["20", "19", "18"])
    #expect(newest.map(\.at) == [20, 19, 18])
  }

  @Test(arguments: Store.allCases) func theNewestEventsAreKept(store: Store) async throws {
    let tracker = StoredEventTracker(
      database: PersonalDatabase(try store.open()), limit: 3)
    for number in 1...20 { tracker.track("e", [:], at: number) }
    #expect(try await tracker.events.all().map(\.id) == [20, 19, 18])
  }

  @Test(arguments: Store.allCases) func eventsGoWithTheirAccount(store: Store) async throws {
    let database = try store.open()
    let tracker = StoredEventTracker(database: PersonalDatabase(database))
    let accounts = PersonalDatabase(database)
    let kim = try await accounts.signUp(name: "Kim", email: "k@x")
    tracker.track("of Kim", [:], at: 1)
    try await PersonalDatabase(database).signOut(kim)
    tracker.track("of the guest", [:], at: 2)
    // Kim is not shown any more.
    tracker.track("too late", [:], at: 3, as: .account(kim.id))
    _ = try await accounts.signUp(name: "", email: "k@x")
    try await accounts.delete(kim)
    #expect(try await tracker.events.all().map(\.name) == ["of the guest"])
  }

  @Test(arguments: [Store.file, .server]) func closingTheDatabaseSavesEveryEvent(store: Store)
    async throws
  {
    let place = try Store.Place(store)
    let database = try place.open()
    StoredEventTracker(database: PersonalDatabase(database))
      .track("tap", ["avatar": "한 \" 나"], at: 5)
    database.close()
    let second = StoredEventTracker(
      database: PersonalDatabase(try place.open()))
    #expect(
      try await second.events.all() == [
        TrackedEventRow(id: 1, name: "tap", parameters: ["avatar": "한 \" 나"], at: 5)
      ])
  }
}

extension RowProvider {
  /// All rows.
  fileprivate func all() async throws -> [Row] { try await rows(in: 0..<count()) }
}
