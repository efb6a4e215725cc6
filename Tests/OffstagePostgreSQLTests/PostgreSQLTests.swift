import LiveTestSupport
import OffstageLive
import Testing

@testable import OffstagePostgreSQL

@Suite struct PostgreSQLTests {
  private static let values = Migration(
    """
    CREATE TABLE values (
      id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      number BIGINT, real DOUBLE PRECISION, text TEXT, bytes BYTEA, flag BOOLEAN
    )
    """)
  private static let counter = Migration(
    "CREATE TABLE counter (value BIGINT NOT NULL); INSERT INTO counter VALUES (0)")

  private func open(
    _ server: ServerAddress? = nil, _ migrations: [Migration] = [values, counter],
    connections: Int = 8
  ) throws -> Database {
    try Database(
      server ?? PostgreSQLServer.shared.get().makeSchema(), migrations: migrations,
      connections: connections)
  }

  @Test func valuesComeBackAsTheyWere() async throws {
    let database = try open()
    let values: [[SQLValue]] = [
      [
        .integer(-1 << 53), .real(1e-300), .text("'; -- 한 👋\n"), .blob([0, 255, 92, 39]),
        .integer(1),
      ],
      [.null, .real(-.infinity), .text(""), .blob([]), .integer(0)],
      [.integer(0), .null, .null, .null, .null],
    ]
    let read = try await database.write { connection in
      for row in values {
        try connection.execute(
          "INSERT INTO values (number, real, text, bytes, flag) VALUES (?, ?, ?, ?, ?)", row[0],
          row[1], row[2], row[3], row[4])
      }
      return try connection.rows("SELECT number, real, text, bytes, flag FROM values ORDER BY id") {
        row in try (0..<5).map { try row[$0] as SQLValue }
      }
    }
    #expect(read == values)
  }

  @Test func aZeroInATextIsReplaced() async throws {
    let text = try await open().read { try $0.value("SELECT ?::TEXT", "a\0b") as String }
    #expect(text == "a\u{FFFD}b")
  }

  @Test(arguments: [
    ("a = ? AND b = ?", "a = $1 AND b = $2"),
    ("a = ?2 OR b = ?1 OR c = ?2", "a = $2 OR b = $1 OR c = $2"),
    ("(?, ?)", "($1, $2)"), ("no parameter", "no parameter"), ("?", "$1"),
  ])
  func parametersAreNumbered(sqlite: String, postgreSQL: String) {
    #expect(PostgreSQLDriver.numbered(sqlite) == postgreSQL)
  }

  @Test func countsTheRowsThatItChanged() async throws {
    let count = try await open().write { connection in
      try connection.execute("INSERT INTO values (number) VALUES (?), (?)", 1, 2)
    }
    #expect(count == 2)
  }

  @Test func aFailedTransactionChangesNothing() async throws {
    let database = try open()
    let error = await #expect(throws: SQLError.self) {
      try await database.write { connection in
        try connection.execute("UPDATE counter SET value = 1")
        try connection.execute("INSERT INTO nowhere VALUES (?)", 1)
      }
    }
    #expect(error?.code == .postgreSQL("42P01"))
    #expect(error?.reason == #"relation "nowhere" does not exist"#)
    #expect(try await count(database) == 0)
  }

  @Test func aReadCannotWrite() async throws {
    let database = try open()
    let error = await #expect(throws: SQLError.self) {
      try await database.read { try $0.execute("UPDATE counter SET value = 1") }
    }
    #expect(error?.code == .postgreSQL("25006"))
  }

  /// Each adds to what it has read, and none overwrites what another one has added.
  @Test func transactionsThatConflictBeginAgain() async throws {
    let database = try open(connections: 16)
    try await withThrowingTaskGroup { group in
      for lane in 0..<160 {
        group.addTask { try await add(to: database, on: lane) }
      }
      try await group.waitForAll()
    }
    #expect(try await count(database) == 160)
  }

  @Test func oneOfManyProcessesMigrates() async throws {
    let server = try PostgreSQLServer.shared.get().makeSchema()
    try await withThrowingTaskGroup { group in
      for _ in 1...24 { group.addTask { _ = try open(server) } }
      try await group.waitForAll()
    }
    #expect(try await count(open(server)) == 0)
  }

  @Test func anOlderSchemaIsMigratedAndANewerOneRefused() async throws {
    let server = try PostgreSQLServer.shared.get().makeSchema()
    try await add(to: open(server, [Self.counter]), on: 0)
    #expect(try await count(open(server, [Self.counter, Self.values])) == 1)
    let error = #expect(throws: DatabaseOpenError.self) { try open(server, [Self.counter]) }
    #expect(error == .newerVersion(path: "\(server)", found: 2, known: 1))
  }

  @Test func aMigrationThatFailsChangesNothing() async throws {
    let server = try PostgreSQLServer.shared.get().makeSchema()
    let error = #expect(throws: DatabaseOpenError.self) {
      try open(server, [Self.counter, Migration("CREATE TABLE t (x NO_SUCH_TYPE)")])
    }
    #expect(error?.description.contains("no_such_type") == true)
    #expect(try await count(open(server, [Self.counter])) == 0)
  }

  @Test func aServerThatIsBackIsUsedAgain() async throws {
    let own = try PostgreSQLServer()
    let database = try open(own.makeSchema(), connections: 2)
    for lane in 0...1 { try await add(to: database, on: lane) }
    // The connection of the lane is lost, and the transaction begins again on another one.
    try own.control("restart")
    try await add(to: database, on: 0)
    #expect(try await count(database) == 3)
    try own.control("stop")
    for _ in 1...2 {
      let error = await #expect(throws: SQLError.self) { try await count(database) }
      #expect(error?.isUnreachable == true)
    }
    try own.control("start")
    // The first lane waits for a second before it tries again. The other one has not tried yet.
    #expect(try await database.read(on: 1) { try $0.value("SELECT value FROM counter") } == 3)
  }

  @Test func aFirstConnectionThatFailsIsAnErrorOfTheApp() async throws {
    struct Mapped: Error {}
    let own = try PostgreSQLServer()
    let database = try Database(own.makeSchema(), migrations: [Self.counter]) { _ in Mapped() }
    try own.control("stop")
    await #expect(throws: Mapped.self) { try await count(database) }
  }

  @Test(arguments: [
    ("host=x", "expected an address such as postgresql://user@host/name"),
    ("postgresql://u:secret@h/d", "leave the password out"),
    ("postgresql://h/d?password=secret", "leave the password out"),
    ("postgresql://h/d?nonsense=1", #"invalid URI query parameter: "nonsense""#),
  ])
  func invalidAddressesAreExplained(text: String, message: String) {
    let error = #expect(throws: InvalidServerAddress.self) { try ServerAddress(text) }
    #expect(error?.description.hasPrefix(message) == true)
    #expect(error?.description.contains("secret") == false)
  }

  @Test func aServerThatIsAwayAtTheStartIsNamed() throws {
    let error = try #require(throws: DatabaseOpenError.self) {
      try open(ServerAddress("postgresql://tester@127.0.0.1:1/postgres"))
    }
    #expect(error.description.hasPrefix("postgresql://tester@127.0.0.1:1/postgres: connection to"))
    #expect(error.description.contains("Connection refused"))
  }

  private func count(_ database: Database) async throws -> Int {
    try await database.read { try $0.value("SELECT value FROM counter") }
  }

  private func add(to database: Database, on lane: Int) async throws {
    try await database.write(on: lane) { connection in
      let value: Int = try connection.value("SELECT value FROM counter")
      try connection.execute("UPDATE counter SET value = ?", value + 1)
    }
  }
}
