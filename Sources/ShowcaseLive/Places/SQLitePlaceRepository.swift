import Foundation
public import Offstage
public import Showcase

/// Places in the database, found by where they are through an R*Tree.
public struct SQLitePlaceRepository: PlaceRepository {
  private let database: Database

  public init(database: Database) {
    self.database = database
  }

  public func places(_ query: PlaceQuery, page: Int, size: Int) async throws -> Page<Place> {
    try await database.read { connection in
      // One more than asked for: whether it is there says whether there is a further page.
      let selection = PlaceSelection(query, limit: size + 1, offset: page * size)
      let found = try connection.rows(selection.sql, parameters: selection.parameters) {
        try Place(row: $0)
      }
      return Page(Array(found.prefix(size)), hasMore: found.count > size)
    }
  }

  public func details(of id: Int) async throws -> [Place] {
    try await database.read { connection in
      try connection.rows("SELECT \(Place.columns) FROM places WHERE id = ?", id) {
        try Place(row: $0)
      }
    }
  }

  public func place(id: Int) async throws -> Place {
    guard let place = try await details(of: id).first else {
      throw LoadFailure(.notFound, "There is no place with the id \(id).", retryable: false)
    }
    return place
  }

  public func places(named text: String, limit: Int) async throws -> [Place] {
    let text = PlaceName.normalized(text)
    guard !text.isEmpty else { return [] }
    let literal = PlaceName.pattern(for: text)
    return try await database.read { connection in
      try connection.rows(
        """
        SELECT \(Place.columns) FROM places
        WHERE name LIKE ?1 ESCAPE '\\' OR local_name LIKE ?1 ESCAPE '\\'
        ORDER BY (name LIKE ?2 ESCAPE '\\' OR ifnull(local_name LIKE ?2 ESCAPE '\\', 0)) DESC,
          name COLLATE NOCASE, id
        LIMIT ?3
        """, "%\(literal)%", "\(literal)%", limit
      ) { try Place(row: $0) }
    }
  }
}

extension Place {
  /// What `init(row:)` reads, in its order.
  static let columns = "id, name, local_name, category, lat, lng, rating"

  init(row: borrowing Row) throws {
    self.init(
      id: try row[0], name: try row[1], localName: try row[2], category: try row[3],
      lat: try row[4], lng: try row[5], rating: try row[6])
  }
}

/// How names are kept and looked for.
enum PlaceName {
  /// Without white space around it, and composed: Hangul that is typed as letters is found as
  /// syllables too. Without NUL, at which a pattern would end.
  static func normalized(_ text: String) -> String {
    text.filter { $0 != "\0" }.trimmingCharacters(in: .whitespacesAndNewlines)
      .precomposedStringWithCanonicalMapping
  }

  /// A text as a pattern of `LIKE … ESCAPE '\'` that means itself.
  static func pattern(for text: String) -> String {
    text.reduce(into: "") { pattern, character in
      if "%_\\".contains(character) { pattern += "\\" }
      pattern.append(character)
    }
  }
}
