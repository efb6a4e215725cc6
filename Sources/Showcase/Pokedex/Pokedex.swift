public import Offstage

/// The list of all Pokémon: it pages, refreshes and knows nothing of the details.
public final class Pokedex: Screen {
  public static let kind = "pokedex"

  public struct Dependency {
    public let repository: any PokemonRepository
    public let images: any ImageRepository
    public let coordinator: any PokedexCoordinator

    public init(
      repository: any PokemonRepository, images: any ImageRepository,
      coordinator: any PokedexCoordinator
    ) {
      self.repository = repository
      self.images = images
      self.coordinator = coordinator
    }
  }

  public struct Input: Ports {
    public let didAppear = In<Trigger>()
    public let reachedEnd = In<Trigger>()
    public let refresh = In<Trigger>()
    public let retry = In<Trigger>()
    public let pokemonTapped = In<Int>()
    public init() {}
  }

  public struct Output: Ports {
    public let pokemon = Rows<PokedexRow>()
    public let isLoading = Out(false)
    public let hasMore = Out(true)
    public let failed = Event<LoadFailure>()
    public init() {}
  }

  /// Rows of one page.
  static let pageSize = 20

  public let input = Input()
  public let output = Output()
  public let effects = Effects()

  private let dependency: Dependency
  /// What `retry` asks for again.
  private var failedOffset: Int?

  public init(dependency: Dependency) {
    self.dependency = dependency
    output.isLoading.bind(effects.activity("page"))
    input.didAppear.observe { [self] in
      if output.pokemon.isEmpty { load(from: 0, .keepFirst) }
    }
    input.reachedEnd.observe { [self] in
      if output.hasMore.value { load(from: output.pokemon.count, .keepFirst) }
    }
    input.refresh.observe { [self] in load(from: 0, .latest) }
    input.retry.observe { [self] in
      if let failedOffset { load(from: failedOffset, .keepFirst) }
    }
    input.pokemonTapped.observe { dependency.coordinator.showPokemon(id: $0) }
  }

  /// Loads one page. The first replaces what is shown once it is there; a later one is appended.
  private func load(from offset: Int, _ policy: Effects.Policy) {
    effects.run("page", policy) { [self] in
      let page = try await dependency.repository.page(offset: offset, limit: Self.pageSize)
      // A page may have been on its way already when a refresh took its place.
      try Task.checkCancellation()
      show(page, from: offset)
    } catch: { [self] error in
      failedOffset = offset
      output.failed.send(LoadFailure(error))
    }
  }

  private func show(_ page: PokemonPage, from offset: Int) {
    failedOffset = nil
    let rows = page.entries.map { entry in
      PokedexRow(entry, image: picture(of: entry.id))
    }
    if offset == 0 {
      output.pokemon.reset(to: rows)
    } else {
      output.pokemon.append(contentsOf: rows)
    }
    output.hasMore.value = page.hasMore
    for entry in page.entries { loadImage(of: entry) }
  }

  /// The picture that is shown already, unless it only stands in for one.
  private func picture(of id: Int) -> String? {
    output.pokemon[id]?.image.flatMap { $0 == FallbackImage.url ? nil : $0 }
  }

  private func loadImage(of entry: PokemonEntry) {
    guard output.pokemon[entry.id]?.image == nil, let url = entry.imageURL else { return }
    effects.run("image \(entry.id)", .keepFirst) { [self] in
      let local = try await dependency.images.localURL(of: url)
      output.pokemon.update(entry.id) { $0.image = local }
    } catch: { [self] _ in
      output.pokemon.update(entry.id) { $0.image = FallbackImage.url }
    }
  }
}

/// Where the list can lead.
@CoreActor
public protocol PokedexCoordinator {
  func showPokemon(id: Int)
}
