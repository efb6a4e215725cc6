import Showcase
import Testing

@testable import ShowcaseLive

@Suite struct ProfileRepositoriesTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test(arguments: [Database.Execution.inline, .background])
  func accountsGetConsecutiveIDs(execution: Database.Execution) async throws {
    let database = try Database(.memory, execution: execution)
    let accounts = SQLiteAccountRepository(database: database)
    let first = try await accounts.create(name: "Ann", email: "ann@example.org")
    let second = try await accounts.create(name: "O'Hara; --", email: "🦊\0")
    #expect(first == Account(id: 1, name: "Ann", email: "ann@example.org"))
    #expect(second == Account(id: 2, name: "O'Hara; --", email: "🦊\0"))
    let stored: [Account] = try await database.read { connection in
      try connection.rows("SELECT id, name, email FROM accounts ORDER BY id") {
        Account(id: try $0[0], name: try $0[1], email: try $0[2])
      }
    }
    #expect(stored == [first, second])
  }

  @Test func accountIDsSurviveARestart() async throws {
    for id in 1...2 {
      let account = try await SQLiteAccountRepository(database: try open())
        .create(name: "n", email: "e")
      #expect(account.id == id)
    }
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
    let account = try await SQLiteAccountRepository(database: database)
      .create(name: "Kim", email: "k@x")
    let session = SQLiteSessionRepository(database: database)
    #expect(try await session.account() == nil)
    try await session.signIn(account)
    try await session.signIn(account)
    let later = SQLiteSessionRepository(database: try open())
    #expect(try await later.account() == account)
    try await later.signOut()
    #expect(try await later.account() == nil)
  }

  @Test func signInNeedsAStoredAccount() async throws {
    let session = SQLiteSessionRepository(database: try open())
    let failure = await #expect(throws: LoadFailure.self) {
      try await session.signIn(Account(id: 7, name: "Nobody", email: ""))
    }
    #expect(failure?.reason == .storage)
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
