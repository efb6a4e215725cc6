package import Foundation
package import Offstage
import OffstageJSON
package import Showcase
import Synchronization

/// Places from a server that answers for a part of the map at a time.
///
/// `URL/places?bbox=minLng,minLat,maxLng,maxLat&center=lng,lat&sort=…&page=…&size=…` and
/// `URL/places?q=…&size=…` are FeatureCollections with a member `hasMore`; `URL/places/ID` is a
/// Feature. The last good response to each request is stored, and returned if the server fails.
package struct HotPlaceService: PlaceRepository {
  private let base: URL
  private let cache: ResponseCache

  package init(base: URL, client: HTTPClient, database: Database) {
    self.base = base
    cache = ResponseCache(client: client, database: database)
  }

  package func places(_ query: PlaceQuery, page: Int, size: Int) async throws -> Page<Place> {
    let bounds = query.bounds
    let found = try await load([
      "bbox": "\(bounds.minLng),\(bounds.minLat),\(bounds.maxLng),\(bounds.maxLat)",
      "center": "\(query.center.lng),\(query.center.lat)", "sort": query.sort.rawValue,
      "page": "\(page)", "size": "\(size)",
    ])
    return Page(found.features.map(\.place), hasMore: found.hasMore)
  }

  package func places(named text: String, limit: Int) async throws -> [Place] {
    try await load(["q": text, "size": "\(limit)"]).features.prefix(limit).map(\.place)
  }

  package func details(of id: Int) async throws -> [Place] {
    do { return [try await place(id: id)] } catch let failure as LoadFailure
      where failure.reason == .notFound
    { return [] }
  }

  package func place(id: Int) async throws -> Place { try await feature(id).place }

  package func properties(of id: Int) async throws -> [PlaceProperty] {
    try await feature(id).details
  }

  /// The features of a response, as they are stored.
  private struct Collection: Codable, Sendable {
    var features: [PlaceFeature.Result]
    var hasMore: Bool
  }

  private func load(_ query: [String: String]) async throws -> Collection {
    let items = query.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0.key, value: $0.value) }
    let url = base.appending(endpoint: "places", query: items)
    return try await load(url) { root, reader in
      guard root["type"]?.equals("FeatureCollection") == true, let features = root["features"]
      else {
        throw LoadFailure.malformed(url: url, "not a FeatureCollection")
      }
      // Skip features without a place.
      return Collection(
        features: features.elements.compactMap { try? reader.read($0) },
        hasMore: root["hasMore"]?.bool ?? false)
    }
  }

  private func feature(_ id: Int) async throws -> PlaceFeature.Result {
    let url = base.appending(endpoint: "places/\(id)")
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
        throw LoadFailure.malformed(url: url, "not JSON: \(error)")
      }
      return try text.withRoot { try parse($0, PlaceFeature()) }
    }
  }
}

/// The places of one GeoJSON file on a server, plain or gzip.
///
/// The file is fetched when it is first needed and stored in the database. In a later run, the stored
/// file answers at once while a newer one is fetched in the background. A failed fetch is retried the
/// next time that places are needed.
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

  package func details(of id: Int) async throws -> [Place] {
    try await load()
    return try await places.details(of: id)
  }

  package func place(id: Int) async throws -> Place {
    try await load()
    return try await places.place(id: id)
  }

  package func places(named text: String, limit: Int) async throws -> [Place] {
    try await load()
    return try await places.places(named: text, limit: limit)
  }

  package func properties(of id: Int) async throws -> [PlaceProperty] {
    try await load()
    return try await places.properties(of: id)
  }

  private func load() async throws {
    if isFresh.withLock({ $0 }) { return }
    if let stored = try await storedFile() {
      Task { try? await fetches.value(for: url) { [self] in try await fetch(stored.etag) } }
    } else {
      try await fetches.value(for: url) { [self] in try await fetch(nil) }
    }
  }

  private struct StoredFile: Sendable {
    let etag: String?
  }

  private func storedFile() async throws -> StoredFile? {
    try await database.read { [key] connection in
      try connection.row("SELECT etag FROM hot_place_files WHERE url = ?", key) {
        StoredFile(etag: try $0[0])
      }
    }
  }

  private var key: String { url.withoutCredentials }

  private func fetch(_ etag: String?) async throws {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("showcase-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    let response = try await client.get(url, accept: Self.mediaTypes, etag: etag, file: file)
    if !response.isUnchanged { try await store(file, etag: response.etag) }
    isFresh.withLock { $0 = true }
  }

  private func store(_ file: URL, etag: String?) async throws {
    let body = try FileHandle(forReadingFrom: file)
    let text = TextPieces { try body.read(upToCount: 1 << 18).flatMap { $0.isEmpty ? nil : $0 } }
    do {
      _ = try await PlaceReader.stage(text, in: .hotPlaces, database) { staging, report in
        if report.imported == 0, let reason = report.lines.dropFirst().first {
          throw LoadFailure.malformed(url: url, "no places, \(reason)")
        }
        try await staging.commit(keeping: .none) { [key] connection in
          try connection.execute("DELETE FROM hot_place_files")
          try connection.execute("INSERT INTO hot_place_files VALUES (?, ?)", key, etag)
        }
      }
    } catch  where error is GeoJSONError || error is GzipError {
      throw LoadFailure.malformed(url: url, "\(error)")
    }
  }
}
