import Offstage

/// One Pokémon in detail. It knows nothing of the list.
final class PokemonDetail: Screen {
  static let kind = "pokemonDetail"

  struct Argument: Codable, Sendable {
    /// National Pokédex number.
    let id: Int
  }

  struct Dependency {
    let id: Int
    let repository: any PokemonRepository
    let images: any ImageRepository
  }

  typealias Input = DetailInput

  struct Output: Ports {
    let detail = Out<PokemonDetails?>(nil)
    let isLoading = Out(false)
    /// The reason that there is nothing to show, such as an unknown id.
    let failure = Out<LoadFailure?>(nil)
    let failed = Event<LoadFailure>()
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  private let dependency: Dependency

  init(dependency: Dependency) {
    self.dependency = dependency
    let pokemon = Loader(effects) { [self] in
      if output.detail.value == nil,
        let cached = try await dependency.repository.cachedPokemon(id: dependency.id)
      {
        show(cached)
      }
      return try await dependency.repository.pokemon(id: dependency.id)
    }
    pokemon.values.observe { [self] in show($0) }
    pokemon.start(on: input, output.isLoading, output.failure, output.failed)
  }

  private func show(_ pokemon: Pokemon) {
    let image = output.detail.value?.image
    output.detail.value = PokemonDetails(pokemon)
    // A reload keeps the image instead of blanking it.
    if let image, image != FallbackImage.url { output.detail.value?.image = image }
    loadImage(pokemon.imageURL)
  }

  private func loadImage(_ url: String?) {
    guard output.detail.value?.image == nil, let url else { return }
    effects.run("image") { [self] in
      // In two steps: one would hold on to the old value while it waits, and write it back.
      let image = try await dependency.images.localURL(of: url)
      output.detail.value?.image = image
    } catch: { [self] _ in
      output.detail.value?.image = FallbackImage.url
    }
  }
}

/// A Pokémon on its own screen.
struct PokemonDetails: Codable, Hashable, Sendable {
  /// National Pokédex number.
  let id: Int
  let name: String
  /// Lower-case type names in slot order.
  let types: [String]
  /// Decimeters.
  let height: Int
  /// Hectograms.
  let weight: Int
  /// A URL that opens without the network; nil while the image is loading.
  var image: String?

  init(_ pokemon: Pokemon) {
    id = pokemon.id
    name = pokemon.name
    types = pokemon.types
    height = pokemon.height
    weight = pokemon.weight
    image = FallbackImage.openable(pokemon.imageURL)
  }
}
