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
  ]

  /// Opens the database and makes the repositories.
  /// - Throws: `DatabaseRefusal`, or `WorldError` for an option that makes no sense.
  static func dependencies(_ environment: Environment) throws -> Dependencies {
    let database = try database(environment)
    let client = HTTPClient()
    var dependencies = Dependencies()
    dependencies.set(.accounts, to: SQLiteAccountRepository(database: database))
    dependencies.set(
      .images,
      to: ImageStore(directory: directory(environment), database: database, client: client))
    dependencies.set(.places, to: try places(environment["hotplaces"], database))
    dependencies.set(.pokemon, to: try pokemon(environment["pokeapi"], client, database))
    dependencies.set(.library, to: SQLiteLibraryRepository(database: database))
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

  private static func places(
    _ address: String?, _ database: Database
  ) throws -> any PlaceRepository {
    guard let address else { return SQLitePlaceRepository(database: database) }
    guard let url = httpURL(address) else {
      throw WorldError(
        "--hotplaces takes the address of a GeoJSON FeatureCollection, such as "
          + "https://example.org/places.geojson, not \"\(address)\".")
    }
    // A client of its own: a million places are 200 MB, and take a while.
    let client = HTTPClient(timeout: .seconds(60), bodyLimit: 256 << 20)
    return try HotPlaceRepository(url: url, client: client)
  }

  private static func httpURL(_ address: String) -> URL? {
    guard let url = URL(string: address), let scheme = url.scheme, url.host != nil,
      ["http", "https"].contains(scheme)
    else { return nil }
    return url
  }

  private static func pokemon(
    _ address: String?, _ client: HTTPClient, _ database: Database
  ) throws -> any PokemonRepository {
    guard let address else { return BuiltInPokemonRepository() }
    guard let base = httpURL(address) else {
      throw WorldError(
        "--pokeapi takes the address of a PokéAPI v2 server, such as https://pokeapi.co/api/v2, "
          + "not \"\(address)\".")
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
}

/// A command line that the app cannot live with.
struct WorldError: Error, CustomStringConvertible {
  /// What is wrong, and what to do.
  let description: String

  init(_ description: String) { self.description = description }
}
