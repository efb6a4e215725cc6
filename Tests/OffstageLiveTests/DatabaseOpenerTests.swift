import Foundation
import OffstageSystem
import TestSupport
import Testing

@testable import LiveTestSupport
@testable import OffstageLive

@Suite struct DatabaseOpenerTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.file("app.sqlite").path }

  init() throws {
    directory = try TemporaryDirectory()
  }

  private static let first = Migration("CREATE TABLE a (x BLOB)")
  private static let second = Migration("ALTER TABLE a ADD COLUMN y DEFAULT 7")

  @Test func appliesMigrationsInOrder() async throws {
    _ = try open([Self.first])
    let old = try open([Self.first])
    _ = try await old.write { try $0.execute("INSERT INTO a (x) VALUES (x'00')") }
    let database = try open([Self.first, Self.second])
    let state = try await database.read { connection in
      [
        try connection.row("PRAGMA user_version") { try $0[0] as Int },
        try connection.row("PRAGMA application_id") { try $0[0] as Int },
        try connection.row("SELECT y FROM a") { try $0[0] as Int },
      ]
    }
    #expect(state == [2, Database.applicationID, 7])
    let mode: String? = try await database.write { try $0.row("PRAGMA journal_mode") { try $0[0] } }
    #expect(mode == "wal")
  }

  @Test func failedMigrationKeepsThePreviousVersion() async throws {
    let broken = Migration("CREATE TABLE b (x); CREATE TABLE a (x)")
    let error = openError([Self.first, broken])
    guard case .failed(path, let detail) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(detail.contains("table a already exists"))
    let tables: [String] = try await open([Self.first]).read {
      try $0.rows("SELECT name FROM sqlite_schema") { try $0[0] }
    }
    #expect(tables == ["a"])
  }

  @Test func versionBelowZeroIsDamage() async throws {
    let database = try open([Self.first])
    try await database.write { try $0.execute(script: "PRAGMA user_version = -1") }
    database.close()
    let damage = DatabaseOpenError.damaged(path: path, detail: "schema version -1")
    #expect(openError([Self.first]) == damage)
    #expect(throws: damage) { try Database(reading: directory.file("app.sqlite"), migrations: 1) }
  }

  @Test func concurrentOpensOfANewFileSucceed() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...8 {
        group.addTask { _ = try open([Self.first, Self.second]) }
      }
      try await group.waitForAll()
    }
  }

  @Test func upToDateDatabaseOpensWhileAnotherWrites() async throws {
    let database = try Database(
      .directory(directory.url), migrations: [Self.first], execution: .background)
    let other = try await database.write { [url = directory.url] _ in
      try Database(.directory(url), migrations: [Self.first], execution: .inline)
    }
    _ = try await other.read { _ in }
  }

  // MARK: Permissions

  /// In processes of its own, since all tests of a process share the umask.
  @Test(arguments: [0, 0o022, 0o277] as [mode_t]) func filesAreTheOwners(mask: mode_t) async {
    await #expect(processExitsWith: .success) { [mask] in
      let directory = try TemporaryDirectory()
      let url = directory.file("a/b")
      umask(mask)
      let database = try Database(
        .directory(url), migrations: [DatabaseOpenerTests.first], execution: .background)
      _ = try await database.write { try $0.execute(script: "CREATE TABLE x (y)") }
      let tests = try DatabaseOpenerTests()
      #expect(try tests.permissions(url) == 0o700)
      for name in ["app.sqlite", "app.sqlite-wal", "app.sqlite-shm"] {
        #expect(try tests.permissions(url.appendingPathComponent(name)) == 0o600, "\(name)")
      }
      #expect(database.warnings == [])
    }
  }

  @Test func existingDirectoryIsKeptWithAWarning() throws {
    chmod(directory.url.path, 0o755)
    let database = try open([Self.first])
    #expect(try permissions(directory.url) == 0o755)
    #expect(try permissions(directory.file("app.sqlite")) == 0o600)
    #expect(database.warnings.count == 1)
    chmod(directory.url.path, 0o700)
    #expect(try open([Self.first]).warnings == [])
  }

  private func permissions(_ url: URL) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    return try #require(attributes[.posixPermissions] as? Int)
  }

  // MARK: Errors, which leave every file unchanged

  @Test func rejectsANewerVersion() throws {
    _ = try open([Self.first, Self.second])
    try expectUntouched(.newerVersion(path: path, found: 2, known: 1))
  }

  /// The version is only in the log, as after a crash.
  @Test func rejectsANewerVersionInTheLog() async throws {
    let other = try TemporaryDirectory()
    let database = try Database(
      .directory(other.url), migrations: [Self.first, Self.second], execution: .inline)
    for (name, content) in try other.contents() where !name.hasSuffix("-shm") {
      try content.write(to: directory.file(name))
    }
    try await database.read { _ in }
    try expectUntouched(.newerVersion(path: path, found: 2, known: 1))
  }

  @Test(arguments: [42, 0]) func rejectsAForeignDatabase(applicationID: Int) async throws {
    var database: Database? = try open([Self.first])
    try await database?.write {
      try $0.execute(script: "PRAGMA application_id = \(applicationID)")
    }
    database = nil
    try expectUntouched(.foreign(path: path, applicationID: applicationID))
  }

  @Test(arguments: [
    "x", "These are notes.", String(repeating: "no ", count: 5000), "SQLite format 3\0",
  ])
  func rejectsOtherFiles(text: String) throws {
    try Data(text.utf8).write(to: directory.file("app.sqlite"))
    try expectUntouched(.notADatabase(path: path))
  }

  @Test(arguments: Damage.allCases) func rejectsADamagedFile(damage: Damage) async throws {
    var database: Database? = try open([Self.first])
    _ = try await database?.write { connection in
      for _ in 1...50 { try connection.execute("INSERT INTO a VALUES (randomblob(2000))") }
    }
    database = nil
    let file = directory.file("app.sqlite")
    var bytes = try Data(contentsOf: file)
    damage.apply(to: &bytes)
    try bytes.write(to: file)
    let before = try directory.contents()
    guard case .damaged(path, _) = openError([Self.first]) else {
      Issue.record("undetected damage")
      return
    }
    #expect(try directory.contents() == before)
  }

  enum LastProcess: CaseIterable {
    case hasEnded, hasCrashed, stillRuns
  }

  /// Reading a large file would delay every start.
  @Test(arguments: LastProcess.allCases)
  func largeFileIsCheckedAfterACrash(last: LastProcess) async throws {
    var database: Database? = try open([Self.first])
    _ = try await database?.write { connection in
      try connection.execute("INSERT INTO a VALUES (zeroblob(?))", DatabaseOpener.checkedSize)
    }
    if last != .stillRuns { database = nil }
    let file = directory.file("app.sqlite")
    var bytes = try Data(contentsOf: file)
    Damage.overwrittenPage.apply(to: &bytes)
    try bytes.write(to: file)
    if last == .hasCrashed {
      try Data(count: 32).write(to: directory.file("app.sqlite-wal"))
      guard case .damaged(path, _) = openError([Self.first]) else {
        Issue.record("undetected damage")
        return
      }
    } else {
      _ = try open([Self.first])
    }
    withExtendedLifetime(database) {}
  }

  /// In a parent that they can write to, others could replace the directory.
  @Test func createdDirectoriesArePrivate() throws {
    let parents = ["home", "home/share"].map(directory.file)
    let data = directory.file("home/share/showcase")
    _ = try Database(.directory(data), migrations: [], execution: .inline)
    for directory in parents + [data] {
      #expect(PrivateFiles.mode(directory.path).map { $0 & 0o777 } == 0o700)
    }
  }

  @Test func reportsADirectoryThatCannotBeCreated() throws {
    try Data().write(to: directory.file("taken"))
    let taken = directory.file("taken").appendingPathComponent("data")
    #expect(throws: DatabaseOpenError.self) {
      try Database(.directory(taken), migrations: [], execution: .inline)
    }
    #expect(try directory.contents() == ["taken": Data()])
  }

  @Test func reportsADirectoryInPlaceOfTheFile() throws {
    try FileManager.default.createDirectory(
      at: directory.file("app.sqlite"), withIntermediateDirectories: false)
    guard case .inaccessible(path, _) = openError([Self.first]) else {
      Issue.record("opened")
      return
    }
  }

  @Test(.disabled(if: geteuid() == 0, "Nothing is read-only for root."))
  func reportsAReadOnlyDirectory() throws {
    _ = try open([Self.first])
    chmod(directory.url.path, 0o555)
    defer { chmod(directory.url.path, 0o755) }
    let before = try directory.contents()
    guard case .inaccessible(path, _) = openError([Self.first]) else {
      Issue.record("opened")
      return
    }
    #expect(try directory.contents() == before)
  }

  @Test(.disabled(if: geteuid() == 0, "Nothing is read-only for root."))
  func reportsAReadOnlyFile() throws {
    _ = try open([Self.first])
    chmod(path, 0o444)
    try expectUntouched(.inaccessible(path: path, detail: "not writable"))
  }

  private func open(_ migrations: [Migration]) throws -> Database {
    try Database(.directory(directory.url), migrations: migrations, execution: .inline)
  }

  private func openError(_ migrations: [Migration]) -> DatabaseOpenError? {
    #expect(throws: DatabaseOpenError.self) { try open(migrations) }
  }

  /// Opening with the first migration alone fails and changes no file; the log's index
  /// (`-shm`) is memory and holds no data.
  private func expectUntouched(
    _ expected: DatabaseOpenError, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let before = try directory.contents()
    #expect(openError([Self.first]) == expected, sourceLocation: location)
    #expect(expected.description.contains(path), sourceLocation: location)
    let after = try directory.contents()
    #expect(
      after.filter { before[$0.key] != nil || !$0.key.hasSuffix("-shm") } == before,
      sourceLocation: location)
  }
}

/// Ways to damage a file whose second page is the root of its only table.
enum Damage: CaseIterable {
  case overwrittenPage
  case missingEnd
  case wrongSchema

  func apply(to bytes: inout Data) {
    switch self {
    case .overwrittenPage:
      bytes.replaceSubrange(4096..<8192, with: Data(repeating: 0xff, count: 4096))
    case .missingEnd:
      bytes.removeLast(bytes.count / 2)
    case .wrongSchema:
      bytes.replaceSubrange(100..<108, with: Data(repeating: 0xff, count: 8))
    }
  }
}
