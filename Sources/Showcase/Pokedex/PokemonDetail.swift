import Offstage

/// One Pokémon in detail, independent of the list.
final class PokemonDetail: ViewModel {
  enum Action: LoggableEvent {
    static let screen = "pokemonDetail"
    case didAppear, refresh
  }

  struct Argument: Codable, Sendable {
    /// National Pokédex number.
    let id: Int
  }

  struct Dependency {
    let id: Int
    let repository: any PokemonRepository
    let images: any ImageRepository
    let tracker: any EventTracker
  }

  typealias Input = DetailInput

  struct Output: StaleOutput {
    let detail = Out<PokemonDetails?>(nil)
    let isLoading = Out(false)
    let isStale = Out(false)
    let staleSince = Out<Int?>(nil)
    let failure = Out<Failure?>(nil)
    let canRetry = Out(false)
    let failed = Event<Failure>()
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  private let dependency: Dependency
  private let localizer = Localizer()
  private var pokemon: Pokemon?
  private lazy var imageLoading = effects.task(.latest, name: "image")
  private lazy var nameLoading = effects.task(.latest, name: "name")

  init(dependency: Dependency) {
    self.dependency = dependency
    dependency.tracker.track(input.didAppear, as: Action.didAppear)
    dependency.tracker.track(input.refresh, as: Action.refresh)
    let pokemon = Loader(dependency.repository.pokemon(id: dependency.id), effects)
    pokemon.values.observe { [self] in show($0) }
    pokemon.start(on: input, output, .loadPokemon, localizer)
    let showAgain = { [self] in
      if let pokemon = self.pokemon { show(pokemon) }
    }
    input.didAppear.observe(showAgain)
    localizer.onChange(showAgain)
  }

  private func show(_ pokemon: Pokemon) {
    let image = output.detail.value?.image
    var pokemon = pokemon
    if pokemon.entry.names == nil, self.pokemon?.entry.name == pokemon.entry.name {
      pokemon.entry.names = self.pokemon?.entry.names
    }
    self.pokemon = pokemon
    output.detail.value = PokemonDetails(pokemon, localizer.format)
    // A reload keeps the image instead of blanking it.
    if let image, image != FallbackImage.url { output.detail.value?.image = image }
    loadImage(pokemon.entry.imageURL)
    loadNames(of: pokemon.entry)
  }

  private func loadNames(of pokemon: PokemonEntry) {
    guard pokemon.names == nil else { return }
    nameLoading.run { [self] in
      let names = try await dependency.repository.names(of: pokemon)
      self.pokemon?.entry.names = names
      output.detail.value?.name = localizer.words.pokemon(pokemon.name, names)
    } catch: { _ in
      // The API's name stays until the screen appears again.
    }
  }

  private func loadImage(_ url: String?) {
    guard output.detail.value?.image == nil, let url else { return }
    imageLoading.run { [self] in
      // In two steps: a single one would read the old value before it waits, and write it back.
      let image = try await dependency.images.localURL(of: url)
      output.detail.value?.image = image
    } catch: { [self] _ in
      output.detail.value?.image = FallbackImage.url
    }
  }
}

/// A Pokémon on its own screen.
struct PokemonDetails: Codable, Hashable, Sendable, SchemaAnnotated {
  /// National Pokédex number.
  let id: Int
  var name: String
  /// The lowercase type names in slot order.
  let types: [String]
  /// The type names in the user's language.
  let typeNames: [String]
  /// Decimeters.
  let height: Int
  /// For example, `0.7 m`.
  let heightText: String
  /// Hectograms.
  let weight: Int
  /// For example, `6.9 kg`.
  let weightText: String
  /// A URL that opens without the network; nil while the image is loading.
  var image: String?

  init(_ pokemon: Pokemon, _ format: Format) {
    let words = format.words
    id = pokemon.entry.id
    name = words.pokemon(pokemon.entry.name, pokemon.entry.names)
    types = pokemon.types
    typeNames = pokemon.types.map(words.pokemonType)
    height = pokemon.height
    heightText = format.height(decimeters: pokemon.height)
    weight = pokemon.weight
    weightText = format.weight(hectograms: pokemon.weight)
    image = FallbackImage.displayableURL(pokemon.entry.imageURL)
  }

  static var meanings: [PartialKeyPath<Self>: Meaning] {
    [
      \.height: [.unit("dm"), .hidden], \.weight: [.unit("hg"), .hidden], \.types: .hidden,
      \.image: .picture(.poster),
    ]
  }
}
