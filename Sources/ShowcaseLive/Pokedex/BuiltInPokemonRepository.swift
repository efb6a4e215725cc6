public import Showcase

/// The first 151 without any network, for tests, demonstrations and the first start.
public struct BuiltInPokemonRepository: PokemonRepository {
  /// All of them; the one with the number `n` is at `n - 1`.
  static let all: [Pokemon] = builtInPokemonTable.split(separator: "\n").map(Pokemon.init(line:))

  public init() {}

  public func page(offset: Int, limit: Int) async throws -> PokemonPage {
    try Task.checkCancellation()
    let rest = Self.all.dropFirst(max(0, offset))
    let entries = rest.prefix(max(0, limit)).map {
      PokemonEntry(id: $0.id, name: $0.name, imageURL: $0.imageURL)
    }
    return PokemonPage(entries: entries, hasMore: rest.count > entries.count)
  }

  public func pokemon(id: Int) async throws -> Pokemon {
    try Task.checkCancellation()
    guard (1...Self.all.count).contains(id) else {
      throw LoadFailure(.notFound, "There is no Pokémon with the number \(id).", retryable: false)
    }
    return Self.all[id - 1]
  }
}

extension Pokemon {
  /// Reads a line of the table; a wrong one stops the first test that touches the table.
  fileprivate init(line: Substring) {
    let fields = line.split(separator: " ").map(String.init)
    let types = fields[2].split(separator: "/").map(String.init)
    let id = Int(fields[0])!
    self.init(
      id: id, name: fields[1], types: types, height: Int(fields[3])!, weight: Int(fields[4])!,
      imageURL: PokemonTile(number: id, type: types[0]).dataURL)
  }
}
