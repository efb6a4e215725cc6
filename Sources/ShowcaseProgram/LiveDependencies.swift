import Offstage
import OffstageFoundation
import OffstageHost
import OffstageLive
import OffstagePostgreSQL
import Showcase
import ShowcaseLive

/// What the command line asks for: the database, the servers, and the repositories on them. The sessions
/// of a process share it.
struct LiveDependencies: Sendable {
  static let options = [
    Option(
      "pokeapi", .url, isAllowedInTranscripts: true,
      help: "load Pokémon from a PokéAPI v2 server, such as https://pokeapi.co/api/v2"),
    Option(
      "hotplaces", .url, isAllowedInTranscripts: true,
      help: "load the map's places from a GeoJSON file, or from a server's URL/places"),
    Option(
      "database", .text("URL"),
      help: "keep what belongs to people in PostgreSQL, at postgresql://USER@HOST/NAME"),
    Option("places", .text("DIR"), help: "show the places of another data directory"),
    Option(
      "chat-api", .url, isAllowedInTranscripts: true,
      help: "let an OpenAI-compatible server reply; key: SHOWCASE_CHAT_KEY or OPENAI_API_KEY"),
    Option(
      "chat-model", .text("NAME"), isAllowedInTranscripts: true,
      help: "the model to request there (default: \(defaultModel))"),
    Option(
      "image-cache", .text("BYTES"), isAllowedInTranscripts: true,
      help: "the size of the pictures to keep on disk (default: \(defaultImageLimit))"),
    Option(
      "avatars", .url, isAllowedInTranscripts: true,
      help: "load the popular avatars from URL/popular"),
    Option(
      "installation", .text("ID"), isAllowedInTranscripts: true,
      help: "assign the variants of experiments to this installation"),
    Option("developer", isAllowedInTranscripts: true, help: "show the settings for developers"),
    Option("events", .text("FILE"), help: "also append tracked events to a file, as JSON lines"),
    Option("replace", for: "import places", help: "remove the places of earlier imports"),
    Option("secrets", for: "session export", help: "include the addresses of accounts"),
  ]

  private static let defaultModel = "gpt-4o-mini"
  /// Bytes.
  private static let defaultImageLimit = 64 << 20

  /// What belongs to the machine: places and caches. Without a server, it holds what belongs to people,
  /// too.
  private let database: Database
  /// What belongs to people.
  private let people: Database
  /// Where several hosts share their sessions; nil without a server.
  let sessions: (any SessionStore)?
  private let client: HTTPClient
  private let avatarServer: URL?
  private let images: PictureCache
  private let places: any PlaceRepository
  private let pokemon: any PokemonRepository
  private let replies: any ReplySource
  private let eventFile: EventFile?

  /// Opens the database, and creates what does not depend on the visitor.
  init(_ environment: Environment) throws {
    // Parse all options first: an invalid one must not leave a new database behind.
    avatarServer = try Self.url(of: "avatars", environment, example: "https://example.org")
    let places = try Self.url(
      of: "hotplaces", environment, example: "https://example.org/places.geojson")
    let pokemon = try Self.url(of: "pokeapi", environment, example: "https://pokeapi.co/api/v2")
    let imageLimit = try Self.imageLimit(environment)
    replies = try Self.replies(environment)
    eventFile = try environment["events"].map { try EventFile($0, warn: environment.warn) }
    let server = try environment["database"].map { text in
      do { return try ServerAddress(text) } catch { throw UsageError("--database: \(error)") }
    }
    database = try Self.database(environment)
    let shared = try server.map {
      try Database($0, migrations: Migration.people, mapError: LoadFailure.map)
    }
    people = shared ?? database
    sessions = shared.map { StoredSessions($0) }
    client = .showcase(clock: environment.clock)
    // Separate connections, so that slow pictures do not delay data. More attempts, because a
    // picture does not keep the user waiting.
    images = PictureCache(
      database: database, client: .showcase(attempts: 5, clock: environment.clock),
      byteLimit: imageLimit)
    self.places = try Self.places(places, environment, client, database)
    self.pokemon = Self.pokemon(pokemon, client, database)
  }

  /// Creates the repositories of one visitor.
  @CoreActor
  func dependencies(_ environment: Environment) -> Dependencies {
    let database = PersonalDatabase(
      people, visitor: environment.visitor, lease: environment.lease)
    var dependencies = Dependencies()
    dependencies.set(.accounts, to: database)
    dependencies.set(
      .avatars,
      to: StoredAvatarRepository(
        database: database, server: avatarServer,
        cache: ResponseCache(client: client, database: self.database)))
    dependencies.set(.chats, to: database)
    dependencies.set(.clock, to: environment.clock)
    dependencies.set(.images, to: images)
    dependencies.set(.resources) { [images] in
      try await AppResources.resource(at: $0, or: images)
    }
    dependencies.set(.library, to: database)
    dependencies.set(.places, to: places)
    dependencies.set(.pokemon, to: pokemon)
    dependencies.set(.reminders, to: database)
    dependencies.set(.replies, to: replies)
    dependencies.set(.isForDevelopers, to: environment["developer"] != nil)
    let installation = environment["installation"]
    dependencies.set(
      .settings,
      to: StoredSettingsRepository(
        database: database,
        installationID: environment.isDeterministic ? installation ?? "0" : installation))
    let events = StoredEventTracker(database: database)
    dependencies.set(.sinks, to: [events] + [eventFile].compactMap(\.self))
    dependencies.set(.history) { events.events }
    return dependencies
  }

  /// Removes what a visitor has left.
  func forget(_ visitor: String) async throws {
    try await PersonalDatabase(people, visitor: visitor).forget()
  }

  static func database(_ environment: Environment) throws -> Database {
    guard environment.keepsData else { return try Database(.memory, execution: .inline) }
    let database = try Database(
      .directory(URL(fileURLWithPath: try environment.dataDirectory, isDirectory: true)),
      execution: environment.isDeterministic ? .inline : .background)
    for warning in database.warnings { environment.warn(warning) }
    return database
  }

  /// Opens an existing database for a command that changes it.
  static func existingDatabase(_ environment: Environment) throws -> Database {
    _ = try existingDirectory(environment)
    return try database(environment)
  }

  /// Opens the database for a command that only reads it.
  static func databaseForReading(_ environment: Environment) throws -> Database {
    try Database(reading: try existingDirectory(environment))
  }

  private static func existingDirectory(_ environment: Environment) throws -> URL {
    guard environment["database"] == nil else {
      throw UsageError(
        "--database is for serving: a server has commands of its own, such as pg_dump")
    }
    guard environment.keepsData else {
      throw UsageError("--deterministic keeps no database without --data")
    }
    let directory = URL(fileURLWithPath: try environment.dataDirectory, isDirectory: true)
    let file = Database.file(in: directory)
    guard FileManager.default.fileExists(atPath: file.path) else {
      throw DatabaseOpenError.missing(path: file.path)
    }
    return directory
  }

  private static func replies(_ environment: Environment) throws -> any ReplySource {
    guard let base = try url(of: "chat-api", environment, example: "https://api.openai.com/v1")
    else {
      if environment["chat-model"] != nil { throw UsageError("--chat-model needs --chat-api") }
      return BuiltInReplySource()
    }
    let variables = ProcessInfo.processInfo.environment
    let keys = ["SHOWCASE_CHAT_KEY", "OPENAI_API_KEY"].compactMap { variables[$0] }
    let text = keys.first { !$0.isEmpty }
    let key = text.flatMap(OpenAIReplySource.key)
    guard text == nil || key != nil else {
      throw UsageError("SHOWCASE_CHAT_KEY or OPENAI_API_KEY: invalid character in the key")
    }
    return OpenAIReplySource(
      base: base, model: environment["chat-model"] ?? defaultModel, key: key)
  }

  private static func places(
    _ url: URL?, _ environment: Environment, _ client: HTTPClient, _ database: Database
  ) throws -> any PlaceRepository {
    if let directory = environment["places"] {
      guard url == nil else { throw UsageError("--places and --hotplaces exclude each other") }
      let imported = try Database(reading: URL(fileURLWithPath: directory, isDirectory: true))
      return SQLitePlaceRepository(database: imported)
    }
    guard let url else { return SQLitePlaceRepository(database: database) }
    guard ["geojson", "json", "gz"].contains(url.pathExtension.lowercased()) else {
      return PlaceAPIRepository(base: url, client: client, database: database)
    }
    // A million places take 200 MB. With these limits, a download succeeds at 140 kbit/s or more,
    // and ends after 4.3 hours at the latest.
    let client = HTTPClient.showcase(
      timeout: .seconds(60), bodyLimit: 256 << 20, clock: environment.clock)
    return PlaceFileRepository(url: url, client: client, database: database)
  }

  private static func pokemon(
    _ base: URL?, _ client: HTTPClient, _ database: Database
  ) -> any PokemonRepository {
    guard let base else { return BuiltInPokemonRepository() }
    return PokeAPIRepository(
      base: base, sprites: base.host == "pokeapi.co" ? PokeAPIRepository.publicSprites : nil,
      client: client, database: database)
  }

  /// Parses the URL given for an option; nil if the option was not given.
  private static func url(
    of option: String, _ environment: Environment, example: String
  ) throws -> URL? {
    guard let text = environment[option] else { return nil }
    guard let url = URL(string: text), let scheme = url.scheme, url.host != nil,
      ["http", "https"].contains(scheme)
    else {
      // Removes a possible password.
      let text = text.replacing(/\/\/.*@/, with: "//")
      throw UsageError("--\(option): \"\(text)\" is not an http or https URL such as \(example)")
    }
    return url
  }

  private static func imageLimit(_ environment: Environment) throws -> Int {
    guard let text = environment["image-cache"] else { return defaultImageLimit }
    guard let bytes = Int(text), bytes >= 0 else {
      throw UsageError("--image-cache: \"\(text)\" is not a number of bytes")
    }
    return bytes
  }
}
