package import Offstage

/// Loads Pokémon.
package protocol PokemonRepository: Sendable {
  /// Fetches the Pokémon from `offset` on, in National Pokédex order.
  func page(offset: Int, limit: Int) -> Fetch<Page<PokemonEntry>>

  /// Fetches all Pokémon for the search, which PokéAPI does not offer.
  func allPokemon() -> Fetch<[PokemonEntry]>

  /// Fetches the details of one Pokémon. An unknown number fails with `notFound`.
  /// - Parameter id: Its National Pokédex number.
  func pokemon(id: Int) -> Fetch<Pokemon>

  /// Finds text in the names of each Pokémon, ignoring case, accents, and width.
  /// - Returns: Positions in `names`, best match first.
  func search(_ text: String, in names: [[String]]) -> [Int]
}

/// A Pokémon in a page of the list.
package struct PokemonEntry: Hashable, Sendable {
  /// The number above which entries are forms of a species, such as `venusaur-mega`.
  package static let lastSpecies = 10_000

  /// National Pokédex number.
  package var id: Int
  /// The lowercase name as the API spells it, such as `mr-mime`.
  package var name: String
  /// The National Pokédex number of its species, which a form shares; `id` if unknown.
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
