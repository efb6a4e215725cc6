import Foundation
import Offstage
import OffstageHost
import Showcase
import ShowcaseLive

/// The world that the reference app lives in, as its command line describes it.
enum World {
  /// The app's own options.
  static let options = [
    Option(
      "pokeapi", "URL",
      help: "load Pokémon from a PokéAPI v2 server, such as https://pokeapi.co/api/v2"),
    Option("hotplaces", "URL", help: "load the map's places from a GeoJSON FeatureCollection"),
    Option(
      "chat-api", "URL",
      help: "let this OpenAI-compatible server reply; key: SHOWCASE_CHAT_KEY or OPENAI_API_KEY"),
    Option("chat-model", "NAME", help: "the model to ask there (default: gpt-4o-mini)"),
    Option("avatars", "URL", help: "ask this server which avatars are popular, at URL/popular"),
  ]

  /// Opens the database and makes the repositories.
  /// - Throws: `DatabaseRefusal`, or `UsageError` for an option that makes no sense.
  static func dependencies(_ environment: Environment) throws -> Dependencies {
    let database = try database(environment)
    let client = HTTPClient()
    // Connections of their own, so that slow pictures do not keep the data waiting.
    let pictures = HTTPClient()
    var dependencies = Dependencies()
    dependencies.set(.accounts, to: SQLiteAccountRepository(database: database))
    dependencies.set(
      .images,
      to: ImageStore(directory: directory(environment), database: database, client: pictures))
    dependencies.set(.places, to: try places(environment, database))
    dependencies.set(.pokemon, to: try pokemon(environment, client, database))
    dependencies.set(.library, to: SQLiteLibraryRepository(database: database))
    try setChats(of: &dependencies, environment, client, database)
    return dependencies
  }

  /// - Throws: `DatabaseRefusal`.
  static func database(_ environment: Environment) throws -> Database {
    environment.isDeterministic
      ? try Database(.memory, execution: .inline)
      : try Database(.directory(directory(environment)), execution: .background)
  }

  private static func directory(_ environment: Environment) -> URL {
    URL(fileURLWithPath: environment.dataDirectory, isDirectory: true)
  }

  /// What explore, the chats and the profile need.
  private static func setChats(
    of dependencies: inout Dependencies, _ environment: Environment, _ client: HTTPClient,
    _ database: Database
  ) throws {
    let server = try address(
      environment, "avatars", "an avatar server, such as https://example.org")
    dependencies.set(
      .avatars, to: SQLiteAvatarRepository(database: database, server: server, client: client))
    dependencies.set(.chats, to: SQLiteChatRepository(database: database))
    dependencies.set(.replies, to: try replies(environment))
    dependencies.set(.session, to: SQLiteSessionRepository(database: database))
    dependencies.set(.settings, to: SQLiteSettingsRepository(database: database))
    dependencies.set(.reminders, to: SQLiteReminderRepository(database: database))
    dependencies.set(.tracker, to: SQLiteEventTracker(database: database))
    dependencies.set(.clock, to: environment.clock)
  }

  private static func replies(_ environment: Environment) throws -> any ReplySource {
    let what = "an OpenAI-compatible server, such as https://api.openai.com/v1"
    guard let base = try address(environment, "chat-api", what) else {
      return BuiltInReplySource()
    }
    let variables = ProcessInfo.processInfo.environment
    let keys = ["SHOWCASE_CHAT_KEY", "OPENAI_API_KEY"].compactMap { variables[$0] }
    return OpenAIReplySource(
      base: base, model: environment["chat-model"] ?? "gpt-4o-mini",
      key: keys.first { !$0.isEmpty })
  }

  private static func places(
    _ environment: Environment, _ database: Database
  ) throws -> any PlaceRepository {
    let what = "a GeoJSON FeatureCollection, such as https://example.org/places.geojson"
    guard let url = try address(environment, "hotplaces", what) else {
      return SQLitePlaceRepository(database: database)
    }
    // A client of its own: a million places are 200 MB, and take a while.
    let client = HTTPClient(timeout: .seconds(60), bodyLimit: 256 << 20)
    return try HotPlaceRepository(url: url, client: client)
  }

  private static func pokemon(
    _ environment: Environment, _ client: HTTPClient, _ database: Database
  ) throws -> any PokemonRepository {
    let what = "a PokéAPI v2 server, such as https://pokeapi.co/api/v2"
    guard let base = try address(environment, "pokeapi", what) else {
      return BuiltInPokemonRepository()
    }
    return PokeAPIRepository(
      base: base, sprites: sprites(of: base), client: client, database: database)
  }

  /// Where the pictures of the list are, which the API's list does not say: at the place for
  /// the server, below the server itself for any other.
  private static func sprites(of base: URL) -> String {
    if base.host == "pokeapi.co" { return PokeAPIRepository.publicSprites }
    return base.appendingPathComponent("sprites/pokemon").absoluteString + "/{id}.png"
  }

  /// The address that an option gives; nil where it was not given.
  /// - Throws: `UsageError` for what is no address of a web server.
  private static func address(
    _ environment: Environment, _ option: String, _ what: String
  ) throws -> URL? {
    guard let text = environment[option] else { return nil }
    guard let url = URL(string: text), let scheme = url.scheme, url.host != nil,
      ["http", "https"].contains(scheme)
    else { throw UsageError("--\(option) takes the address of \(what), not \"\(text)\".") }
    return url
  }
}
