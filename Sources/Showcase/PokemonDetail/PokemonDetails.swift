/// A Pokémon as its own screen shows it.
public struct PokemonDetails: Codable, Hashable, Sendable {
  /// National Pokédex number.
  public let id: Int
  public let name: String
  /// Lower-case type names in slot order.
  public let types: [String]
  /// Decimetres.
  public let height: Int
  /// Hectograms.
  public let weight: Int
  /// A URL that opens without the network; nil while the picture is on its way.
  public var image: String?

  init(_ pokemon: Pokemon) {
    id = pokemon.id
    name = pokemon.name
    types = pokemon.types
    height = pokemon.height
    weight = pokemon.weight
    image = FallbackImage.openable(pokemon.imageURL)
  }
}
