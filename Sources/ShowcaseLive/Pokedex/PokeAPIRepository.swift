public import Foundation
public import Showcase

/// Pokémon from a server of PokéAPI v2's shape; what was seen once is there without a network too.
///
/// While the server cannot be asked (`offline`, `timedOut`, `rateLimited`, `server`), the last
/// answer to the same request is given if there is one. `notFound` and `malformed` are always
/// thrown: the server is there and says something else than before, and old data would hide that.
public struct PokeAPIRepository: PokemonRepository {
  /// Where the pictures of the list are, as the list itself names none.
  public static let publicSprites =
    "https://raw.githubusercontent.com/PokeAPI/sprites/master/sprites/pokemon/{id}.png"

  private let base: URL
  private let sprites: String
  private let client: HTTPClient
  private let cache: OfflineCache

  /// - Parameters:
  ///   - base: what the endpoints' paths are appended to, such as `https://pokeapi.co/api/v2`.
  ///   - sprites: the address of a picture with `{id}` in the place of the number.
  public init(
    base: URL, sprites: String = Self.publicSprites, client: HTTPClient, database: Database
  ) {
    self.base = base
    self.sprites = sprites
    self.client = client
    self.cache = OfflineCache(database: database)
  }

  public func page(offset: Int, limit: Int) async throws -> PokemonPage {
    let page = try await get(.pokemonPage(offset: offset, limit: limit))
    let entries = page.results.map { entry in
      PokemonEntry(id: entry.url.id, name: entry.name, imageURL: sprite(of: entry.url.id))
    }
    return PokemonPage(entries: entries, hasMore: page.next != nil)
  }

  public func pokemon(id: Int) async throws -> Pokemon {
    let detail = try await get(.pokemon(id: id))
    let types = detail.types.sorted { $0.slot < $1.slot }.map(\.type.name)
    return Pokemon(
      id: detail.id, name: detail.name, types: types, height: detail.height, weight: detail.weight,
      imageURL: detail.sprites.best)
  }

  private func get<Response>(_ endpoint: Endpoint<Response>) async throws -> Response {
    let url = endpoint.url(at: base)
    do {
      let response = try await client.get(endpoint, at: base)
      try await cache.store(response, for: url)
      return response
    } catch let failure as LoadFailure where failure.isOutage {
      guard let old: Response = try await cache.answer(for: url) else { throw failure }
      return old
    }
  }

  private func sprite(of id: Int) -> String {
    sprites.replacingOccurrences(of: "{id}", with: String(id))
  }
}

extension LoadFailure {
  /// Whether the server could not be asked, so that nothing is known to have changed.
  fileprivate var isOutage: Bool {
    switch reason {
    case .offline, .timedOut, .rateLimited, .server: true
    case .unauthorized, .notFound, .malformed, .storage: false
    }
  }
}
