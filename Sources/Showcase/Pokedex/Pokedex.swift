import Offstage

/// The list of all Pokémon, page by page.
final class Pokedex: Screen {
  static let kind = "pokedex"

  enum Action: LoggableEvent {
    static let screen = "pokedex"
    case didAppear
    case pokemonTapped(id: Int)
    case searched, refresh
  }

  struct Dependency {
    let repository: any PokemonRepository
    let images: any ImageRepository
    let coordinator: any PokedexCoordinator
    let tracker: any EventTracker
  }

  struct Input: Ports {
    let didAppear = In<Trigger>()
    let reachedEnd = In<Trigger>(.end(of: \Output.pokemon))
    let refresh = In<Trigger>()
    let retry = In<Trigger>()
    let pokemonTapped = In<Int>()
    /// Searches all Pokémon by name. Blank text ends the search.
    let searchText = Field("")
  }

  struct Output: StaleOutput {
    let sections = Rows<PokedexSection>()
    let pokemon = Rows<PokedexRow>()
    /// The Pokémon that the search found.
    let results = Rows<PokedexRow>()
    /// True from the first edit until the results arrive.
    let isSearching = Out(false)
    let hasNoResults = Out(false)
    let searchFailure = Out<Failure?>(nil)
    let areResultsStale = Out(false)
    let resultsStaleSince = Out<Int?>(nil)
    let hasMore = Out(true)
    let isLoading = Out(false)
    let isStale = Out(false)
    let staleSince = Out<Int?>(nil)
    let failure = Out<Failure?>(nil)
    let canRetry = Out(false)
    let failed = Event<Failure>()
  }

  /// The number of rows on a page.
  static let pageSize = 20
  /// The maximum number of search results.
  static let searchLimit = 50

  let input = Input()
  let output = Output()
  let effects = Effects()

  private let dependency: Dependency
  private let localizer = Localizer()
  private let pager: Pager<Empty, PokemonEntry>
  private let search: Pager<String, PokemonEntry>
  private let names: PokemonNames
  private lazy var imageLoading = effects.task(.keepFirst)
  private var found: [PokemonEntry] = []
  /// The loaded images, by number.
  private var images: [Int: String] = [:]

  init(dependency: Dependency) {
    self.dependency = dependency
    let repository = dependency.repository
    pager = Pager(
      for: Empty(), effects, limit: Self.pageSize,
      fetch: { repository.page(offset: $0.offset, limit: $0.limit) })
    let names = PokemonNames(repository)
    self.names = names
    // Searches here, not on the server, because names are in the user's language.
    let found = { [localizer] (text: String, all: [PokemonEntry]) in
      let names = all.map { $0.names(localizer.words) }
      let positions = repository.search(text, in: names).prefix(Self.searchLimit)
      return Page(positions.map { all[$0] }, hasMore: false)
    }
    search = Pager(
      for: "", effects, name: "search",
      cached: { request in try await names.cached()?.map { found(request.query, $0) } },
      current: { request in found(request.query, try await names.load()) })
    output.bind(pager, .loadPokemonList, localizer, otherFailure: search.failure)
    dependency.tracker.track(input.didAppear, as: Action.didAppear)
    dependency.tracker.track(input.pokemonTapped) { Action.pokemonTapped(id: $0) }
    dependency.tracker.track(input.refresh, as: Action.refresh)
    pager.arrivals.observe { [self] page in
      show(page.items, isFirst: page.isFirst)
      output.hasMore.value = pager.hasMore
    }
    input.didAppear.observe { [self] in pager.load() }
    input.reachedEnd.observe { [self] in pager.loadNext() }
    input.refresh.observe { [self] in
      names.clear()
      pager.startOver()
    }
    input.retry.observe { [self] in
      pager.retry()
      search.retry()
    }
    input.pokemonTapped.observe { dependency.coordinator.showPokemon(id: $0) }
    bindSearch()
    localizer.onChange { [self] in
      show(pager.items, isFirst: true)
      showResults()
    }
  }

  private func bindSearch() {
    localizer.show(search, .searchPokemon, in: output.searchFailure)
    output.areResultsStale.bindStale(output.resultsStaleSince, search.staleSince)
    search.failures.observe { [self] in output.failed.send(localizer.report($0, .searchPokemon)) }
    search.search(
      input.searchText, output.isSearching, output.hasNoResults, in: output.results,
      output.searchFailure
    ) { [dependency] in
      dependency.tracker.trackEvent(Action.searched)
    } show: { [self] entries in
      found = entries
      showResults()
      for entry in entries { loadImage(of: entry) }
    }
  }

  private func showResults() { output.results.reset(to: found.map(row)) }

  private func row(_ entry: PokemonEntry) -> PokedexRow {
    PokedexRow(entry, image: images[entry.id], localizer.words)
  }

  /// Shows a page. The first one replaces the list; later ones are appended.
  private func show(_ entries: [PokemonEntry], isFirst: Bool) {
    let sections = entries.map { [words = localizer.words] in PokedexSection($0, words) }
    if isFirst {
      output.pokemon.reset(to: entries.map(row))
      output.sections.reset(to: sections.withoutRepeats)
    } else {
      output.sections.append(contentsOf: sections)
      output.pokemon.append(contentsOf: entries.map(row))
    }
    for entry in entries { loadImage(of: entry) }
  }

  private func loadImage(of entry: PokemonEntry) {
    // An image that failed to load is tried again.
    let isLoaded = images[entry.id].map { $0 != FallbackImage.url } ?? false
    guard !isLoaded, FallbackImage.displayableURL(entry.imageURL) == nil, let url = entry.imageURL
    else { return }
    imageLoading[entry.id].run { [self] in
      show(image: try await dependency.images.localURL(of: url), of: entry.id)
    } catch: { [self] _ in
      show(image: FallbackImage.url, of: entry.id)
    }
  }

  private func show(image: String, of id: Int) {
    images[id] = image
    output.pokemon.update(id) { $0.image = image }
    output.results.update(id) { $0.image = image }
  }
}

extension PokemonEntry {
  /// Returns the names to search: the API's name, with and without hyphens, and the name in the
  /// user's language.
  fileprivate func names(_ words: any Words) -> [String] {
    let spaced = name.split(separator: "-").joined(separator: " ")
    return [name, spaced, words.pokemon(name, number: id)]
  }
}

/// The names of all Pokémon, loaded with the first search.
@CoreActor
private final class PokemonNames {
  private let repository: any PokemonRepository
  private var all: [PokemonEntry]?

  init(_ repository: any PokemonRepository) { self.repository = repository }

  func load() async throws -> [PokemonEntry] {
    if let all { return all }
    let loaded = try await repository.allPokemon().current()
    all = loaded
    return loaded
  }

  /// Returns the names from the cache; nil if current ones are loaded.
  func cached() async throws -> Cached<[PokemonEntry]>? {
    all == nil ? try await repository.allPokemon().cached() : nil
  }

  func clear() { all = nil }
}

@CoreActor
protocol PokedexCoordinator {
  func showPokemon(id: Int)
}

/// A Pokémon in the list.
struct PokedexRow: Identifiable, Codable, Hashable, Sendable, SchemaAnnotated {
  /// National Pokédex number.
  let id: Int
  let name: String
  /// A URL that opens without the network; nil while the image is loading.
  var image: String?
  /// The id of its section.
  let section: String

  init(_ entry: PokemonEntry, image: String?, _ words: any Words) {
    id = entry.id
    name = words.pokemon(entry.name, number: entry.id)
    self.image = image ?? FallbackImage.displayableURL(entry.imageURL)
    section = PokedexSection(entry, words).id
  }

  static var meanings: [PartialKeyPath<Self>: Meaning] { [\.image: .picture] }
}

/// A group of Pokémon: by main type if the list knows it, or else by generation. Forms of an
/// unknown species have their own group. Sections are ordered by their first Pokémon.
struct PokedexSection: Identifiable, Codable, Hashable, Sendable {
  let id: String
  let title: String

  init(_ entry: PokemonEntry, _ words: any Words) {
    if let type = entry.type {
      id = "type-\(type)"
      title = words.pokemonType(type)
    } else if let generation = Self.generation(of: entry.speciesID) {
      id = "generation-\(generation)"
      title = words.generation(generation)
    } else {
      id = "forms"
      title = words.otherForms
    }
  }

  /// The last National Pokédex number of each generation.
  private static let lastNumbers = [151, 251, 386, 493, 649, 721, 809, 905]

  /// Returns nil for the number of a form.
  private static func generation(of id: Int) -> Int? {
    if id > PokemonEntry.lastSpecies { return nil }
    return (lastNumbers.firstIndex { id <= $0 } ?? lastNumbers.count) + 1
  }
}
