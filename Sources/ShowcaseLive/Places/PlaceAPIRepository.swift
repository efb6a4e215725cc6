package import Offstage
package import OffstageFoundation
import OffstageJSON
package import OffstageLive
package import Showcase

/// Places from a server that returns those of one part of the map at a time.
///
/// `URL/places?bbox=minLng,minLat,maxLng,maxLat&center=lng,lat&sort=…&page=…&size=…` and
/// `URL/places?q=…&center=lng,lat&page=…&size=…` are FeatureCollections with a member `hasMore`; `URL/places/ID` is a
/// Feature. The last good response to each request is stored for use offline.
package final class PlaceAPIRepository: PlaceRepository {
  private let base: URL
  private let idLimit: Int
  private let cache: ResponseCache
  private let database: Database

  /// - Parameter idLimit: The number of the server's own IDs to keep.
  package init(base: URL, client: HTTPClient, database: Database, idLimit: Int = 10_000) {
    self.base = base
    self.idLimit = idLimit
    self.database = database
    cache = ResponseCache(client: client, database: database)
  }

  package func places(_ query: PlaceQuery, page: Int, size: Int) -> Fetch<Page<Place>> {
    let (bounds, center) = (query.bounds, query.center)
    return self.page([
      "bbox": "\(bounds.minLng),\(bounds.minLat),\(bounds.maxLng),\(bounds.maxLat)",
      "center": "\(center.lng),\(center.lat)", "sort": query.sort.rawValue, "page": "\(page)",
      "size": "\(size)",
    ])
  }

  package func places(_ search: PlaceSearchQuery, page: Int, size: Int) -> Fetch<Page<Place>> {
    let center = search.center
    return self.page([
      "q": search.text, "center": "\(center.lng),\(center.lat)", "page": "\(page)",
      "size": "\(size)",
    ])
  }

  /// A server tells its places page by page.
  package func cells(in bounds: Bounds, degrees: Double) -> Fetch<[PlaceCell]> { Fetch { [] } }

  package func all(in language: LanguageTag) -> any RowProvider<Place> { UnlistedPlaces() }

  package func details(of id: Int) -> Fetch<PlaceDetails?> {
    Fetch {
      try await self.feature(id).cached().map { ($0.value.details, $0.loadedAt) }
    } current: {
      do {
        return try await self.feature(id).current().details
      } catch let failure as LoadFailure where failure.reason == .notFound {
        return nil
      }
    }
  }

  private func url(of id: Int) async throws -> URL {
    let sourceID: String? = try await database.read { connection in
      try connection.first("SELECT source FROM served_place_ids WHERE id = ?", id)
    }
    return base.appending(endpoint: "places/\((sourceID ?? "\(id)").percentEncoded())")
  }

  /// The features of a response, as they are stored.
  private struct Collection: Codable, Sendable {
    var features: [PlaceFeature.Result]
    var hasMore: Bool

    var page: Page<Place> { Page(features.map(\.place), hasMore: hasMore) }
  }

  private func page(_ query: [String: String]) -> Fetch<Page<Place>> {
    let items = query.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0.key, value: $0.value) }
    let url = base.appending(endpoint: "places", query: items)
    let collection = fetch(url) { root, reader in
      guard root["type"]?.equals("FeatureCollection") == true, let features = root["features"]
      else {
        throw LoadFailure.malformed(url: url, "not a FeatureCollection")
      }
      // Skip features without a place.
      return Collection(
        features: features.elements.compactMap { try? reader.read($0) },
        hasMore: root["hasMore"]?.bool ?? false)
    }
    return Fetch {
      try await collection.cached().map { ($0.value.page, $0.loadedAt) }
    } current: {
      let collection = try await collection.current()
      // The page is good even if the database fails.
      do { try await self.storeSourceIDs(of: collection.features) } catch is LoadFailure {}
      return collection.page
    }
  }

  /// Stores the server's IDs of places that have a different ID in the app, because links and
  /// stored responses refer to places after a restart, too.
  private func storeSourceIDs(of features: [PlaceFeature.Result]) async throws {
    let hashed = features.filter { $0.sourceID != nil }
    if hashed.isEmpty { return }
    try await database.write { [idLimit] connection in
      var newest = 0
      for feature in hashed {
        newest = try connection.value(
          """
          INSERT OR REPLACE INTO served_place_ids (id, source) VALUES (?, ?) RETURNING number
          """, feature.place.id, feature.sourceID)
      }
      try connection.execute(
        "DELETE FROM served_place_ids WHERE number <= ?", newest - idLimit)
    }
  }

  private func feature(_ id: Int) async throws -> Fetch<PlaceFeature.Result> {
    let url = try await url(of: id)
    return fetch(url) { root, reader in
      do { return try reader.read(root) } catch {
        throw LoadFailure.malformed(url: url, "\(error)")
      }
    }
  }

  private func fetch<Response: Codable & Sendable>(
    _ url: URL, _ parse: @escaping @Sendable (JSONView, PlaceFeature) throws -> Response
  ) -> Fetch<Response> {
    Fetch { [cache] in
      try await cache.cached(url)
    } current: { [cache] in
      try await cache.current(url, accept: PlaceFeature.mediaTypes) { body in
        let text: JSONText
        do { text = try JSONText(Array(body)) } catch {
          throw LoadFailure(HTTPError(.notJSON(body, "\(error)"), url))
        }
        return try text.withRoot { try parse($0, PlaceFeature()) }
      }
    }
  }
}

/// Says that a server has no list of all places.
private struct UnlistedPlaces: RowProvider {
  func count() async throws -> Int {
    throw LoadFailure(.notFound, "The server tells its places page by page.", retryable: false)
  }

  func rows(in range: Range<Int>) async throws -> [Place] { [] }
}
