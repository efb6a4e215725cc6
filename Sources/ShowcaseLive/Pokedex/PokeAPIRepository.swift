package import Foundation
package import Offstage
package import Showcase

/// Pokémon from a server with the shape of PokéAPI v2; see https://pokeapi.co/docs/v2.
///
/// The last good response to each request is stored for use offline.
package struct PokeAPIRepository: PokemonRepository {
  /// The pictures of https://pokeapi.co, which its lists do not name.
  package static let publicSprites = URL(
    string: "https://raw.githubusercontent.com/PokeAPI/sprites/master/sprites/pokemon")!

  private let base: URL
  private let sprites: URL
  private let cache: ResponseCache

  /// - Parameters:
  ///   - base: The address that the endpoints' paths are appended to, such as
  ///     `https://pokeapi.co/api/v2`.
  ///   - sprites: The folder of the pictures `1.png`, `2.png`, …; nil for `sprites/pokemon` at the
  ///     base.
  package init(base: URL, sprites: URL? = nil, client: HTTPClient, database: Database) {
    self.base = base
    self.sprites = sprites ?? base.appending(endpoint: "sprites/pokemon")
    cache = ResponseCache(client: client, database: database)
  }

  package func page(offset: Int, limit: Int) -> Fetch<Page<PokemonEntry>> {
    // The server sorts by National Pokédex number, with the forms at the end.
    let page = fetch(.pokemon(offset: offset, limit: limit))
    let species = fetch(.species)
    return Fetch {
      guard let page = try await page.cached() else { return nil }
      let species = page.value.hasForms ? try await species.cached() : nil
      return page.map { entries($0, species?.value) }
    } current: {
      let page = try await page.current()
      guard page.hasForms else { return entries(page) }
      // A server without the species endpoint still has a list.
      var all = try? await species.current()
      try Task.checkCancellation()
      if all == nil { all = try await species.cached()?.value }
      return entries(page, all)
    }
  }

  package func allPokemon() -> Fetch<[PokemonEntry]> {
    page(offset: 0, limit: 100_000).map { $0.items }
  }

  package func pokemon(id: Int) -> Fetch<Pokemon> {
    fetch(.pokemon(id: id)).map { Pokemon($0) }
  }

  private func fetch<Response>(_ endpoint: PokeAPIEndpoint<Response>) -> Fetch<Response> {
    cache.fetch(endpoint.url(at: base))
  }

  private func entries(_ page: PokeAPIList, _ species: PokeAPIList? = nil) -> Page<PokemonEntry> {
    let ids = (species?.results ?? []).map { ($0.name, $0.url.id) }
    let idsByName = Dictionary(ids) { first, _ in first }
    let entries = page.results.map { entry in
      PokemonEntry(
        id: entry.url.id, name: entry.name, speciesID: entry.speciesID(idsByName),
        imageURL: sprites.appending(endpoint: "\(entry.url.id).png").absoluteString)
    }
    return Page(entries, hasMore: page.next != nil)
  }
}

extension Pokemon {
  fileprivate init(_ detail: PokeAPIDetail) {
    self.init(
      id: detail.id, name: detail.name,
      types: detail.types.sorted { $0.slot < $1.slot }.map(\.type.name), height: detail.height,
      weight: detail.weight, imageURL: detail.sprites.best)
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
