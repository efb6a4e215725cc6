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
    let reachedEnd = In<Trigger>(.end(of: \Output.pokemon))
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
  private var entries: [PokemonEntry] = []
  private var found: [PokemonEntry] = []

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
    pager.failures.observe { [self] in output.failed.send(localizer.report($0, .loadPokemonList)) }
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
    localizer.onChange { [self] in
      show(entries, isFirst: true)
      showResults()
    }
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
      found = []
      return showResults()
    }
    effects.run("search", .latest) { [self] in
      let found = try await pokemon(named: text)
      try Task.checkCancellation()
      self.found = found
      showResults()
      for entry in found { loadImage(of: entry) }
    } catch: { [self] error in
      output.failed.send(localizer.report(error, .searchPokemon))
    }
  }

  /// Searches by the name in the person's language, and by that of the API.
  private func pokemon(named text: String) async throws -> [PokemonEntry] {
    let repository = dependency.repository
    let found = try await repository.pokemon(named: text, limit: Self.searchLimit)
    guard found.isEmpty, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return found }
    let words = localizer.words
    let typed = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let all = try await repository.pokemon(named: "", limit: .max)
    let named = all.filter { words.pokemon($0.name, number: $0.id).contains(typed) }
    return Array(named.prefix(Self.searchLimit))
  }

  private func showResults() { output.results.reset(to: found.map(row)) }

  private func row(_ entry: PokemonEntry) -> PokedexRow {
    PokedexRow(entry, image: picture(of: entry.id), localizer.words)
  }

  /// Shows a page: the first replaces the list, a later one is appended.
  private func show(_ entries: [PokemonEntry], isFirst: Bool) {
    let sections = entries.map { [words = localizer.words] in PokedexSection($0, words) }
    if isFirst {
      self.entries = entries
      output.pokemon.reset(to: entries.map(row))
      output.sections.reset(to: sections)
    } else {
      self.entries += entries
      output.sections.append(contentsOf: sections)
      output.pokemon.append(contentsOf: entries.map(row))
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

  init(_ entry: PokemonEntry, image: String?, _ words: any Words) {
    id = entry.id
    name = words.pokemon(entry.name, number: entry.id)
    self.image = image ?? FallbackImage.openable(entry.imageURL)
    section = PokedexSection(entry, words).id
  }
}

extension PokedexRow: SchemaAnnotated {
  static var meanings: [PartialKeyPath<Self>: Meaning] { [\.image: .picture] }
}

/// A group of Pokémon: the main type if the list knows it, or else the generation. Sections are
/// ordered by their first Pokémon.
struct PokedexSection: Identifiable, Codable, Hashable, Sendable {
  let id: String
  let title: String

  init(_ entry: PokemonEntry, _ words: any Words) {
    if let type = entry.type {
      id = "type-\(type)"
      title = words.pokemonType(type)
    } else {
      let generation = Self.generation(of: entry.speciesID)
      id = "generation-\(generation)"
      title = words.generation(generation)
    }
  }

  /// The last National Pokédex number of each generation.
  private static let lastNumbers = [151, 251, 386, 493, 649, 721, 809, 905]

  private static func generation(of id: Int) -> Int {
    (lastNumbers.firstIndex { id <= $0 } ?? lastNumbers.count) + 1
  }
}
