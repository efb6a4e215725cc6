package import Offstage

/// Loads Pokémon.
///
/// A cached value is what was last loaded, returned without asking the server; nil if it never was.
package protocol PokemonRepository: Sendable {
  /// Returns the Pokémon from `offset` on, in National Pokédex order.
  /// - Throws: `LoadFailure`, or `CancellationError` if the caller was canceled.
  func page(offset: Int, limit: Int) async throws -> Page<PokemonEntry>
  func cachedPage(offset: Int, limit: Int) async throws -> Cached<Page<PokemonEntry>>?

  /// Returns all Pokémon, for a search: a server has none.
  /// - Throws: `LoadFailure`, or `CancellationError`.
  func allPokemon() async throws -> [PokemonEntry]
  func cachedAllPokemon() async throws -> Cached<[PokemonEntry]>?

  /// Returns the details of one Pokémon.
  /// - Parameter id: Its National Pokédex number.
  /// - Throws: `LoadFailure` (`notFound` for an unknown number), or `CancellationError`.
  func pokemon(id: Int) async throws -> Pokemon
  func cachedPokemon(id: Int) async throws -> Cached<Pokemon>?

  /// Finds a text in the names of each Pokémon, regardless of case, accents, and width.
  /// - Returns: Positions in `names`, the best match first.
  func search(_ text: String, in names: [[String]]) -> [Int]
}

extension PokemonRepository {
  package func cachedPage(offset: Int, limit: Int) async throws -> Cached<Page<PokemonEntry>>? {
    nil
  }
  package func cachedAllPokemon() async throws -> Cached<[PokemonEntry]>? { nil }
  package func cachedPokemon(id: Int) async throws -> Cached<Pokemon>? { nil }
}

/// A Pokémon in a page of the list.
package struct PokemonEntry: Hashable, Sendable {
  /// The number above which entries are forms of a species, such as `venusaur-mega`.
  package static let lastSpecies = 10_000

  /// National Pokédex number.
  package var id: Int
  /// The lowercase name as the API spells it, such as `mr-mime`.
  package var name: String
  /// The National Pokédex number of its species, which differs from `id` for a form; `id` if unknown.
  package var speciesID: Int
  /// Its main type, if the list knows it.
  package var type: String?
  /// The URL of its image, if any.
  package var imageURL: String?

  package init(
    id: Int, name: String, speciesID: Int? = nil, type: String? = nil, imageURL: String?
  ) {
    self.id = id
    self.name = name
    self.speciesID = speciesID ?? id
    self.type = type
    self.imageURL = imageURL
  }
}

/// The details of a Pokémon.
package struct Pokemon: Hashable, Sendable {
  /// National Pokédex number.
  package var id: Int
  package var name: String
  /// The lowercase type names in slot order, such as `["grass", "poison"]`.
  package var types: [String]
  /// Decimeters, as in PokéAPI v2.
  package var height: Int
  /// Hectograms, as in PokéAPI v2.
  package var weight: Int
  /// The URL of its image, if any.
  package var imageURL: String?

  package init(
    id: Int, name: String, types: [String], height: Int, weight: Int, imageURL: String?
  ) {
    self.id = id
    self.name = name
    self.types = types
    self.height = height
    self.weight = weight
    self.imageURL = imageURL
  }
}
