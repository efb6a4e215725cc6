package import Offstage

/// Loads Pokémon.
package protocol PokemonRepository: Sendable {
  /// Fetches the Pokémon from `offset` on, in National Pokédex order.
  func page(offset: Int, limit: Int) -> Fetch<Page<PokemonEntry>>

  /// Fetches all Pokémon with their names for the search, which PokéAPI does not offer. From the
  /// cache, names may be missing.
  func allPokemon() -> Fetch<[PokemonEntry]>

  /// Returns the official names of a Pokémon, which are requested once.
  func names(of pokemon: PokemonEntry) async throws -> PokemonNames

  /// Fetches the details of one Pokémon by its number. An unknown one fails with `notFound`.
  func pokemon(id: Int) -> Fetch<Pokemon>

  /// Folds names into one text to search, so that case, accents, and width do not matter.
  func searchKey(_ names: [String]) -> String

  /// Finds a text in search keys.
  /// - Returns: Positions in `keys`, best match first.
  func search(_ text: String, in keys: [String]) -> [Int]
}

/// A Pokémon as the list has it.
package struct PokemonEntry: Hashable, Sendable {
  /// The number above which entries are forms of a species, such as `venusaur-mega`.
  package static let lastSpecies = 10_000

  /// National Pokédex number.
  package var id: Int
  /// The lowercase name as the API spells it, such as `mr-mime`.
  package var name: String
  /// The National Pokédex number of its species, which a form shares; `id` if unknown.
  package var speciesID: Int
  /// The number of its form in the API; nil for a species, and if unknown.
  package var formID: Int?
  /// Its official names, if they are known.
  package var names: PokemonNames?
  /// Its main type, if the list knows it.
  package var type: String?
  /// The URL of its image, if any.
  package var imageURL: String?

  package init(
    id: Int, name: String, speciesID: Int? = nil, formID: Int? = nil, names: PokemonNames? = nil,
    type: String? = nil, imageURL: String?
  ) {
    self.id = id
    self.name = name
    self.speciesID = speciesID ?? id
    self.formID = formID
    self.names = names
    self.type = type
    self.imageURL = imageURL
  }
}

/// The details of a Pokémon.
package struct Pokemon: Hashable, Sendable {
  package var entry: PokemonEntry
  /// The lowercase type names in slot order, such as `["grass", "poison"]`.
  package var types: [String]
  /// Decimeters, as in PokéAPI v2.
  package var height: Int
  /// Hectograms, as in PokéAPI v2.
  package var weight: Int

  package init(_ entry: PokemonEntry, types: [String], height: Int, weight: Int) {
    self.entry = entry
    self.types = types
    self.height = height
    self.weight = weight
    self.entry.type = types.first
  }
}
