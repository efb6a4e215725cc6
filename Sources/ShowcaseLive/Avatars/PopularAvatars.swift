import Foundation
import Showcase

/// A server's list of whom most people talk to; the last good one is there without a network too.
///
/// The server answers `GET popular` with `[{"id": …, "name": …, "category": …, "description": …}]`.
struct PopularAvatars: Sendable {
  struct Entry: Codable, Sendable {
    var id: String
    var name: String
    var category: AvatarCategory
    var description: String
  }

  private let base: URL
  private let client: HTTPClient
  private let cache: OfflineCache
  private let endpoint = Endpoint<[Entry]>(path: "popular")

  init(base: URL, client: HTTPClient, cache: OfflineCache) {
    self.base = base
    self.client = client
    self.cache = cache
  }

  /// - Throws: `LoadFailure` where the server has no good answer and there is none from before.
  func avatars() async throws -> [Avatar] {
    do {
      let entries = try await client.get(endpoint, at: base)
      try await cache.store(entries, for: endpoint.url(at: base))
      return entries.map(Avatar.init)
    } catch let failure as LoadFailure {
      let old = try await kept()
      if old.isEmpty { throw failure }
      return old
    }
  }

  /// The last good answer; empty where there was none.
  func kept() async throws -> [Avatar] {
    let entries: [Entry]? = try await cache.answer(for: endpoint.url(at: base))
    return (entries ?? []).map(Avatar.init)
  }
}

extension Avatar {
  fileprivate init(_ entry: PopularAvatars.Entry) {
    self.init(
      id: entry.id, name: entry.name, category: entry.category, description: entry.description,
      image: AvatarTile(name: entry.name, category: entry.category).dataURL)
  }
}
