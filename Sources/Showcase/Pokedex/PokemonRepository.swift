/// What the Pokédex needs to know of the world, and no more.
public protocol PokemonRepository: Sendable {
  /// The Pokémon from `offset` on, in National Pokédex order.
  /// - Throws: `LoadFailure`, or `CancellationError` when the caller was cancelled.
  func page(offset: Int, limit: Int) async throws -> PokemonPage

  /// Everything about one Pokémon.
  /// - Parameter id: its National Pokédex number.
  /// - Throws: `LoadFailure` (`notFound` for an unknown number), or `CancellationError`.
  func pokemon(id: Int) async throws -> Pokemon
}

/// One page of the list.
public struct PokemonPage: Hashable, Sendable {
  public var entries: [PokemonEntry]
  /// Whether there is anything after this page.
  public var hasMore: Bool

  public init(entries: [PokemonEntry], hasMore: Bool) {
    self.entries = entries
    self.hasMore = hasMore
  }
}

/// A Pokémon as the list knows it.
public struct PokemonEntry: Hashable, Sendable {
  /// National Pokédex number.
  public var id: Int
  /// Lower-case name as the API spells it, such as `mr-mime`.
  public var name: String
  /// Where its picture can be fetched; nil where there is none.
  public var imageURL: String?

  public init(id: Int, name: String, imageURL: String?) {
    self.id = id
    self.name = name
    self.imageURL = imageURL
  }
}

/// A Pokémon in full.
public struct Pokemon: Hashable, Sendable {
  /// National Pokédex number.
  public var id: Int
  public var name: String
  /// Lower-case type names in slot order, such as `["grass", "poison"]`.
  public var types: [String]
  /// Decimetres, as in PokéAPI v2.
  public var height: Int
  /// Hectograms, as in PokéAPI v2.
  public var weight: Int
  /// Where its picture can be fetched; nil where there is none.
  public var imageURL: String?

  public init(
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
