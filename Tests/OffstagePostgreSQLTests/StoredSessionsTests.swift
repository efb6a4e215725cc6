import LiveTestSupport
import OffstageLive
import Testing

@testable import OffstageHost
@testable import OffstagePostgreSQL

@Suite struct StoredSessionsTests {
  private let server: ServerAddress
  private let database: Database
  private let store: StoredSessions

  init() throws {
    server = try PostgreSQLServer.shared.get().makeSchema()
    database = try Database(server, migrations: [.sessions])
    store = StoredSessions(database)
  }

  private func change(
    _ session: String, epoch: Int = 1, _ number: Int, _ patch: String,
    _ kind: SessionChange.Kind = .part, of visitor: String = "kim"
  ) -> SessionChange {
    SessionChange(
      lease: SessionLease(session: session, epoch: epoch), visitor: visitor, number: number,
      kind: kind, patch: patch)
  }

  @Test func changesComeBackInOrder() async throws {
    let lost = try await store.write([
      change("a", 1, "one", .whole), change("b", 1, "other", .whole),
      change("a", 2, "two"), change("a", 3, "\u{0001}한"),
    ])
    #expect(lost == [])
    let kept = try #require(try await store.take("a", of: "kim"))
    #expect(kept.epoch == 2 && kept.changes == ["one", "two", "\u{0001}한"] && kept.last == 3)
    // A connection that is lost after the commit leaves open whether it has happened.
    for _ in 1...2 { #expect(try await store.write([change("a", epoch: 2, 3, "\u{0001}한")]) == []) }
    // A whole state takes the place of all before it.
    #expect(try await store.write([change("a", epoch: 2, 4, "whole", .whole)]) == [])
    let again = try #require(try await store.take("a", of: "kim"))
    #expect(again.epoch == 3 && again.changes == ["whole"] && again.last == 4)
    #expect(try await store.take("b", of: "kim")?.changes == ["other"])
  }

  @Test func aHostThatHasLostASessionWritesNothingOfIt() async throws {
    _ = try await store.write([
      change("a", 1, "one", .whole), change("b", 1, "one", .whole),
    ])
    _ = try await store.take("a", of: "kim")
    let lost = try await store.write([
      change("a", 2, "late"), change("b", 2, "two"), change("a", 3, "later", .whole),
    ])
    #expect(lost == ["a"])
    #expect(try await store.write([change("a", 4, "last", .whole)]) == ["a"])
    #expect(try await store.take("a", of: "kim")?.changes == ["one"])
    #expect(try await store.take("b", of: "kim")?.changes == ["one", "two"])
  }

  @Test func startsAreCountedSinceTheLastGoodOne() async throws {
    _ = try await store.write([change("a", 1, "one", .whole)])
    for starts in 2...3 { #expect(try await store.take("a", of: "kim")?.starts == starts) }
    #expect(try await store.write([change("a", epoch: 3, 1, "", .rest)]) == [])
    for starts in 1...3 { #expect(try await store.take("a", of: "kim")?.starts == starts) }
    // A host that ends as planned may say so after the next one has taken the session.
    let late = [change("a", epoch: 5, 2, "late"), change("a", epoch: 5, 2, "", .rest)]
    #expect(try await store.write(late) == ["a"])
    let kept = try #require(try await store.take("a", of: "kim"))
    #expect(kept.epoch == 7 && kept.starts == 2 && kept.changes == ["one"])
  }

  @Test func hostsThatTakeASessionAtTheSameTimeHaveDifferentEpochs() async throws {
    _ = try await store.write([change("a", 1, "one", .whole)])
    let epochs = try await withThrowingTaskGroup { group in
      for _ in 0..<8 {
        group.addTask { try await StoredSessions(database).take("a", of: "kim")?.epoch }
      }
      return try await group.reduce(into: []) { $0.append($1 ?? 0) }
    }
    #expect(epochs.sorted() == Array(2...9))
  }

  @Test func aTransactionOfAHostThatHasLostItsSessionIsRefused() async throws {
    @Sendable func write(_ epoch: Int) async throws {
      try await database.write {
        try $0.check(SessionLease(session: "a", epoch: epoch))
        try $0.execute("UPDATE offstage_sessions SET visitor = visitor WHERE id = 'a'")
      }
    }
    // A new session may not have been written yet.
    try await write(1)
    _ = try await store.write([change("a", 1, "one", .whole)])
    try await write(1)
    _ = try await store.take("a", of: "kim")
    await #expect(throws: SessionTaken.self) { try await write(1) }
    try await write(2)
  }

  @Test func noHostTakesASessionDuringATransactionOfAnother() async throws {
    _ = try await store.write([change("a", 1, "one", .whole)])
    // The statement that takes a session locks its row like this.
    let lock = "SELECT 1 FROM offstage_sessions WHERE id = 'a' FOR NO KEY UPDATE NOWAIT"
    let other = Connection(try PostgreSQLDriver(server))
    try other.execute(script: lock)
    try await database.write { [server] connection in
      try connection.check(SessionLease(session: "a", epoch: 1))
      let other = Connection(try PostgreSQLDriver(server))
      #expect(throws: SQLError.self) { try other.execute(script: lock) }
    }
    try other.execute(script: lock)
  }

  @Test func onlyItsVisitorFindsASession() async throws {
    _ = try await store.write([change("a", 1, "one", .whole)])
    for (session, visitor) in [("a", "lee"), ("b", "kim"), ("", ""), ("a' OR true --", "kim")] {
      #expect(try await store.take(session, of: visitor)?.epoch == nil)
    }
  }

  @Test func aRemovedSessionIsGone() async throws {
    _ = try await store.write([
      change("a", 1, "one", .whole), change("b", 1, "one", .whole),
      change("c", 1, "one", .whole, of: "lee"),
    ])
    try await database.write {
      try $0.execute(
        "UPDATE offstage_sessions SET used = now() - interval '2 days' WHERE id <> 'b'")
    }
    let unused = try await store.unused(for: 86_400)
    #expect(Set(unused.map(\.session)) == ["a", "c"])
    #expect(try await store.isLast("c", of: "lee"))
    #expect(try await !store.isLast("a", of: "kim"))
    try await store.remove("a")
    #expect(try await store.take("a", of: "kim")?.epoch == nil)
    #expect(try await store.isLast("b", of: "kim"))
    let rest: Int = try await database.read {
      try $0.value("SELECT count(*) FROM offstage_changes WHERE session = 'a'")
    }
    #expect(rest == 0)
  }
}
