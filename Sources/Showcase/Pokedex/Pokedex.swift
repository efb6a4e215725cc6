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
  private let pager: Pager<Empty, PokemonEntry>

  public init(dependency: Dependency) {
    self.dependency = dependency
    pager = Pager(effects) { request in
      let page = try await dependency.repository.page(
        offset: request.offset, limit: Self.pageSize)
      return Page(page.entries, hasMore: page.hasMore)
    }
    output.isLoading.bind(pager.isLoading)
    pager.arrivals.observe { [self] in show($0) }
    pager.failures.observe { [self] in output.failed.send(LoadFailure($0)) }
    input.didAppear.observe { [self] in
      if output.pokemon.isEmpty { pager.loadFirst() }
    }
    input.reachedEnd.observe { [self] in pager.loadNext() }
    input.refresh.observe { [self] in pager.startOver() }
    input.retry.observe { [self] in pager.retry() }
    input.pokemonTapped.observe { dependency.coordinator.showPokemon(id: $0) }
  }

  /// The first page replaces what is shown once it is there; a later one is appended.
  private func show(_ page: Pager<Empty, PokemonEntry>.Arrival) {
    let rows = page.items.map { entry in
      PokedexRow(entry, image: picture(of: entry.id))
    }
    if page.isFirst {
      output.pokemon.reset(to: rows)
    } else {
      output.pokemon.append(contentsOf: rows)
    }
    output.hasMore.value = pager.hasMore
    for entry in page.items { loadImage(of: entry) }
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
