import Offstage
import OffstageLive
import TestSupport
import Testing

@testable import Showcase
@testable import ShowcaseLive

@Suite struct ProfileRepositoriesTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test(arguments: [Database.Execution.inline, .background])
  func accountsGetConsecutiveIDs(execution: Database.Execution) async throws {
    let database = try Database(.memory, execution: execution)
    let accounts = SQLiteAccountRepository(database: database)
    let first = try await accounts.signUp(name: "Ann", email: "ann@example.org")
    let second = try await accounts.signUp(name: "O'Hara; --", email: "🦊\0")
    #expect(first.id == 1)
    #expect(first.name == "Ann")
    #expect(first.email == "ann@example.org")
    #expect(second.id == 2)
    #expect(second.name == "O'Hara; --")
    #expect(second.email == "🦊\0")
    let stored: [String] = try await database.read { connection in
      try connection.rows("SELECT name || email FROM accounts ORDER BY id") { try $0[0] }
    }
    #expect(stored == [first, second].map { $0.name + $0.email })
  }

  @Test func accountIDsSurviveARestart() async throws {
    for id in 1...2 {
      let account = try await SQLiteAccountRepository(database: try open())
        .signUp(name: "n", email: "e\(id)")
      #expect(account.id == id)
    }
  }

  @Test func anAddressHasOneAccount() async throws {
    let accounts = SQLiteAccountRepository(database: try Database(.memory, execution: .inline))
    let first = try await accounts.signUp(name: "Kim", email: "Kim@Example.org ")
    let again = try await accounts.signUp(name: "Lee", email: "kim@example.org")
    #expect(again == first)
  }

  @Test func accountsSeeOnlyTheirOwn() async throws {
    let database = try Database(.memory, execution: .inline)
    let accounts = SQLiteAccountRepository(database: database)
    let session = SQLiteSessionRepository(database: database)
    let chats = SQLiteChatRepository(database: database)
    let library = SQLiteLibraryRepository(database: database)
    let avatars = SQLiteAvatarRepository(database: database, client: .showcase())
    let settings = SQLiteSettingsRepository(database: database)
    func owned() async throws -> [String] {
      let bookmarks = try await ["jaws", "alien"].asyncFilter {
        try await library.library()[$0]?.record.isBookmarked == true
      }
      return try await chats.chats().map(\.id) + avatars.created().map(\.name) + bookmarks
        + [
          settings.setting("a", of: .account(.signedIn)) ?? "-",
          settings.setting("d", of: .device) ?? "-",
        ]
    }
    _ = try await chats.say("Hi", to: BuiltInAvatars.mina, at: 1)
    _ = try await avatars.create(name: "Rex", category: .animals, description: "")
    try await library.setBookmarked(true, key: "jaws")
    try await settings.set("a", to: "guest", of: .account(.signedIn))
    try await settings.set("d", to: "device", of: .device)
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

  @Test func settingsSurviveARestart() async throws {
    let settings = SQLiteSettingsRepository(database: try open())
    #expect(try await settings.setting("a") == nil)
    try await settings.set("a", to: "1")
    try await settings.set("b", to: "'; --")
    try await settings.set("a", to: "2")
    try await settings.set("b", to: nil)
    let later = SQLiteSettingsRepository(database: try open())
    #expect(try await later.setting("a") == "2")
    #expect(try await later.setting("b") == nil)
  }

  @Test func sessionSurvivesARestart() async throws {
    let database = try open()
    let session = SQLiteSessionRepository(database: database)
    #expect(try await session.account() == nil)
    let account = try await SQLiteAccountRepository(database: database)
      .signUp(name: "Kim", email: "k@x")
    let later = SQLiteSessionRepository(database: try open())
    #expect(try await later.account() == account)
    try await later.signOut(account)
    #expect(try await later.account() == nil)
  }

  /// A sign-up that fails on the way leaves the guest with everything.
  @Test func signUpIsSavedAsAWhole() async throws {
    let database = try Database(.memory, execution: .inline)
    let accounts = SQLiteAccountRepository(database: database)
    let avatars = SQLiteAvatarRepository(database: database, client: .showcase())
    _ = try await avatars.create(name: "Rex", category: .animals, description: "")
    try await database.write { connection in
      try connection.execute(
        script: """
          CREATE TRIGGER no_session BEFORE INSERT ON session
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

  @Test func remindersSurviveARestart() async throws {
    let later = Reminder(id: "b", title: "t", body: "2", at: 20)
    let sooner = Reminder(id: "a", title: "t", body: "1", at: 10)
    let reminders = SQLiteReminderRepository(database: try open())
    try await reminders.replace(with: [Reminder(id: "old", title: "", body: "", at: 1)])
    try await reminders.replace(with: [later, sooner])
    let again = SQLiteReminderRepository(database: try open())
    #expect(try await again.reminders() == [sooner, later])
    try await again.replace(with: [])
    #expect(try await again.reminders().isEmpty)
  }

  private func open() throws -> Database {
    try Database(.directory(directory.url), execution: .background)
  }
}

extension [String] {
  fileprivate func asyncFilter(_ isIncluded: (String) async throws -> Bool) async throws -> Self {
    var result: Self = []
    for element in self where try await isIncluded(element) { result.append(element) }
    return result
  }
}
