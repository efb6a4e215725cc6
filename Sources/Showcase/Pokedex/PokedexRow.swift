/// A Pokémon as the list shows it.
public struct PokedexRow: Identifiable, Codable, Hashable, Sendable {
  /// National Pokédex number.
  public let id: Int
  public let name: String
  /// A URL that opens without the network; nil while the picture is on its way.
  public var image: String?
  /// The generation that it belongs to, for layouts with sections: `generation-1` and so on.
  public let section: String

  init(_ entry: PokemonEntry, image: String?) {
    id = entry.id
    name = entry.name
    self.image = image ?? FallbackImage.openable(entry.imageURL)
    section = "generation-\(Self.generation(of: entry.id))"
  }

  /// The last number of each generation, in the National Pokédex.
  private static let lastNumbers = [151, 251, 386, 493, 649, 721, 809, 905]

  private static func generation(of id: Int) -> Int {
    (lastNumbers.firstIndex { id <= $0 } ?? lastNumbers.count) + 1
  }
}
