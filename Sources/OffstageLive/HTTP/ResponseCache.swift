internal import Offstage
public import OffstageFoundation

/// Requests whose last good responses are stored in a database, for use offline.
///
/// Only the members that the app reads are stored: a hundredth of some responses. A failure of any
/// kind, such as the page of a captive portal, leaves the stored response unchanged. The newest
/// responses are kept, up to `limit` of them and `byteLimit` bytes. Concurrent requests for one
/// address share a response. A server that sends an `ETag` need not send unchanged content again.
///
/// The database needs ``Migration/responseCache``.
/// ```swift
/// let cache = ResponseCache(client: client, database: database)
///
/// // In a screen: shows the stored books at once, then the current ones.
/// books = Loader(
///   effects, cached: { try await cache.cached(url) }, current: { try await cache.current(url) })
/// ```
public struct ResponseCache: Sendable {
  package let client: HTTPClient
  private let database: Database
  private let limit: Int
  private let byteLimit: Int
  private let requests = Coalescer<URL, any Sendable>()

  /// Creates a cache.
  /// - Parameters:
  ///   - client: Sends the requests.
  ///   - database: Stores the responses.
  ///   - limit: The number of responses to keep.
  ///   - byteLimit: The size of the responses to keep, in bytes.
  public init(
    client: HTTPClient, database: Database, limit: Int = 10_000, byteLimit: Int = 64 << 20
  ) {
    self.client = client
    self.database = database
    self.limit = limit
    self.byteLimit = byteLimit
  }

  /// Returns the last good response, and when it was loaded, since 1970-01-01T00:00:00Z; nil if there is
  /// none, or if an older version of the app stored it in another shape.
  /// - Throws: Only `CancellationError`.
  public func cached<Response: Codable & Sendable>(
    _ url: URL, as type: Response.Type = Response.self
  ) async throws -> (value: Response, loadedAt: Duration)? {
    try await stored(url, as: type).map { ($0.value, $0.loadedAt) }
  }

  /// Requests JSON and stores it.
  /// - Throws: What ``HTTPClient/send(_:)`` throws.
  public func current<Response: Codable & Sendable>(
    _ url: URL, as type: Response.Type = Response.self
  ) async throws -> Response {
    try await current(url, accept: "application/json") { [client] body in
      do { return try Response(json: body, from: url) } catch { throw client.mapError(error) }
    }
  }

  /// Requests a response that `parse` reads, and stores it.
  /// - Throws: What ``HTTPClient/send(_:)`` or `parse` throws.
  public func current<Response: Codable & Sendable>(
    _ url: URL, accept: String, parse: @escaping @Sendable (Data) throws -> Response
  ) async throws -> Response {
    let response = try await requests.value(for: url) {
      let old = try await stored(url, as: Response.self)
      let response = try await client.get(url, accept: accept, etag: old?.etag)
      if response.isUnchanged, let old {
        try await store(old.value, etag: old.etag, for: url)
        return old.value
      }
      let value = try parse(response.body)
      try await store(value, etag: response.etag, for: url)
      return value
    }
    guard let response = response as? Response else {
      throw client.mapError(HTTPError(.malformed("expected \(Response.self)"), url))
    }
    return response
  }

  private func stored<Response: Decodable & Sendable>(
    _ url: URL, as type: Response.Type
  ) async throws -> (value: Response, loadedAt: Duration, etag: String?)? {
    do {
      let row: (body: Data, etag: String?, time: Int)? = try await database.read { connection in
        try connection.row(
          "SELECT body, etag, fetched_at FROM cached_responses WHERE url = ?",
          url.withoutCredentials
        ) { (try $0[0], try $0[1], try $0[2]) }
      }
      return try row.map { row in
        (try Response(json: row.body, from: url), .seconds(row.time), row.etag)
      }
    } catch let error as CancellationError {
      throw error
    } catch {
      return nil
    }
  }

  /// Stores a response. Ignores a failing database, because the request has succeeded.
  private func store(_ response: some Encodable, etag: String?, for url: URL) async throws {
    let time = Int(await client.now().components.seconds)
    do {
      let body = try JSONEncoder().encode(response)
      try await database.write { connection in
        try connection.execute(
          """
          INSERT OR REPLACE INTO cached_responses (url, body, etag, fetched_at)
          VALUES (?, ?, ?, ?)
          """, url.withoutCredentials, body, etag, time)
        try connection.execute(
          """
          DELETE FROM cached_responses WHERE url IN (
            SELECT url FROM (
              SELECT url, count(*) OVER newest AS number, sum(length(body)) OVER newest AS size
              FROM cached_responses WINDOW newest AS (
                ORDER BY fetched_at DESC, url ROWS UNBOUNDED PRECEDING))
            WHERE number > ? OR size > ?)
          """, limit, byteLimit)
      }
    } catch let error as CancellationError {
      throw error
    } catch {
      return
    }
  }
}

extension Migration {
  /// Creates the table of ``ResponseCache``.
  public static let responseCache = Migration(
    """
    CREATE TABLE cached_responses (
      url TEXT PRIMARY KEY,
      body BLOB NOT NULL,
      etag TEXT,
      fetched_at INTEGER NOT NULL DEFAULT 0
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX cached_responses_by_time ON cached_responses (fetched_at DESC, url)
    """)
}
