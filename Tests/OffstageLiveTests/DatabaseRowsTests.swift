import Offstage
import OffstageTesting
import Testing

@testable import OffstageLive

/// The rows of a query, by their positions.
@Suite @CoreActor struct DatabaseRowsTests {
  private struct Place: Identifiable, Codable, Equatable, Sendable {
    let id: Int
    let name: String
  }

  private static let places = Migration(
    """
    CREATE TABLE places (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT NOT NULL) STRICT;
    CREATE INDEX places_by_name ON places (city, name, id)
    """)

  private let database: Database

  init() async throws {
    database = try Database(.memory, migrations: [Self.places], execution: .inline)
    try await database.write { connection in
      for id in 0..<1000 {
        try connection.execute(
          "INSERT INTO places VALUES (?, ?, ?)", id, "p\(id % 7)", id % 2 == 0 ? "Seoul" : "Busan")
      }
    }
  }

  private func rows(descending: Bool) -> DatabaseRows<Place> {
    DatabaseRows(
      in: database, "SELECT id, name FROM places WHERE city = ?", "Seoul", by: "name", "id",
      descending: descending
    ) { Place(id: try $0[0], name: try $0[1]) }
  }

  /// From the start, from the end, and from the window before, in both directions: always those that
  /// a query with an offset finds.
  @Test(arguments: [false, true]) func findsEveryWindow(descending: Bool) async throws {
    let rows = rows(descending: descending)
    #expect(try await rows.count() == 500)
    let order = descending ? "name DESC, id DESC" : "name, id"
    for first in [0, 1, 2, 1, 0, 499, 490, 250, 251, 240, 100, 400, 399, 497, 500, 700, 3] {
      let expected = try await database.read { connection in
        try connection.rows(
          "SELECT id, name FROM places WHERE city = 'Seoul' ORDER BY \(order) LIMIT 5 OFFSET ?",
          first
        ) { Place(id: try $0[0], name: try $0[1]) }
      }
      #expect(try await rows.rows(in: first..<first + 5) == expected, "from \(first)")
    }
    #expect(try await rows.rows(in: 5..<5) == [])
  }

  @Test func positionsAreForgottenWhenTheRowsAreCountedAgain() async throws {
    let rows = rows(descending: false)
    _ = try await rows.count()
    let before = try await rows.rows(in: 100..<102)
    try await database.write { try $0.execute("INSERT INTO places VALUES (?, 'a', 'Seoul')", 5000) }
    _ = try await rows.count()
    #expect(try await rows.rows(in: 101..<103) == before)
  }

  @Test func aFailureIsThrown() async throws {
    let rows = DatabaseRows(in: database, "SELECT id FROM nowhere", by: "id") {
      Place(id: try $0[0], name: "")
    }
    await #expect(throws: SQLError.self) { try await rows.count() }
    await #expect(throws: SQLError.self) { try await rows.rows(in: 0..<1) }
  }
}
