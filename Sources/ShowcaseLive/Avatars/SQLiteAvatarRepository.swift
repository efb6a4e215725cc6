public import Foundation
public import Showcase

/// The built-in avatars, those created here, and those that a server ranks as popular.
public struct SQLiteAvatarRepository: AvatarRepository {
  private let database: Database
  private let ranking: PopularAvatars?

  /// - Parameter server: the base of the ranking's address; nil for the built-in ranking.
  public init(database: Database, server: URL? = nil, client: HTTPClient) {
    self.database = database
    ranking = server.map {
      PopularAvatars(base: $0, cache: ResponseCache(client: client, database: database))
    }
  }

  public func featured() async throws -> [Avatar] {
    try Task.checkCancellation()
    return featuredAvatarIDs.compactMap(Avatar.builtIn(id:))
  }

  public func popular() async throws -> [Avatar] {
    if let ranking { return try await ranking.avatars() }
    try Task.checkCancellation()
    return popularAvatarIDs.compactMap(Avatar.builtIn(id:))
  }

  public func avatars(in category: AvatarCategory) async throws -> [Avatar] {
    let created = try await created()
    return (created + Avatar.builtIn).filter { $0.category == category }
  }

  public func avatar(id: String) async throws -> Avatar {
    if let avatar = Avatar.builtIn(id: id) { return avatar }
    if let avatar = try await created().first(where: { $0.id == id }) { return avatar }
    if let avatar = try await ranking?.cached().first(where: { $0.id == id }) { return avatar }
    throw LoadFailure(.notFound, "There is no avatar \(id).", retryable: false)
  }

  public func created() async throws -> [Avatar] {
    try await database.read { connection in
      try connection.rows(
        "SELECT id, name, category, description FROM avatars ORDER BY id DESC"
      ) { try Avatar(createdRow: $0) }
    }
  }

  public func create(
    name: String, category: AvatarCategory, description: String
  ) async throws -> Avatar {
    try await database.write { connection in
      try connection.execute(
        "INSERT INTO avatars (name, category, description) VALUES (?, ?, ?)", name,
        category.rawValue, description)
      return Avatar(
        created: connection.lastInsertedID, name: name, category: category,
        description: description)
    }
  }

  public func portrait(name: String, category: AvatarCategory) -> String {
    Tile.portrait(name, category)
  }
}

extension Avatar {
  /// - Parameter number: its row id in the database; no built-in id ends in a number.
  fileprivate init(
    created number: Int, name: String, category: AvatarCategory, description: String
  ) {
    self.init(
      id: "created-\(number)", name: name, category: category, description: description,
      image: Tile.portrait(name, category))
  }

  /// An unknown category comes from a newer version of the app, which would not open this file.
  fileprivate init(createdRow row: borrowing Row) throws {
    let category: String = try row[2]
    self.init(
      created: try row[0], name: try row[1], category: AvatarCategory(rawValue: category) ?? .cooks,
      description: try row[3])
  }
}

/// A server's ranking, of which the last good one is kept for the time without a network.
///
/// The server answers `GET popular` with `[{"id": …, "name": …, "category": …, "description": …}]`.
private struct PopularAvatars: Sendable {
  struct Entry: Codable, Sendable {
    var id: String
    var name: String
    var category: AvatarCategory
    var description: String

    var avatar: Avatar {
      Avatar(
        id: id, name: name, category: category, description: description,
        image: Tile.portrait(name, category))
    }
  }

  let base: URL
  let cache: ResponseCache
  private let endpoint = Endpoint<[Entry]>(path: "popular")

  init(base: URL, cache: ResponseCache) {
    self.base = base
    self.cache = cache
  }

  /// - Throws: `LoadFailure` if the server has no good response and none is cached.
  func avatars() async throws -> [Avatar] {
    try await cache.get(endpoint, at: base).map(\.avatar)
  }

  func cached() async throws -> [Avatar] {
    try await cache.cached(endpoint, at: base)?.map(\.avatar) ?? []
  }
}

extension Migration {
  /// The avatars created here.
  static let avatars = Migration(
    "avatars",
    """
    CREATE TABLE avatars (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL,
      category TEXT NOT NULL,
      description TEXT NOT NULL
    ) STRICT
    """)
}
