import Offstage

/// The list of all Pokémon, page by page.
final class Pokedex: Screen {
  static let kind = "pokedex"

  struct Dependency {
    let repository: any PokemonRepository
    let images: any ImageRepository
    let coordinator: any PokedexCoordinator
  }

  struct Input: Ports {
    let didAppear = In<Trigger>()
    let reachedEnd = In<Trigger>()
    let refresh = In<Trigger>()
    let retry = In<Trigger>()
    let pokemonTapped = In<Int>()
    /// Searches all Pokémon by name; an empty text ends the search.
    let searchText = In<String>()
  }

  struct Output: Ports {
    let sections = Rows<PokedexSection>()
    let pokemon = Rows<PokedexRow>()
    /// The Pokémon that the search found.
    let results = Rows<PokedexRow>()
    let isSearching = Out(false)
    let isLoading = Out(false)
    let hasMore = Out(true)
    let failed = Event<LoadFailure>()
  }

  /// The number of rows on a page.
  static let pageSize = 20
  /// The maximum number of search results.
  static let searchLimit = 50

  let input = Input()
  let output = Output()
  let effects = Effects()

  private let dependency: Dependency
  private let pager: Pager<Empty, PokemonEntry>

  init(dependency: Dependency) {
    self.dependency = dependency
    pager = Pager(effects) { request in
      let page = try await dependency.repository.page(
        offset: request.offset, limit: Self.pageSize)
      return Page(page.entries, hasMore: page.hasMore)
    }
    output.isLoading.bind(pager.isLoading)
    pager.arrivals.observe { [self] page in
      show(page.items, isFirst: page.isFirst)
      output.hasMore.value = pager.hasMore
    }
    pager.failures.observe { [self] in output.failed.send(LoadFailure($0)) }
    input.didAppear.observe { [self] in
      guard output.pokemon.isEmpty else { return }
      showCached()
      pager.loadFirst()
    }
    input.reachedEnd.observe { [self] in pager.loadNext() }
    input.refresh.observe { [self] in pager.startOver() }
    input.retry.observe { [self] in pager.retry() }
    input.pokemonTapped.observe { dependency.coordinator.showPokemon(id: $0) }
    output.isSearching.bind(effects.activity("search"))
    input.searchText.debounce(.milliseconds(300)).observe { [self] in search($0) }
  }

  /// Shows the first page as it was last loaded, while the server is asked for the current one.
  private func showCached() {
    effects.run("cached", .keepFirst) { [self] in
      let page = try await dependency.repository.cachedPage(offset: 0, limit: Self.pageSize)
      if let page, output.pokemon.isEmpty { show(page.entries, isFirst: true) }
    } catch: { _ in
      // The request that runs beside it reports what is wrong.
    }
  }

  private func search(_ text: String) {
    guard !text.isBlank else {
      effects.cancel("search")
      return output.results.removeAll()
    }
    effects.run("search", .latest) { [self] in
      let found = try await dependency.repository.pokemon(named: text, limit: Self.searchLimit)
      try Task.checkCancellation()
      output.results.reset(to: found.map { PokedexRow($0, image: picture(of: $0.id)) })
      for entry in found { loadImage(of: entry) }
    } catch: { [self] error in
      output.failed.send(LoadFailure(error))
    }
  }

  /// Shows a page: the first replaces the list, a later one is appended.
  private func show(_ entries: [PokemonEntry], isFirst: Bool) {
    let rows = entries.map { entry in
      PokedexRow(entry, image: picture(of: entry.id))
    }
    if isFirst {
      output.pokemon.reset(to: rows)
      output.sections.reset(to: entries.map(PokedexSection.init))
    } else {
      output.sections.append(contentsOf: entries.map(PokedexSection.init))
      output.pokemon.append(contentsOf: rows)
    }
    for entry in entries { loadImage(of: entry) }
  }

  /// Returns the image that the list shows already, unless it is the placeholder.
  private func picture(of id: Int) -> String? {
    output.pokemon[id]?.image.flatMap { $0 == FallbackImage.url ? nil : $0 }
  }

  private func loadImage(of entry: PokemonEntry) {
    let row = output.pokemon[entry.id] ?? output.results[entry.id]
    guard row?.image == nil, let url = entry.imageURL else { return }
    effects.run("image \(entry.id)", .keepFirst) { [self] in
      show(image: try await dependency.images.localURL(of: url), of: entry.id)
    } catch: { [self] _ in
      show(image: FallbackImage.url, of: entry.id)
    }
  }

  private func show(image: String, of id: Int) {
    output.pokemon.update(id) { $0.image = image }
    output.results.update(id) { $0.image = image }
  }
}

/// The ways out of the Pokédex.
@CoreActor
protocol PokedexCoordinator {
  func showPokemon(id: Int)
}

/// A Pokémon in the list.
struct PokedexRow: Identifiable, Codable, Hashable, Sendable {
  /// National Pokédex number.
  let id: Int
  let name: String
  /// A URL that opens without the network; nil while the image is loading.
  var image: String?
  /// The id of its section.
  let section: String

  init(_ entry: PokemonEntry, image: String?) {
    id = entry.id
    name = entry.name
    self.image = image ?? FallbackImage.openable(entry.imageURL)
    section = PokedexSection(entry).id
  }
}

/// A group of Pokémon: the main type if the list knows it, or else the generation. Sections are
/// ordered by their first Pokémon.
struct PokedexSection: Identifiable, Codable, Hashable, Sendable {
  let id: String
  let title: String

  init(_ entry: PokemonEntry) {
    if let type = entry.type {
      id = "type-\(type)"
      title = type.prefix(1).uppercased() + type.dropFirst()
    } else {
      let generation = Self.generation(of: entry.speciesID)
      id = "generation-\(generation)"
      title = "Generation \(generation)"
    }
  }

  /// The last National Pokédex number of each generation.
  private static let lastNumbers = [151, 251, 386, 493, 649, 721, 809, 905]

  private static func generation(of id: Int) -> Int {
    (lastNumbers.firstIndex { id <= $0 } ?? lastNumbers.count) + 1
  }
}
