import Offstage
import Showcase

/// Pokémon that come when the test says so.
final class MockPokemon: PokemonRepository {
  let pages: Asked<Int, PokemonPage>
  let details = Asked<Int, Pokemon>()

  init(heedsCancellation: Bool = true) { pages = Asked(heedsCancellation: heedsCancellation) }

  func page(offset: Int, limit: Int) async throws -> PokemonPage { try await pages(offset) }

  func pokemon(id: Int) async throws -> Pokemon { try await details(id) }
}

/// Pictures that come when the test says so.
final class MockImages: ImageRepository {
  let urls = Asked<String, String>()

  func localURL(of url: String) async throws -> String { try await urls(url) }
}

/// Notes what the list asked its coordinator for, in the article's words.
@CoreActor
final class MockPokedexCoordinator: PokedexCoordinator {
  private(set) var calls: [String] = []

  func showPokemon(id: Int) { calls.append("showPokemon was called, with \(id)") }
}

extension PokemonPage {
  /// Pokémon by their numbers, with pictures that need no network.
  init(_ ids: some Sequence<Int>, hasMore: Bool = true) {
    self.init(
      entries: ids.map { PokemonEntry(id: $0, name: "number \($0)", imageURL: "data:,\($0)") },
      hasMore: hasMore)
  }
}
