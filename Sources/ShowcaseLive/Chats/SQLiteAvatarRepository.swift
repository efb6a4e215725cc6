package import Foundation
package import Offstage
package import Showcase

/// The built-in avatars, those created here, and those that a server ranks as popular.
package struct SQLiteAvatarRepository: AvatarRepository {
  private let database: Database
  private let ranking: PopularAvatars?

  /// - Parameter server: The base of the ranking's address; nil for the built-in ranking.
  package init(database: Database, server: URL? = nil, client: HTTPClient) {
    self.database = database
    ranking = server.map {
      PopularAvatars(base: $0, cache: ResponseCache(client: client, database: database))
    }
  }

  package func featured() async throws -> [Avatar] {
    try Task.checkCancellation()
    return featuredAvatarIDs.compactMap(Avatar.builtIn(id:))
  }

  package func popular() async throws -> [Avatar] {
    if let ranking { return try await ranking.avatars() }
    try Task.checkCancellation()
    return popularAvatarIDs.compactMap(Avatar.builtIn(id:))
  }

  package func cachedPopular() async throws -> Cached<[Avatar]>? { try await ranking?.cached() }

  package func avatars(in category: AvatarCategory) async throws -> [Avatar] {
    let created = try await created()
    return (created + Avatar.builtIn).filter { $0.category == category }
  }

  package func avatar(id: String) async throws -> Avatar {
    if let avatar = Avatar.builtIn(id: id) { return avatar }
    if let avatar = try await created().first(where: { $0.id == id }) { return avatar }
    if let avatar = try await ranking?.cached()?.value.first(where: { $0.id == id }) {
      return avatar
    }
    throw LoadFailure(.notFound, "There is no avatar \(id).", retryable: false)
  }

  package func created() async throws -> [Avatar] {
    try await database.read { connection in
      try connection.rows(
        """
        SELECT id, name, category, description FROM avatars WHERE owner = \(Connection.owner)
        ORDER BY id DESC
        """
      ) { try Avatar(createdRow: $0) }
    }
  }

  package func create(
    name: String, category: AvatarCategory, description: String
  ) async throws -> Avatar {
    try await database.write { connection in
      try connection.execute(
        """
        INSERT INTO avatars (owner, name, category, description)
        VALUES (\(Connection.owner), ?, ?, ?)
        """, name, category.rawValue, description)
      return Avatar(
        created: connection.lastInsertedID, name: name, category: category,
        description: description)
    }
  }

  package func portrait(name: String, category: AvatarCategory) -> String {
    Tile.portrait(name, category)
  }
}

extension Avatar {
  /// - Parameter number: Its row id in the database; no built-in id ends in a number.
  fileprivate init(
    created number: Int, name: String, category: AvatarCategory, description: String
  ) {
    self.init(
      id: "created-\(number)", name: name, category: category, description: description,
      image: Tile.portrait(name, category))
  }

  fileprivate init(createdRow row: borrowing Row) throws {
    let category: String = try row[2]
    self.init(
      created: try row[0], name: try row[1], category: AvatarCategory(rawValue: category) ?? .cooks,
      description: try row[3])
  }
}

/// A server's ranking. The last good one is stored for use offline.
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

  /// - Throws: `LoadFailure` if the server has no good response.
  func avatars() async throws -> [Avatar] {
    try await cache.get(endpoint, at: base).map(\.avatar)
  }

  func cached() async throws -> Cached<[Avatar]>? {
    try await cache.cached(endpoint, at: base)?.map { $0.map(\.avatar) }
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

  /// Spells the category as the app does now.
  static let travelers = Migration(
    "travelers",
    """
    UPDATE avatars SET category = 'travelers' WHERE category = 'travellers';
    UPDATE accounts SET picture = 'travelers' WHERE picture = 'travellers'
    """)
}

extension Avatar {
  /// The whole table, in order.
  static let builtIn: [Avatar] = builtInAvatarTable.split(separator: "\n").map(Avatar.init(line:))

  private static let builtInByID = Dictionary(uniqueKeysWithValues: builtIn.map { ($0.id, $0) })

  /// - Returns: nil for an id that is not in the table.
  static func builtIn(id: String) -> Avatar? { builtInByID[id] }

  /// Parses a line of the table. A malformed line traps in the first test that uses the table.
  private init(line: Substring) {
    let fields = line.split(separator: "|").map(String.init)
    let category = AvatarCategory(rawValue: fields[2])!
    self.init(
      id: fields[0], name: fields[1], category: category, description: fields[3],
      image: Tile.portrait(fields[1], category))
  }
}

/// The built-in avatars, a line each: id, name, category and description.
private let builtInAvatarTable = """
  mina|Mina|cooks|A Seoul grandmother who explains every soup from its broth upwards.
  luca|Luca|cooks|A pizza baker from Naples who takes dough more seriously than people.
  odile|Odile|cooks|A pastry chef who answers in recipes of three lines.
  tariq|Tariq|cooks|A street cook who knows what to make of what is left in the fridge.
  ingrid|Ingrid|travelers|A retired ship's officer who has an anchorage for every mood.
  joon|Joon|travelers|A night train conductor who plans journeys without a single flight.
  amara|Amara|travelers|A mountain guide who packs for you and leaves half of it at home.
  pavel|Pavel|travelers|A cycling postman who knows every shortcut between Prague and the sea.
  ada|Ada|scientists|A mathematician who asks a question back until yours is easy.
  hideo|Hideo|scientists|An astronomer who keeps the hours of the stars.
  rosalind|Rosalind|scientists|A chemist who explains the kitchen as a laboratory, safely.
  kofi|Kofi|scientists|A botanist who greets plants by their Latin names.
  frida|Frida|artists|A painter who sees a color in everything that you say.
  yusuf|Yusuf|artists|An oud player who answers half in rhythm.
  clara|Clara|artists|A pianist who has an opinion on every silence.
  bori|Bori|animals|A sheepdog who is delighted that you are here.
  misty|Misty|animals|A cat who may or may not answer.
  otto|Otto|animals|An octopus with eight opinions at a time.
  bolt|Bolt|machines|A patient robot who fixes bicycles and sentences.
  echo|Echo|machines|A lighthouse computer who has had a lot of time to think.
  """

/// The avatars that the makers of the app recommend.
let featuredAvatarIDs = ["mina", "joon", "ada", "bori", "echo", "yusuf"]

/// The most popular first, unless a server ranks them.
let popularAvatarIDs = ["misty", "luca", "hideo", "frida", "bolt", "ingrid", "tariq", "otto"]
