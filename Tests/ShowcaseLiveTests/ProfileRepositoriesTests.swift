import Offstage
import OffstageLive
import TestSupport
import Testing

@testable import Showcase
@testable import ShowcaseLive

@Suite struct ProfileRepositoriesTests {
  @Test(arguments: Store.allCases)
  func accountsGetConsecutiveIDs(store: Store) async throws {
    let database = try store.open()
    let accounts = PersonalDatabase(database)
    let first = try await accounts.signUp(name: "Ann", email: "ann@example.org")
    let second = try await accounts.signUp(name: "O'Hara; --", email: "🦊")
    #expect(first.id == 1)
    #expect(first.name == "Ann")
    #expect(first.email == "ann@example.org")
    #expect(second.id == 2)
    #expect(second.name == "O'Hara; --")
    #expect(second.email == "🦊")
    let stored: [String] = try await database.read { connection in
      try connection.rows("SELECT name || email FROM accounts ORDER BY id") { try $0[0] }
    }
    #expect(stored == [first, second].map { $0.name + $0.email })
  }

  @Test(arguments: [Store.file, .server]) func accountIDsSurviveARestart(store: Store) async throws
  {
    let place = try Store.Place(store)
    for id in 1...2 {
      let account = try await PersonalDatabase(try place.open())
        .signUp(name: "n", email: "e\(id)")
      #expect(account.id == id)
    }
  }

  @Test(arguments: Store.allCases) func anAddressHasOneAccount(store: Store) async throws {
    let accounts = PersonalDatabase(try store.open())
    let first = try await accounts.signUp(name: "Kim", email: "Kim@Example.org ")
    let again = try await accounts.signUp(name: "Lee", email: "kim@example.org")
    #expect(again == first)
  }

  @Test(arguments: Store.allCases) func accountsSeeOnlyTheirOwn(store: Store) async throws {
    let database = try store.open()
    let accounts = PersonalDatabase(database)
    let session = PersonalDatabase(database)
    let chats = PersonalDatabase(database)
    let library = PersonalDatabase(database)
    let avatars = try StoredAvatarRepository(
      database: PersonalDatabase(database), client: .showcase())
    let settings = StoredSettingsRepository(database: PersonalDatabase(database))
    func owned() async throws -> [String] {
      let bookmarks = try await ["jaws", "alien"].asyncFilter {
        try await library.library()[$0]?.record.isBookmarked == true
      }
      return try await chats.chats().map(\.id) + avatars.created().map(\.name) + bookmarks
        + [
          settings.values(as: .signedIn)["a"] ?? "-",
          settings.values(as: .device)["d"] ?? "-",
        ]
    }
    _ = try await chats.say("Hi", to: BuiltInAvatars.mina, at: 1)
    _ = try await avatars.create(name: "Rex", category: .animals, description: "")
    try await library.setBookmarked(true, key: "jaws")
    try await settings.set("a", to: "guest", as: .signedIn)
    try await settings.set("d", to: "device", as: .device)
    let guests = ["mina", "Rex", "jaws", "guest", "device"]
    #expect(try await owned() == guests)
    // What a guest made moves to the account that the guest creates, in one step.
    let kim = try await accounts.signUp(name: "Kim", email: "k@x")
    #expect(try await session.account() == kim)
    #expect(try await owned() == guests)
    // Nothing is lost by signing out.
    try await session.signOut(kim)
    #expect(try await owned() == ["-", "device"])
    _ = try await chats.say("Hello", to: BuiltInAvatars.misty, at: 2)
    #expect(try await accounts.signUp(name: "", email: "K@x") == kim)
    #expect(try await owned() == guests)
    try await accounts.delete(kim)
    #expect(try await session.account() == nil)
    #expect(try await owned() == ["misty", "-", "device"])
    let anew = try await accounts.signUp(name: "Kim", email: "k@x")
    #expect(anew.id != kim.id)
  }

  /// Two visitors share a database, and use the same addresses, avatars, and titles.
  @Test(arguments: Store.allCases) @CoreActor
  func visitorsSeeOnlyTheirOwnUntilTheyAreForgotten(store: Store) async throws {
    let database = try store.open()
    var seen: [[String]] = []
    for (name, isForgotten) in [
      ("ann", false), ("ben", false), ("ann", false), ("ann", true), ("ben", false),
    ] {
      let personal = PersonalDatabase(database, visitor: name)
      if isForgotten { try await personal.forget() }
      let (chats, events) = (
        personal, StoredEventTracker(database: personal)
      )
      let avatars = try StoredAvatarRepository(database: personal, client: .showcase())
      let settings = StoredSettingsRepository(database: personal)
      let reminders = personal
      let library = personal
      let account = try await personal.account()
      seen.append(
        try await chats.chats().map(\.lastMessage) + avatars.created().map(\.name)
          + reminders.reminders().map(\.title) + [
            settings.values()["device"] ?? "-", account?.name ?? "-",
            "\(library.library()["parasite"]?.record.isBookmarked == true)",
            "\(events.events.count()) events",
          ])
      try await library.setBookmarked(false, key: "parasite")
      _ = try await chats.say("I am \(name)", to: BuiltInAvatars.mina, at: 1)
      _ = try await avatars.create(name: name, category: .animals, description: "")
      try await settings.set("device", to: name)
      try await reminders.replace(with: [Reminder(id: "a", title: name, body: "", at: 1)])
      events.track("tap", [:], at: 1)
      let accounts = personal
      let signedUp = try await accounts.signUp(name: name, email: "same@example.org")
      #expect(signedUp.name == name)
    }
    #expect(
      seen == [
        ["-", "-", "true", "0 events"], ["-", "-", "true", "0 events"],
        ["I am ann", "ann", "ann", "ann", "ann", "false", "1 events"],
        ["-", "-", "true", "0 events"],
        ["I am ben", "ben", "ben", "ben", "ben", "false", "1 events"],
      ])
    for name in ["ann", "ben"] {
      try await PersonalDatabase(database, visitor: name).forget()
    }
    // The nameless visitor of a local database stays.
    let nobody = "SELECT owner FROM owners WHERE visitor = ''"
    for table in PersonalDatabase.ownedTables + ["reminders", "owners"] {
      let rest = "SELECT count(*) FROM \(table) WHERE owner NOT IN (\(nobody))"
      #expect(try await database.read { try $0.value(rest) } == 0, "\(table)")
    }
  }

  @Test(arguments: Store.allCases)
  func aNumberThatWasTakenBackIsNotTheVisitors(store: Store) async throws {
    struct Failure: Error {}
    let database = try store.open()
    let ann = PersonalDatabase(database, visitor: "ann")
    await #expect(throws: Failure.self) {
      try await ann.write(as: .guest) { connection, _ in
        _ = try ann.device(connection)
        throw Failure()
      }
    }
    let ben = PersonalDatabase(database, visitor: "ben")
    try await StoredSettingsRepository(database: ben).set("a", to: "ben's")
    #expect(try await StoredSettingsRepository(database: ann).values()["a"] == nil)
  }

  @Test(arguments: [Store.file, .server])
  func aVisitorWhoComesTwiceAtOnceIsOne(store: Store) async throws {
    let place = try Store.Place(store)
    try await withThrowingTaskGroup { group in
      for number in 1...8 {
        let personal = PersonalDatabase(try place.open(), visitor: "ann")
        group.addTask {
          try await StoredSettingsRepository(database: personal).set("\(number)", to: "set")
        }
      }
      try await group.waitForAll()
    }
    let settings = StoredSettingsRepository(
      database: PersonalDatabase(try place.open(), visitor: "ann"))
    for number in 1...8 { #expect(try await settings.values()["\(number)"] == "set") }
  }

  @Test(arguments: [Store.file, .server]) func settingsSurviveARestart(store: Store) async throws {
    let place = try Store.Place(store)
    let settings = StoredSettingsRepository(database: PersonalDatabase(try place.open()))
    #expect(try await settings.values()["a"] == nil)
    try await settings.set("a", to: "1")
    try await settings.set("b", to: "'; --")
    try await settings.set("a", to: "2")
    try await settings.set("b", to: nil)
    let later = StoredSettingsRepository(database: PersonalDatabase(try place.open()))
    #expect(try await later.values()["a"] == "2")
    #expect(try await later.values()["b"] == nil)
  }

  @Test(arguments: [Store.file, .server]) func sessionSurvivesARestart(store: Store) async throws {
    let place = try Store.Place(store)
    let database = try place.open()
    let session = PersonalDatabase(database)
    #expect(try await session.account() == nil)
    let account = try await PersonalDatabase(database)
      .signUp(name: "Kim", email: "k@x")
    let later = PersonalDatabase(try place.open())
    #expect(try await later.account() == account)
    try await later.signOut(account)
    #expect(try await later.account() == nil)
  }

  /// A sign-up that fails on the way leaves the guest with everything.
  @Test func signUpIsSavedAsAWhole() async throws {
    let database = try Database(.memory, execution: .inline)
    let accounts = PersonalDatabase(database)
    let avatars = try StoredAvatarRepository(
      database: PersonalDatabase(database), client: .showcase())
    _ = try await avatars.create(name: "Rex", category: .animals, description: "")
    try await database.write { connection in
      try connection.execute(
        script: """
          CREATE TRIGGER no_session BEFORE UPDATE ON visitors
          BEGIN SELECT raise(ABORT, 'disk full'); END
          """)
    }
    await #expect(throws: LoadFailure.self) {
      try await accounts.signUp(name: "Kim", email: "k@x")
    }
    #expect(try await avatars.created().map(\.name) == ["Rex"])
    try await database.write { try $0.execute(script: "DROP TRIGGER no_session") }
    #expect(try await accounts.signUp(name: "Kim", email: "k@x").id == 1)
    #expect(try await avatars.created().map(\.name) == ["Rex"])
  }

  @Test(arguments: [Store.file, .server]) func remindersSurviveARestart(store: Store) async throws {
    let place = try Store.Place(store)
    let later = Reminder(id: "b", title: "t", body: "2", at: 20)
    let sooner = Reminder(id: "a", title: "t", body: "1", at: 10)
    let reminders = PersonalDatabase(try place.open())
    try await reminders.replace(with: [Reminder(id: "old", title: "", body: "", at: 1)])
    try await reminders.replace(with: [later, sooner])
    let again = PersonalDatabase(try place.open())
    #expect(try await again.reminders() == [sooner, later])
    try await again.replace(with: [])
    #expect(try await again.reminders().isEmpty)
  }
}

extension [String] {
  fileprivate func asyncFilter(_ isIncluded: (String) async throws -> Bool) async throws -> Self {
    var result: Self = []
    for element in self where try await isIncluded(element) { result.append(element) }
    return result
  }
}
