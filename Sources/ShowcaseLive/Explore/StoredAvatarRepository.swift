import Offstage
package import OffstageFoundation
package import OffstageLive
package import Showcase

/// The built-in avatars, the user's own, and those that a server ranks as popular.
package struct StoredAvatarRepository: AvatarRepository {
  private let database: PersonalDatabase
  private let server: URL?
  private let cache: ResponseCache

  /// - Parameter server: The server that answers `GET popular` with its ranking, `[{"id": …,
  ///   "name": …, "category": …, "description": …}]`; nil for the built-in one.
  package init(database: PersonalDatabase, server: URL? = nil, cache: ResponseCache) {
    self.database = database
    self.server = server
    self.cache = cache
  }

  package func featured() async throws -> [Avatar] {
    Avatar.featuredIDs.compactMap(Avatar.builtIn(id:))
  }

  package func popular() -> Fetch<[Avatar]> {
    if let server {
      let ranking: Fetch<[RankedAvatar]> = cache.fetch(server.appending(endpoint: "popular"))
      return ranking.map { $0.map(\.avatar) }
    }
    return Fetch { Avatar.popularIDs.compactMap(Avatar.builtIn(id:)) }
  }

  package func avatars(in category: AvatarCategory, as owner: Owner) async throws -> [Avatar] {
    let created = try await created(as: owner)
    return (created + Avatar.builtIn).filter { $0.category == category }
  }

  package func avatar(id: String, as owner: Owner) async throws -> Avatar {
    if let avatar = Avatar.builtIn(id: id) { return avatar }
    if let avatar = try await created(as: owner).first(where: { $0.id == id }) { return avatar }
    if let avatar = try await popular().cached()?.value.first(where: { $0.id == id }) {
      return avatar
    }
    if let avatar = try await avatar(ofChat: id, as: owner) { return avatar }
    throw LoadFailure(.notFound, "There is no avatar \(id).", retryable: false)
  }

  /// Returns the avatar as it was at the last message to it.
  private func avatar(ofChat id: String, as owner: Owner) async throws -> Avatar? {
    try await database.read(as: owner) { connection, owner in
      try connection.row(
        """
        SELECT name, category, description, image FROM chats
        WHERE owner = ? AND avatar = ? AND deleted_at IS NULL
        """, owner, id
      ) { row in
        Avatar(
          id: id, name: try row[0], category: AvatarCategory(rawValue: try row[1]) ?? .cooks,
          description: try row[2], image: try row[3])
      }
    }
  }

  package func created(as owner: Owner) async throws -> [Avatar] {
    try await database.read(as: owner) { connection, owner in
      try connection.rows(
        "SELECT id, name, category, description FROM avatars WHERE owner = ? ORDER BY id DESC",
        owner
      ) { row in
        Avatar(
          created: try row[0], name: try row[1],
          category: AvatarCategory(rawValue: try row[2]) ?? .cooks, description: try row[3])
      }
    }
  }

  package func create(
    name: String, category: AvatarCategory, description: String, as owner: Owner
  ) async throws -> Avatar {
    try await database.write(as: owner) { connection, owner in
      let number: Int = try connection.value(
        """
        INSERT INTO avatars (owner, name, category, description) VALUES (?, ?, ?, ?) RETURNING id
        """, owner, name, category.rawValue, description)
      return Avatar(created: number, name: name, category: category, description: description)
    }
  }
}

extension Avatar {
  /// - Parameter number: The row id in the database; no built-in id ends in a number.
  fileprivate init(
    created number: Int, name: String, category: AvatarCategory, description: String
  ) {
    self.init(
      id: "created-\(number)", name: name, category: category, description: description)
  }
}

/// An avatar in a server's ranking.
private struct RankedAvatar: Codable, Sendable {
  var id: String
  var name: String
  var category: AvatarCategory
  var description: String

  var avatar: Avatar { Avatar(id: id, name: name, category: category, description: description) }
}
