import Offstage

/// The list of all Pokémon, page by page.
final class Pokedex: ViewModel {
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
    let accountSwitches: Signal<Trigger>
    let tracker: any EventTracker
  }

  struct Input: Ports {
    let didAppear = In<Trigger>()
    let reachedEnd = In<Trigger>(.end(of: \Output.pokemon))
    let refresh = In<Trigger>()
    let retry = In<Trigger>()
    let pokemonTapped = In<Int>()
    /// Searches all Pokémon by number, and by name in every language. Blank text ends the search.
    let searchText = Field("")
    let resultsReachedEnd = In<Trigger>(.end(of: \Output.results))
  }

  struct Output: StaleOutput {
    /// Those of the Pokémon and of the results.
    let sections = Rows<PokedexSection>()
    let pokemon = Rows<PokedexRow>()
    /// The Pokémon that the search found.
    let results = Rows<PokedexRow>()
    /// True from the first edit until the results arrive.
    let isSearching = Out(false, .busy(of: \Output.results))
    let hasNoResults = Out(false)
    let hasMoreResults = Out(false)
    let searchFailure = Out<Failure?>(nil)
    let areResultsStale = Out(false)
    let resultsStaleSince = Out<Int?>(nil)
    let hasMore = Out(true)
    let isLoading = Out(false, .busy(of: \Output.pokemon))
    let isStale = Out(false)
    let staleSince = Out<Int?>(nil, .stale(of: \Output.pokemon))
    let failure = Out<Failure?>(nil)
    let canRetry = Out(false)
    let failed = Event<Failure>()
  }

  /// The number of rows on a page.
  static let pageSize = 20

  private static let pages = SharedArrays<PokemonEntry>()

  let input = Input()
  let output = Output()
  let effects = Effects()

  private let dependency: Dependency
  private let localizer = Localizer()
  private let pager: Pager<Empty, PokemonEntry>
  private let search: Pager<String, PokemonEntry>
  private let searchIndex: PokemonSearchIndex
  private lazy var imageLoading = effects.task(.keepFirst, name: "image")
  private lazy var nameLoading = effects.task(.keepFirst, name: "name")
  /// The loaded images, by number.
  private var images: [Int: String] = [:]
  /// The names that were loaded after their rows, by number.
  private var names: [Int: PokemonNames] = [:]
  /// True once the user knows that pictures are missing.
  private var hasReportedImages = false

  init(dependency: Dependency) {
    self.dependency = dependency
    let repository = dependency.repository
    pager = Pager(
      for: Empty(), effects, limit: Self.pageSize, sharing: Self.pages.shared,
      fetch: { repository.page(offset: $0.offset, limit: $0.limit) })
    let index = PokemonSearchIndex(repository)
    searchIndex = index
    // Searches here, not on the server, which does not.
    search = Pager(
      for: "", effects, name: "search", limit: Self.pageSize,
      cached: { request in
        try await index.cached().map { ($0.value.page(request), $0.loadedAt) }
      },
      current: { request in try await index.load().page(request) })
    output.bind(pager, .loadPokemonList, localizer, otherFailure: search.failure)
    dependency.tracker.track(input.didAppear, as: Action.didAppear)
    dependency.tracker.track(input.pokemonTapped) { Action.pokemonTapped(id: $0) }
    dependency.tracker.track(input.refresh, as: Action.refresh)
    pager.values.observe { [self] page in
      show(page.items, isFirst: page.isFirst)
      output.hasMore.value = pager.hasMore
    }
    input.didAppear.observe { [self] in
      pager.load()
      hasReportedImages = false
      for entry in pager.items + search.items { loadParts(of: entry) }
    }
    input.reachedEnd.observe { [self] in pager.loadNext() }
    input.refresh.observe { [self] in
      index.clear()
      hasReportedImages = false
      pager.reload()
    }
    input.retry.observe { [self] in
      pager.retry()
      search.retry()
    }
    input.pokemonTapped.observe { dependency.coordinator.showPokemon(id: $0) }
    bindSearch()
    localizer.onChange { [self] in
      show(pager.items, isFirst: true)
      output.results.reset(to: search.items.map(row))
    }
  }

  private func bindSearch() {
    localizer.show(search, .searchPokemon, in: output.searchFailure)
    output.areResultsStale.bindStale(output.resultsStaleSince, search.staleSince)
    search.failures.observe { [self] in output.failed.send(localizer.report($0, .searchPokemon)) }
    search.search(
      input.searchText, input.resultsReachedEnd, output.isSearching, output.hasNoResults,
      output.hasMoreResults, in: output.results, output.searchFailure, row: row
    ) { [dependency] in
      dependency.tracker.trackEvent(Action.searched)
    }
    // A search belongs to the account that was shown.
    dependency.accountSwitches.observe { [input] (_: Trigger) in input.searchText.value = "" }
    search.values.observe { [self] page in
      output.sections.append(contentsOf: sections(of: page.items))
      for entry in page.items { loadParts(of: entry) }
    }
  }

  private func sections(of entries: [PokemonEntry]) -> [PokedexSection] {
    entries.map { [words = localizer.words] in PokedexSection($0, words) }.withoutRepeats
  }

  private func row(_ entry: PokemonEntry) -> PokedexRow {
    PokedexRow(entry, names: names[entry.id], image: images[entry.id], localizer.words)
  }

  /// Shows a page. The first one replaces the list; later ones are appended.
  private func show(_ entries: [PokemonEntry], isFirst: Bool) {
    if isFirst {
      output.pokemon.reset(to: entries.map(row))
      output.sections.reset(to: sections(of: entries + search.items))
    } else {
      output.sections.append(contentsOf: sections(of: entries))
      output.pokemon.append(contentsOf: entries.map(row))
    }
    for entry in entries { loadParts(of: entry) }
  }

  /// Loads the image and the names of a row, unless they are loaded.
  private func loadParts(of entry: PokemonEntry) {
    loadImage(of: entry)
    loadNames(of: entry)
  }

  private func loadNames(of entry: PokemonEntry) {
    guard entry.names == nil, names[entry.id] == nil else { return }
    nameLoading[entry.id].run { [self] in
      let loaded = try await dependency.repository.names(of: entry)
      names[entry.id] = loaded
      let name = localizer.words.pokemon(entry.name, loaded)
      output.pokemon.update(entry.id) { $0.name = name }
      output.results.update(entry.id) { $0.name = name }
    } catch: { _ in
      // The row keeps the API's name, and its name is requested again when the row reappears.
    }
  }

  private func loadImage(of entry: PokemonEntry) {
    // An image that failed to load is tried again.
    let isLoaded = images[entry.id].map { $0 != FallbackImage.url } ?? false
    guard !isLoaded, FallbackImage.displayableURL(entry.imageURL) == nil, let url = entry.imageURL
    else { return }
    imageLoading[entry.id].run { [self] in
      show(image: try await dependency.images.localURL(of: url), of: entry.id)
    } catch: { [self] error in
      show(image: FallbackImage.url, of: entry.id)
      report(error)
    }
  }

  /// Says once that an overloaded server has not sent all images.
  private func report(_ error: any Error) {
    guard !hasReportedImages, [.rateLimited, .server].contains(LoadFailure(error).reason)
    else { return }
    hasReportedImages = true
    output.failed.send(localizer.report(error, .loadPictures))
  }

  private func show(image: String, of id: Int) {
    images[id] = image
    output.pokemon.update(id) { $0.image = image }
    output.results.update(id) { $0.image = image }
  }
}

/// All Pokémon and their names, loaded with the first search.
@CoreActor
private final class PokemonSearchIndex {
  /// Pokémon in the order of their numbers.
  struct Content {
    let entries: [PokemonEntry]
    let repository: any PokemonRepository
    private let keys: [String]

    init(_ entries: [PokemonEntry], _ repository: any PokemonRepository) {
      self.entries = entries
      self.repository = repository
      keys = entries.map { repository.searchKey($0.searchNames) }
    }

    @CoreActor
    func page(_ request: PageRequest<String>) -> Page<PokemonEntry> {
      let rest = repository.search(request.query, in: keys).dropFirst(request.offset)
      let page = rest.prefix(request.limit)
      return Page(page.map { entries[$0] }, hasMore: rest.count > page.count)
    }
  }

  private let repository: any PokemonRepository
  private var content: Content?

  init(_ repository: any PokemonRepository) { self.repository = repository }

  func load() async throws -> Content {
    if let content { return content }
    let loaded = Content(try await repository.allPokemon().current(), repository)
    content = loaded
    return loaded
  }

  /// Returns what the cache has; nil if the current content is loaded.
  func cached() async throws -> (value: Content, loadedAt: Duration)? {
    guard content == nil, let cached = try await repository.allPokemon().cached() else {
      return nil
    }
    return (Content(cached.value, repository), cached.loadedAt)
  }

  func clear() { content = nil }
}

extension PokemonEntry {
  /// The names in every language, the API's name with and without hyphens, and the number of the
  /// species.
  fileprivate var searchNames: [String] {
    let spaced = name.split(separator: "-").joined(separator: " ")
    let number = String(speciesID)
    let padded = "#" + String(repeating: "0", count: max(0, 4 - number.count)) + number
    let official = names.map { [$0.own, $0.species, $0.form].flatMap(\.values).sorted() } ?? []
    return [name, spaced, number, padded] + official
  }
}

@CoreActor
protocol PokedexCoordinator: AnyObject {
  func showPokemon(id: Int)
}

/// A Pokémon in the list.
struct PokedexRow: Identifiable, Codable, Hashable, Sendable, SchemaAnnotated {
  /// National Pokédex number.
  let id: Int
  var name: String
  /// A URL that opens without the network; nil while the image is loading.
  var image: String?
  /// The id of its section.
  let section: String

  init(_ entry: PokemonEntry, names: PokemonNames?, image: String?, _ words: Words) {
    id = entry.id
    name = words.pokemon(entry.name, names ?? entry.names)
    self.image = image ?? FallbackImage.displayableURL(entry.imageURL)
    section = PokedexSection(entry, words).id
  }

  static var meanings: [PartialKeyPath<Self>: Meaning] { [\.image: .picture(.thumbnail)] }
}

/// A group of Pokémon: by main type if the list knows it, or else by generation. Forms of an
/// unknown species have their own group. Sections are ordered by their first Pokémon.
struct PokedexSection: Identifiable, Codable, Hashable, Sendable {
  let id: String
  let title: String

  init(_ entry: PokemonEntry, _ words: Words) {
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
