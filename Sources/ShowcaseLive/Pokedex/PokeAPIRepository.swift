package import Offstage
package import OffstageFoundation
package import OffstageLive
package import Showcase

/// Pokémon from a server with the shape of PokéAPI v2; see https://pokeapi.co/docs/v2.
///
/// The last good response to each request is stored for use offline. Names are assumed not to change:
/// a stored one is not requested again.
package struct PokeAPIRepository: PokemonRepository {
  /// The pictures of https://pokeapi.co, which its lists do not name.
  package static let publicSprites = URL(
    string: "https://raw.githubusercontent.com/PokeAPI/sprites/master/sprites/pokemon")!

  private let base: URL
  private let sprites: URL
  private let cache: ResponseCache
  /// The number of names to request at the same time for the search.
  private static let namesAtOnce = 4

  /// - Parameters:
  ///   - base: The address of the endpoints, such as `https://pokeapi.co/api/v2`.
  ///   - sprites: The folder of the pictures `1.png`, …; nil for `sprites/pokemon` at the base.
  package init(base: URL, sprites: URL? = nil, client: HTTPClient, database: Database) {
    self.base = base
    self.sprites = sprites ?? base.appending(endpoint: "sprites/pokemon")
    cache = ResponseCache(client: client, database: database)
  }

  package func page(offset: Int, limit: Int) -> Fetch<Page<PokemonEntry>> {
    // The server sorts by National Pokédex number, with the forms at the end.
    let page = fetch(.pokemon(offset: offset, limit: limit))
    let species = fetch(.species)
    let forms = fetch(.forms)
    return Fetch {
      guard let page = try await page.cached() else { return nil }
      let lists = page.value.hasForms ? [try await species.cached(), try await forms.cached()] : []
      let entries = try await entries(page.value, lists.map { $0?.value })
      return (entries, page.loadedAt)
    } current: {
      let page = try await page.current()
      guard page.hasForms else { return try await entries(page) }
      return try await entries(page, [kept(species), kept(forms)])
    }
  }

  /// Returns the current list, or else the stored one: a page needs none of these.
  private func kept(_ list: Fetch<PokeAPIList>) async throws -> PokeAPIList? {
    let current = try? await list.current()
    try Task.checkCancellation()
    if let current { return current }
    return try await list.cached()?.value
  }

  package func allPokemon() -> Fetch<[PokemonEntry]> {
    let all = page(offset: 0, limit: 100_000).map { $0.items }
    return Fetch {
      // The first search need not wait for the names.
      if let cached = try await all.cached() { return cached }
      return (try await all.current(), loadedAt: await cache.client.now())
    } current: {
      try await named(try await all.current())
    }
  }

  package func pokemon(id: Int) -> Fetch<Pokemon> {
    fetch(.pokemon(id: id)).map { detail in
      var pokemon = Pokemon(detail)
      pokemon.entry.names = try await names(of: pokemon.entry) { try await $0.cached()?.value }
      return pokemon
    }
  }

  // MARK: Names

  package func names(of pokemon: PokemonEntry) async throws -> PokemonNames {
    let names = try await names(of: pokemon) { names in
      if let cached = try await names.cached() { return cached.value }
      return try await names.current()
    }
    return names ?? PokemonNames(own: [:])
  }

  /// - Parameter load: Returns nil if the names are not to be requested.
  private func names(
    of pokemon: PokemonEntry, _ load: (Fetch<PokeAPINames>) async throws -> PokeAPINames?
  ) async throws -> PokemonNames? {
    guard let species = try await load(fetch(.species(id: pokemon.speciesID)))?.names.values
    else { return nil }
    guard pokemon.isForm else { return PokemonNames(own: species) }
    guard let id = pokemon.formID else { return PokemonNames(own: [:], species: species) }
    guard let form = try await load(fetch(.form(id: id))) else { return nil }
    return PokemonNames(
      own: form.names.values, species: species, form: form.formNames?.values ?? [:],
      formID: form.formID ?? "")
  }

  /// Adds the names that are missing. A name that the server does not have stays missing.
  private func named(_ entries: [PokemonEntry]) async throws -> [PokemonEntry] {
    var entries = entries
    try await withThrowingTaskGroup(of: (Int, PokemonNames?).self) { group in
      var running = 0
      func finishOne() async throws {
        running -= 1
        if let (position, names) = try await group.next() { entries[position].names = names }
      }
      for (position, entry) in entries.enumerated()
      where entry.names == nil && entry.speciesID < PokemonEntry.lastSpecies {
        if running == Self.namesAtOnce { try await finishOne() }
        running += 1
        group.addTask {
          do { return (position, try await names(of: entry)) } catch let failure as LoadFailure
            where !failure.retryable
          {
            return (position, nil)
          }
        }
      }
      while running > 0 { try await finishOne() }
    }
    return entries
  }

  private func fetch<Response>(_ endpoint: PokeAPIEndpoint<Response>) -> Fetch<Response> {
    cache.fetch(endpoint.url(at: base))
  }

  /// - Parameter lists: The lists of species and of forms, if they are known.
  private func entries(
    _ page: PokeAPIList, _ lists: [PokeAPIList?] = []
  ) async throws -> Page<PokemonEntry> {
    let ids = lists.map { $0?.ids ?? [:] } + [[:], [:]]
    var entries: [PokemonEntry] = []
    for listed in page.results {
      var entry = PokemonEntry(
        id: listed.url.id, name: listed.name, speciesID: listed.speciesID(ids[0]),
        formID: listed.url.isForm ? ids[1][listed.name] : nil,
        imageURL: sprites.appending(endpoint: "\(listed.url.id).png").absoluteString)
      entry.names = try await names(of: entry) { try await $0.cached()?.value }
      entries.append(entry)
    }
    return Page(entries, hasMore: page.next != nil)
  }
}

extension PokemonEntry {
  fileprivate var isForm: Bool { id > Self.lastSpecies }
}

extension Pokemon {
  fileprivate init(_ detail: PokeAPIDetail) {
    let entry = PokemonEntry(
      id: detail.id, name: detail.name, speciesID: detail.species?.url.id,
      formID: detail.id > PokemonEntry.lastSpecies ? detail.forms?.first?.url.id : nil,
      imageURL: detail.sprites.best)
    self.init(
      entry, types: detail.types.sorted { $0.slot < $1.slot }.map(\.type.name),
      height: detail.height, weight: detail.weight)
  }
}

/// A request to PokéAPI, and the type of its response.
struct PokeAPIEndpoint<Response: Codable & Sendable> {
  /// The path, with a trailing slash to avoid a redirect.
  let path: String
  var query: [(name: String, value: Int)] = []

  func url(at base: URL) -> URL {
    base.appending(
      endpoint: path, query: query.map { URLQueryItem(name: $0.name, value: "\($0.value)") })
  }
}

extension PokeAPIEndpoint<PokeAPIList> {
  static func pokemon(offset: Int, limit: Int) -> Self {
    Self(path: "pokemon/", query: [("offset", offset), ("limit", limit)])
  }

  static var species: Self { Self(path: "pokemon-species/", query: [("limit", 100_000)]) }
  static var forms: Self { Self(path: "pokemon-form/", query: [("limit", 100_000)]) }
}

extension PokeAPIEndpoint<PokeAPINames> {
  fileprivate static func species(id: Int) -> Self { Self(path: "pokemon-species/\(id)/") }
  fileprivate static func form(id: Int) -> Self { Self(path: "pokemon-form/\(id)/") }
}

extension PokeAPIEndpoint<PokeAPIDetail> {
  static func pokemon(id: Int) -> Self { Self(path: "pokemon/\(id)/") }
}

// MARK: Responses, with the members that the Pokédex reads.

struct PokeAPIList: Codable, Sendable {
  struct Entry: Codable, Sendable {
    var name: String
    var url: PokeAPILink

    /// Returns the species of a form. It has the longest name that the form's name begins with:
    /// `mr-mime-galar` is a `mr-mime`.
    func speciesID(_ idsByName: [String: Int]) -> Int? {
      var parts = name.split(separator: "-")
      while url.isForm, !parts.isEmpty {
        if let id = idsByName[parts.joined(separator: "-")] { return id }
        parts.removeLast()
      }
      return nil
    }
  }

  /// The address of the next page; null on the last one.
  var next: String?
  var results: [Entry]

  var hasForms: Bool { results.contains(where: \.url.isForm) }

  var ids: [String: Int] {
    Dictionary(results.map { ($0.name, $0.url.id) }) { first, _ in first }
  }
}

/// The names of a species or form.
private struct PokeAPINames: Codable, Sendable {
  /// The names in the app's languages.
  struct Localized: Codable, Sendable {
    private struct Entry: Codable {
      struct Language: Codable { var name: String }

      var name: String
      var language: Language
    }

    var values: [String: String]

    init(from decoder: any Decoder) throws {
      let entries = try [Entry](from: decoder).filter { !$0.name.isEmpty }
      values = Dictionary(entries.map { ($0.language.name, $0.name) }) { first, _ in first }
        .filter { code, _ in Languages.supported.contains { $0.language == code } }
    }

    func encode(to encoder: any Encoder) throws {
      try values.sorted { $0.key < $1.key }
        .map { Entry(name: $0.value, language: .init(name: $0.key)) }.encode(to: encoder)
    }
  }

  var names: Localized
  var formNames: Localized?
  var formID: String?

  enum CodingKeys: String, CodingKey {
    case names
    case formNames = "form_names"
    case formID = "form_name"
  }
}

struct PokeAPIDetail: Codable, Sendable {
  struct TypeSlot: Codable, Sendable {
    struct Kind: Codable, Sendable { var name: String }

    var slot: Int
    var type: Kind
  }

  var id: Int
  var name: String
  var height: Int
  var weight: Int
  var types: [TypeSlot]
  var sprites: PokeAPISprites
  var species: PokeAPIList.Entry?
  var forms: [PokeAPIList.Entry]?
}

/// The pictures of one Pokémon; each may be missing.
struct PokeAPISprites: Codable, Sendable {
  struct Picture: Codable, Sendable {
    var front: String?

    enum CodingKeys: String, CodingKey { case front = "front_default" }
  }

  struct Other: Codable, Sendable {
    var artwork: Picture?

    enum CodingKeys: String, CodingKey { case artwork = "official-artwork" }
  }

  var front: String?
  var other: Other?

  enum CodingKeys: String, CodingKey {
    case front = "front_default"
    case other
  }

  /// The most detailed picture. Only http and https are accepted, not local files or scripts.
  var best: String? {
    [other?.artwork?.front, front].lazy.compactMap(\.self).first { URL(string: $0)?.isHTTP == true }
  }
}

/// An address such as `https://pokeapi.co/api/v2/pokemon/25/`, of which only the number is kept.
struct PokeAPILink: Codable, Sendable {
  var id: Int

  var isForm: Bool { id > PokemonEntry.lastSpecies }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let url = try container.decode(String.self)
    // Front ends hold integers exactly up to 2^53.
    guard let last = url.split(separator: "/").last, let id = Int(last), (0...1 << 53).contains(id)
    else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "an address that ends in a number")
    }
    self.id = id
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode("pokemon/\(id)/")
  }
}
