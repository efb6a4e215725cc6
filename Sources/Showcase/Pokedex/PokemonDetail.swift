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

  struct Input: Ports {
    let didAppear = In<Trigger>()
    let retry = In<Trigger>()
  }

  struct Output: Ports {
    let detail = Out<PokemonDetails?>(nil)
    let isLoading = Out(false)
    let failed = Event<LoadFailure>()
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  private let dependency: Dependency

  init(dependency: Dependency) {
    self.dependency = dependency
    output.isLoading.bind(effects.activity("load"))
    input.didAppear.merge(input.retry).observe { [self] (_: Trigger) in load() }
    load()
  }

  private func load() {
    guard output.detail.value == nil else { return }
    effects.run("load", .keepFirst) { [self] in
      let cached = try await dependency.repository.cachedPokemon(id: dependency.id)
      if let cached { show(cached) }
      let pokemon = try await dependency.repository.pokemon(id: dependency.id)
      if pokemon != cached { show(pokemon) }
    } catch: { [self] error in
      output.failed.send(LoadFailure(error))
    }
  }

  private func show(_ pokemon: Pokemon) {
    output.detail.value = PokemonDetails(pokemon)
    loadImage(pokemon.imageURL)
  }

  private func loadImage(_ url: String?) {
    guard output.detail.value?.image == nil, let url else { return }
    effects.run("image") { [self] in
      output.detail.value?.image = try await dependency.images.localURL(of: url)
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
