package import Offstage
package import Showcase

/// The first 151 Pokémon, built in: for tests, demonstrations, and the first launch.
package struct BuiltInPokemonRepository: PokemonRepository {
  static let all = Pokemon.builtIn

  package init() {}

  package func page(offset: Int, limit: Int) -> Fetch<Page<PokemonEntry>> {
    Fetch {
      let rest = Self.all.dropFirst(max(0, offset))
      let entries = rest.prefix(max(0, limit)).map(\.entry)
      return Page(Array(entries), hasMore: rest.count > entries.count)
    }
  }

  package func allPokemon() -> Fetch<[PokemonEntry]> {
    Fetch { Self.all.map(\.entry) }
  }

  package func names(of pokemon: PokemonEntry) async throws -> PokemonNames {
    pokemon.names ?? PokemonNames(own: [:])
  }

  package func pokemon(id: Int) -> Fetch<Pokemon> {
    Fetch {
      guard (1...Self.all.count).contains(id) else {
        throw LoadFailure(
          .notFound, "There is no Pokémon with the number \(id).", retryable: false)
      }
      return Self.all[id - 1]
    }
  }
}
