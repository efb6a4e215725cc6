import Showcase
import Testing

@testable import ShowcaseLive

@Suite struct SQLiteAccountRepositoryTests {
  @Test(arguments: [Database.Execution.inline, .background])
  func givesEveryAccountItsID(execution: Database.Execution) async throws {
    let database = try Database(.memory, execution: execution)
    let accounts = SQLiteAccountRepository(database: database)
    let first = try await accounts.create(name: "Ann", email: "ann@example.org")
    let second = try await accounts.create(name: "O'Hara; --", email: "🦊\0")
    #expect(first == Account(id: 1, name: "Ann", email: "ann@example.org"))
    #expect(second == Account(id: 2, name: "O'Hara; --", email: "🦊\0"))
    let kept: [Account] = try await database.read { connection in
      try connection.rows("SELECT id, name, email FROM accounts ORDER BY id") {
        Account(id: try $0[0], name: try $0[1], email: try $0[2])
      }
    }
    #expect(kept == [first, second])
  }

  @Test func surviveARestart() async throws {
    let directory = try TemporaryDirectory()
    for id in 1...2 {
      let database = try Database(.directory(directory.url), execution: .background)
      let account = try await SQLiteAccountRepository(database: database)
        .create(name: "n", email: "e")
      #expect(account.id == id)
    }
  }
}
