import Foundation
import OffstageSystem
import TestSupport
import Testing

@testable import LiveTestSupport
@testable import OffstageLive

@Suite struct DatabaseTests {
  private static let notes = Migration("CREATE TABLE notes (id INTEGER PRIMARY KEY, text)")

  private func open(
    _ location: Database.Location = .memory, execution: Database.Execution = .background
  ) throws -> Database {
    try Database(location, migrations: [Self.notes], execution: execution)
  }

  @Test(arguments: [Database.Execution.inline, .background])
  func readsWhatWasWritten(execution: Database.Execution) async throws {
    let database = try open(execution: execution)
    let (count, id) = try await database.write { connection in
      let count = try connection.execute("INSERT INTO notes (text) VALUES (?), (?)", "a", "b")
      let id: Int = try connection.value("INSERT INTO notes (text) VALUES (?) RETURNING id", "c")
      return (count, id)
    }
    #expect(count == 2)
    #expect(id == 3)
    #expect(try await texts(database) == ["a", "b", "c"])
  }

  @Test func aZeroInATextIsKept() async throws {
    let text = try await open().read { try $0.value("SELECT ?", "a\0b") as String }
    #expect(text == "a\0b")
  }

  @TaskLocal private static var isInTask = false

  @Test(arguments: [(Database.Execution.inline, true), (.background, false)])
  func runsOnTheRequestedThread(execution: Database.Execution, isInTask: Bool) async throws {
    let database = try open(execution: execution)
    let found = try await Self.$isInTask.withValue(true) {
      try await database.read { _ in Self.isInTask }
    }
    #expect(found == isInTask)
  }

  @Test func throwingRollsBack() async throws {
    struct Stop: Error {}
    let database = try open()
    await #expect(throws: Stop.self) {
      try await database.write { connection in
        try connection.execute("INSERT INTO notes (text) VALUES ('a')")
        throw Stop()
      }
    }
    #expect(try await texts(database) == [])
  }

  @Test(arguments: [
    "INSERT INTO notes (id) VALUES ('x')", "INSERT INTO nowhere VALUES (1)", "SELEC", "",
    "SELECT ?",
  ])
  func invalidStatementFails(sql: String) async throws {
    let database = try open()
    let failure = await #expect(throws: SQLError.self) {
      try await database.write { connection in
        try connection.execute("INSERT INTO notes (text) VALUES ('a')")
        try connection.execute(sql)
      }
    }
    #expect(sql.count < 10 || failure?.description.contains(sql) == false)
    #expect(failure?.isBusy == false)
    #expect(try await texts(database) == [])
  }

  @Test func readTransactionRejectsWrites() async throws {
    let database = try open()
    let failure = await #expect(throws: SQLError.self) {
      try await database.read { try $0.execute("INSERT INTO notes (text) VALUES ('a')") }
    }
    #expect(failure?.description.contains("write in a read transaction") == true)
    #expect(try await texts(database) == [])
  }

  @Test func canceledTaskWritesNothing() async throws {
    let database = try open()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await database.write {
        try $0.execute("INSERT INTO notes (text) VALUES ('a')")
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await texts(database) == [])
  }

  @Test func foreignKeysAreEnforced() async throws {
    let database = try Database(
      .memory,
      migrations: [
        Migration(
          """
          CREATE TABLE parents (id INTEGER PRIMARY KEY);
          CREATE TABLE children (parent INTEGER REFERENCES parents (id));
          """)
      ], execution: .inline)
    await #expect(throws: SQLError.self) {
      try await database.write { try $0.execute("INSERT INTO children VALUES (1)") }
    }
  }

  @Test func twoConnectionsShareOneFile() async throws {
    let directory = try TemporaryDirectory()
    let databases = [
      try open(.directory(directory.url)), try open(.directory(directory.url)),
    ]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...100 {
        group.addTask {
          _ = try await databases[number % 2].write {
            try $0.execute("INSERT INTO notes (text) VALUES (?)", String(number))
          }
        }
      }
      try await group.waitForAll()
    }
    for database in databases {
      #expect(Set(try await texts(database)) == Set((1...100).map(String.init)))
    }
  }

  @Test func committedDataSurvivesACrash() async throws {
    let directory = try TemporaryDirectory()
    let crashed = try TemporaryDirectory()
    let database = try open(.directory(directory.url))
    _ = try await database.write { try $0.execute("INSERT INTO notes (text) VALUES ('a')") }
    // The files of an open database are those that a crash leaves.
    for (name, content) in try directory.contents() where !name.hasSuffix("-shm") {
      try content.write(to: crashed.file(name))
    }
    #expect(try await texts(open(.directory(crashed.url))) == ["a"])
  }

  @Test func closingLeavesOneFile() async throws {
    let directory = try TemporaryDirectory()
    let database = try open(.directory(directory.url))
    _ = try await database.write { try $0.execute("INSERT INTO notes (text) VALUES ('a')") }
    _ = try await texts(database)
    database.close()
    #expect(Array(try directory.contents().keys) == ["app.sqlite"])
    await #expect(throws: CancellationError.self) { try await texts(database) }
    await #expect(throws: CancellationError.self) { try await database.write { _ in } }
    #expect(try await texts(open(.directory(directory.url))) == ["a"])
  }

  @Test func pendingWritesPrecedeClosing() async throws {
    let directory = try TemporaryDirectory()
    let database = try open(.directory(directory.url))
    for _ in 1...20 {
      database.enqueue { try $0.execute("INSERT INTO notes (text) VALUES ('a')") }
    }
    database.close()
    #expect(try await texts(open(.directory(directory.url))).count == 20)
  }

  /// Counts without end.
  private static let endless = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n
    """

  @Test func cancelingInterruptsAQuery() async throws {
    let directory = try TemporaryDirectory()
    let database = try open(.directory(directory.url))
    let begun = Semaphore()
    let task = Task {
      try await database.read { connection in
        begun.signal()
        return try connection.rows(Self.endless) { try $0[0] as Int }
      }
    }
    try await begun.wait()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await texts(database) == [])
  }

  @Test func closingInterruptsQueries() async throws {
    let directory = try TemporaryDirectory()
    let database = try open(.directory(directory.url))
    let begun = Semaphore()
    let task = Task {
      try await database.read { connection in
        begun.signal()
        return try connection.rows(Self.endless) { try $0[0] as Int }
      }
    }
    try await begun.wait()
    database.close()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try directory.contents().count == 1)
  }

  @Test func readsDoNotWaitForOneAnotherOrForWrites() async throws {
    let directory = try TemporaryDirectory()
    let database = try open(.directory(directory.url))
    let begun = Semaphore()
    let long = Task {
      try await database.read { connection in
        begun.signal()
        return try connection.rows(Self.endless) { try $0[0] as Int }
      }
    }
    try await begun.wait()
    let other = try open(.directory(directory.url))
    // From within a write: the read must not wait for it.
    let semaphore = DispatchSemaphore(value: 0)
    let reading = Task {
      defer { semaphore.signal() }
      return try await database.read { try $0.row("SELECT 7") { try $0[0] as Int } }
    }
    _ = try await database.write { _ in semaphore.wait() }
    #expect(try await reading.value == 7)
    _ = try await other.write { try $0.execute("INSERT INTO notes (text) VALUES ('b')") }
    #expect(try await texts(database) == ["b"])
    long.cancel()
    _ = try? await long.value
  }

  @Test func backupIsACompletePrivateCopy() async throws {
    let directory = try TemporaryDirectory()
    let database = try open(.directory(directory.url))
    _ = try await database.write { try $0.execute("INSERT INTO notes (text) VALUES ('a')") }
    let restored = try TemporaryDirectory()
    let file = restored.file("app.sqlite")
    try database.backUp(to: file)
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    #expect(try await texts(open(.directory(restored.url))) == ["a"])
    let before = try Data(contentsOf: file)
    #expect(throws: StorageError.self) { try database.backUp(to: file) }
    #expect(try Data(contentsOf: file) == before)
  }

  @Test func checkFindsDamage() async throws {
    let database = try open(execution: .inline)
    #expect(try database.problems() == [])
    _ = try await database.write { connection in
      try connection.execute("CREATE TABLE refs (note REFERENCES notes (id))")
    }
    try database.withConnection { connection in
      try connection.execute(script: "PRAGMA foreign_keys = OFF; INSERT INTO refs VALUES (7)")
    }
    #expect(
      try database.problems { _ in ["and mine"] } == [
        "refs: row 1 refers to a missing row", "and mine",
      ])
  }

  private func texts(_ database: Database) async throws -> [String] {
    try await database.read { try $0.rows("SELECT text FROM notes ORDER BY id") { try $0[0] } }
  }
}
