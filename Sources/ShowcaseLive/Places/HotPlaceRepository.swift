package import Foundation
package import Offstage
import OffstageJSON
import OffstageSystem
package import Showcase
import Synchronization

/// Places from a server that answers for a part of the map at a time.
///
/// `URL/places?bbox=minLng,minLat,maxLng,maxLat&center=lng,lat&sort=…&page=…&size=…` and
/// `URL/places?q=…&size=…` are FeatureCollections with a member `hasMore`; `URL/places/ID` is a
/// Feature. The last good response to each request is stored for use offline.
package final class HotPlaceService: PlaceRepository {
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

  package func places(_ query: PlaceQuery, page: Int, size: Int) async throws -> Page<Place> {
    try await loadPage(url(query, page: page, size: size))
  }

  package func cachedPlaces(
    _ query: PlaceQuery, page: Int, size: Int
  ) async throws -> Cached<Page<Place>>? {
    try await cachedPage(url(query, page: page, size: size))
  }

  package func places(named text: String, limit: Int) async throws -> [Place] {
    Array(try await loadPage(url(named: text, limit: limit)).items.prefix(limit))
  }

  package func cachedPlaces(named text: String, limit: Int) async throws -> Cached<[Place]>? {
    try await cachedPage(url(named: text, limit: limit))?.map { Array($0.items.prefix(limit)) }
  }

  package func details(of id: Int) async throws -> PlaceDetails? {
    do {
      return try await feature(id).details
    } catch let failure as LoadFailure where failure.reason == .notFound {
      return nil
    }
  }

  package func cachedDetails(of id: Int) async throws -> Cached<PlaceDetails>? {
    let url = try await url(of: id)
    let feature: Cached<PlaceFeature.Result>? = try await cache.cached(url)
    return feature?.map(\.details)
  }

  private func url(_ query: PlaceQuery, page: Int, size: Int) -> URL {
    let bounds = query.bounds
    return url([
      "bbox": "\(bounds.minLng),\(bounds.minLat),\(bounds.maxLng),\(bounds.maxLat)",
      "center": "\(query.center.lng),\(query.center.lat)", "sort": query.sort.rawValue,
      "page": "\(page)", "size": "\(size)",
    ])
  }

  private func url(named text: String, limit: Int) -> URL { url(["q": text, "size": "\(limit)"]) }

  private func url(_ query: [String: String]) -> URL {
    let items = query.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0.key, value: $0.value) }
    return base.appending(endpoint: "places", query: items)
  }

  private func url(of id: Int) async throws -> URL {
    let sourceID: String? = try await database.read { connection in
      try connection.row("SELECT source FROM served_place_ids WHERE id = ?", id) { try $0[0] }
    }
    return base.appending(endpoint: "places/\((sourceID ?? "\(id)").percentEncoded)")
  }

  /// The features of a response, as they are stored.
  private struct Collection: Codable, Sendable {
    var features: [PlaceFeature.Result]
    var hasMore: Bool

    var page: Page<Place> { Page(features.map(\.place), hasMore: hasMore) }
  }

  private func cachedPage(_ url: URL) async throws -> Cached<Page<Place>>? {
    let collection: Cached<Collection>? = try await cache.cached(url)
    return collection?.map(\.page)
  }

  private func loadPage(_ url: URL) async throws -> Page<Place> {
    let collection = try await load(url) { root, reader in
      guard root["type"]?.equals("FeatureCollection") == true, let features = root["features"]
      else {
        throw LoadFailure.malformed(url: url, "not a FeatureCollection")
      }
      // Skip features without a place.
      return Collection(
        features: features.elements.compactMap { try? reader.read($0) },
        hasMore: root["hasMore"]?.bool ?? false)
    }
    try await storeSourceIDs(of: collection.features)
    return collection.page
  }

  /// Stores the server's IDs of the places that have another one in the app. Links and stored
  /// responses name places after a restart, too.
  private func storeSourceIDs(of features: [PlaceFeature.Result]) async throws {
    let hashed = features.filter { $0.sourceID != nil }
    if hashed.isEmpty { return }
    try await database.write { [idLimit] connection in
      for feature in hashed {
        try connection.execute(
          "INSERT OR REPLACE INTO served_place_ids (id, source) VALUES (?, ?)", feature.place.id,
          feature.sourceID)
      }
      try connection.execute(
        "DELETE FROM served_place_ids WHERE number <= ?", connection.lastInsertedID - idLimit)
    }
  }

  private func feature(_ id: Int) async throws -> PlaceFeature.Result {
    let url = try await url(of: id)
    return try await load(url) { root, reader in
      do { return try reader.read(root) } catch {
        throw LoadFailure.malformed(url: url, "\(error)")
      }
    }
  }

  private func load<Response: Codable & Sendable>(
    _ url: URL, _ parse: (JSONView, PlaceFeature) throws -> Response
  ) async throws -> Response {
    try await cache.get(url, accept: HotPlaceRepository.mediaTypes) { body in
      let text: JSONText
      do { text = try JSONText(Array(body)) } catch {
        throw LoadFailure.notJSON(body, "\(error)", url: url)
      }
      return try text.withRoot { try parse($0, PlaceFeature(ids: PlaceID.served)) }
    }
  }
}

/// The places of one GeoJSON file on a server, plain or gzip.
///
/// The file is fetched when it is first needed and stored in the database. The stored file of an
/// earlier run is the cache. A failed fetch is repeated when places are next needed.
package final class HotPlaceRepository: PlaceRepository {
  fileprivate static let mediaTypes = "application/geo+json, application/json"

  private let url: URL
  private let client: HTTPClient
  private let database: Database
  private let places: SQLitePlaceRepository
  private let fetches = Coalescer<URL, Void>()
  private let isFresh = Mutex(false)

  package init(url: URL, client: HTTPClient, database: Database) {
    self.url = url
    self.client = client
    self.database = database
    places = SQLitePlaceRepository(database: database, tables: .hotPlaces)
  }

  package func places(_ query: PlaceQuery, page: Int, size: Int) async throws -> Page<Place> {
    try await load()
    return try await places.places(query, page: page, size: size)
  }

  package func cachedPlaces(
    _ query: PlaceQuery, page: Int, size: Int
  ) async throws -> Cached<Page<Place>>? {
    try await cached { try await places.places(query, page: page, size: size) }
  }

  package func details(of id: Int) async throws -> PlaceDetails? {
    try await load()
    return try await places.details(of: id)
  }

  package func cachedDetails(of id: Int) async throws -> Cached<PlaceDetails>? {
    guard let details = try await cached({ try await places.details(of: id) }) else { return nil }
    return details.value.map { Cached($0, loadedAt: details.loadedAt) }
  }

  package func places(named text: String, limit: Int) async throws -> [Place] {
    try await load()
    return try await places.places(named: text, limit: limit)
  }

  package func cachedPlaces(named text: String, limit: Int) async throws -> Cached<[Place]>? {
    try await cached { try await places.places(named: text, limit: limit) }
  }

  private func load() async throws {
    if isFresh.withLock({ $0 }) { return }
    let stored = try await storedFile()
    try await fetches.value(for: url) { [self] in try await fetch(stored?.etag) }
  }

  /// Reads from the stored file, unless it is fresh.
  private func cached<Value: Sendable>(
    _ read: () async throws -> Value
  ) async throws -> Cached<Value>? {
    guard !isFresh.withLock({ $0 }), let stored = try await storedFile() else { return nil }
    return Cached(try await read(), loadedAt: .seconds(stored.time))
  }

  private func storedFile() async throws -> (etag: String?, time: Int)? {
    try await database.read { [key] connection in
      try connection.row("SELECT etag, fetched_at FROM hot_place_files WHERE url = ?", key) {
        (etag: try $0[0], time: try $0[1])
      }
    }
  }

  private var key: String { url.withoutCredentials }

  private func fetch(_ etag: String?) async throws {
    let file: Int32
    do { file = try PrivateFiles.createNamelessFile() } catch {
      throw error.loadFailure(writing: "a temporary file")
    }
    defer { systemClose(file) }
    let response = try await client.get(url, accept: Self.mediaTypes, etag: etag, file: file)
    let time = Int(await client.now().components.seconds)
    if response.isUnchanged {
      _ = try await database.write { [key] connection in
        try connection.execute(
          "UPDATE hot_place_files SET fetched_at = ? WHERE url = ?", time, key)
      }
    } else {
      try await store(file, etag: response.head.etag, at: time)
    }
    isFresh.withLock { $0 = true }
  }

  private func store(_ file: Int32, etag: String?, at time: Int) async throws {
    do {
      _ = try await PlaceReader.stage(try TextFile(file), in: .hotPlaces, database) {
        staging, report in
        if report.imported == 0, let reason = report.lines.dropFirst().first {
          throw LoadFailure.malformed(url: url, "no places, \(reason)")
        }
        try await staging.commit(keeping: .none) { [key] connection in
          try connection.execute("DELETE FROM hot_place_files")
          try connection.execute("INSERT INTO hot_place_files VALUES (?, ?, ?)", key, etag, time)
        }
      }
    } catch  where error is GeoJSONError || error is TextFileError {
      throw LoadFailure.malformed(url: url, "\(error)")
    }
  }
}

extension Migration {
  /// The server's IDs of places whose IDs in the app are hashes of them.
  static let servedPlaceIDs = Migration(
    "IDs of served places",
    "CREATE TABLE served_place_ids (id INTEGER PRIMARY KEY, source TEXT NOT NULL) STRICT")

  /// Numbers the IDs, so that the newest can be kept.
  static let newestPlaceIDs = Migration(
    "newest served place ids",
    """
    ALTER TABLE served_place_ids RENAME TO old_place_ids;
    CREATE TABLE served_place_ids (
      number INTEGER PRIMARY KEY, id INTEGER NOT NULL UNIQUE, source TEXT NOT NULL
    ) STRICT;
    INSERT INTO served_place_ids (id, source) SELECT id, source FROM old_place_ids;
    DROP TABLE old_place_ids
    """)
}
