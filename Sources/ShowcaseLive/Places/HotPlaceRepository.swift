public import Foundation
public import Offstage
public import Showcase
import Synchronization

/// The places of one GeoJSON file on a server.
///
/// The file is fetched when it is first needed and stored in the database. A stored file of an
/// earlier run answers at once, while a newer one is fetched behind. A failed fetch is repeated when
/// places are next needed.
public final class HotPlaceRepository: PlaceRepository {
  private let url: URL
  private let client: HTTPClient
  private let database: Database
  private let places: SQLitePlaceRepository
  private let fetches = Coalescer<URL, Void>()
  private let isFresh = Mutex(false)

  public init(url: URL, client: HTTPClient, database: Database) {
    self.url = url
    self.client = client
    self.database = database
    places = SQLitePlaceRepository(database: database, tables: .hotPlaces)
  }

  public func places(_ query: PlaceQuery, page: Int, size: Int) async throws -> Page<Place> {
    try await load()
    return try await places.places(query, page: page, size: size)
  }

  public func details(of id: Int) async throws -> [Place] {
    try await load()
    return try await places.details(of: id)
  }

  public func place(id: Int) async throws -> Place {
    try await load()
    return try await places.place(id: id)
  }

  public func places(named text: String, limit: Int) async throws -> [Place] {
    try await load()
    return try await places.places(named: text, limit: limit)
  }

  private func load() async throws {
    if isFresh.withLock({ $0 }) { return }
    if try await isStored() {
      Task { try? await fetches.value(for: url) { [self] in try await fetch() } }
    } else {
      try await fetches.value(for: url) { [self] in try await fetch() }
    }
  }

  private func isStored() async throws -> Bool {
    try await database.read { [url] connection in
      try connection.row(
        "SELECT 1 FROM hot_place_files WHERE url = ?", url.absoluteString, as: { _ in true }
      ) ?? false
    }
  }

  private func fetch() async throws {
    let answer = try await client.get(url, accept: "application/geo+json, application/json")
    let staging = try await PlaceStaging.begin(.hotPlaces, database)
    do {
      var pieces = TextPieces(answer.body)
      var reader = PlaceReader()
      while let piece = try pieces.next() { try await reader.read(piece, into: staging) }
      let report = try reader.finish()
      guard report.imported > 0 || report.lines.count == 1 else {
        throw LoadFailure(
          .malformed, "The answer of \(url) has no places: \(report.lines[1]).", retryable: false)
      }
      try await staging.commit(keeping: .none) { [url] connection in
        try connection.execute("DELETE FROM hot_place_files")
        try connection.execute("INSERT INTO hot_place_files (url) VALUES (?)", url.absoluteString)
      }
    } catch {
      // The error at hand says more than one from cleaning up.
      try? await staging.abandon()
      guard error is GeoJSONError || error is GzipError else { throw error }
      throw LoadFailure(
        .malformed, "The answer of \(url) makes no sense: \(error).", retryable: false)
    }
    isFresh.withLock { $0 = true }
  }
}
