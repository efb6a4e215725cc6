import Offstage
import OffstageTesting

@testable import Showcase

/// Returns Pokémon when the test replies.
final class MockPokemon: PokemonRepository {
  let pages: Asked<Int, Page<PokemonEntry>>
  let details = Asked<Int, Pokemon>()
  let all = Asked<Void, [PokemonEntry]>()
  let names = Asked<Int, PokemonNames>()

  private let cached: ClosedRange<Int>?

  /// - Parameter cached: the numbers of the Pokémon that were loaded earlier.
  init(heedsCancellation: Bool = true, cached: ClosedRange<Int>? = nil) {
    pages = Asked(heedsCancellation: heedsCancellation)
    self.cached = cached
  }

  func page(offset: Int, limit: Int) -> Fetch<Page<PokemonEntry>> {
    Fetch { [cached] in
      cached.map { (Page($0.dropFirst(offset).prefix(limit)), loadedAt: .seconds(1000)) }
    } current: {
      try await self.pages(offset)
    }
  }

  func allPokemon() -> Fetch<[PokemonEntry]> { Fetch { try await self.all(()) } }

  func names(of pokemon: PokemonEntry) async throws -> PokemonNames {
    try await names(pokemon.id)
  }

  func pokemon(id: Int) -> Fetch<Pokemon> {
    Fetch { [cached] in
      cached?.contains(id) == true ? (.pikachu, loadedAt: .seconds(1000)) : nil
    } current: {
      try await self.details(id)
    }
  }

  func searchKey(_ names: [String]) -> String { names.joined(separator: "\n").lowercased() }

  func search(_ text: String, in keys: [String]) -> [Int] {
    keys.indices.filter { keys[$0].contains(text.lowercased()) }
  }
}

/// Returns image URLs when the test replies.
final class MockImages: ImageRepository {
  let urls = Asked<String, String>()

  func localURL(of url: String) async throws -> String { try await urls(url) }
}

/// Records the coordinator calls.
@CoreActor
final class MockPokedexCoordinator: PokedexCoordinator {
  private(set) var calls: [String] = []

  func showPokemon(id: Int) { calls.append("showPokemon was called, with \(id)") }
}

extension Page<PokemonEntry> {
  /// Creates Pokémon with these numbers, and data URLs as images.
  init(_ ids: some Sequence<Int>, hasMore: Bool = true) {
    self.init(
      ids.map {
        PokemonEntry(
          id: $0, name: "number \($0)", names: PokemonNames(own: ["en": "Number \($0)"]),
          imageURL: "data:,\($0)")
      },
      hasMore: hasMore)
  }
}
