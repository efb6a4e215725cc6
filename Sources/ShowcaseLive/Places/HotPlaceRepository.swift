public import Foundation
public import Offstage
public import Showcase
import Synchronization

/// Places that a server has as one GeoJSON FeatureCollection, instead of those in the database.
///
/// The whole is fetched when it is first needed, taken into a database in memory and asked there as
/// the app's own places are. What failed is fetched again when it is next needed.
public final class HotPlaceRepository: PlaceRepository {
  private let url: URL
  private let client: HTTPClient
  private let database: Database
  private let fetches = Coalescer<URL, Void>()
  private let isFetched = Mutex(false)

  /// - Throws: `DatabaseOpenError`.
  public init(url: URL, client: HTTPClient) throws {
    self.url = url
    self.client = client
    // Without the built-in places.
    database = try Database(.memory, execution: .background, migrations: [.places])
  }

  public func places(_ query: PlaceQuery, page: Int, size: Int) async throws -> Page<Place> {
    try await fetched().places(query, page: page, size: size)
  }

  public func details(of id: Int) async throws -> [Place] {
    try await fetched().details(of: id)
  }

  public func place(id: Int) async throws -> Place { try await fetched().place(id: id) }

  public func places(named text: String, limit: Int) async throws -> [Place] {
    try await fetched().places(named: text, limit: limit)
  }

  private func fetched() async throws -> SQLitePlaceRepository {
    if !isFetched.withLock({ $0 }) {
      try await fetches.value(for: url) { [self] in try await fetch() }
    }
    return SQLitePlaceRepository(database: database)
  }

  private func fetch() async throws {
    let answer = try await client.get(url, accept: "application/geo+json, application/json")
    do {
      try await database.write { connection in
        var features = try PlaceFeatures(connection)
        try answer.body.withUnsafeBytes { try features.take($0) }
        _ = try features.finish()
      }
    } catch let error as GeoJSONError {
      throw LoadFailure.malformed(url: url, "\(error)")
    }
    isFetched.withLock { $0 = true }
  }
}
