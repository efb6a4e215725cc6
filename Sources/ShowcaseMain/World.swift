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
      help: "load Pokémon from a PokéAPI v2 server, such as https://pokeapi.co/api/v2")
  ]

  /// Opens the database and makes the repositories.
  /// - Throws: `DatabaseRefusal`, or `WorldError` for an option that makes no sense.
  static func dependencies(_ environment: Environment) throws -> Dependencies {
    let directory = URL(fileURLWithPath: environment.dataDirectory, isDirectory: true)
    let database =
      environment.isDeterministic
      ? try Database(.memory, execution: .inline)
      : try Database(.directory(directory), execution: .background)
    let client = HTTPClient()
    var dependencies = Dependencies()
    dependencies.set(.accounts, to: SQLiteAccountRepository(database: database))
    dependencies.set(
      .images, to: ImageStore(directory: directory, database: database, client: client))
    dependencies.set(.pokemon, to: try pokemon(environment["pokeapi"], client, database))
    dependencies.set(.library, to: SQLiteLibraryRepository(database: database))
    return dependencies
  }

  private static func pokemon(
    _ address: String?, _ client: HTTPClient, _ database: Database
  ) throws -> any PokemonRepository {
    guard let address else { return BuiltInPokemonRepository() }
    guard let base = URL(string: address), let scheme = base.scheme, base.host != nil,
      ["http", "https"].contains(scheme)
    else {
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
