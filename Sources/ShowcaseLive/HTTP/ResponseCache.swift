import Foundation
import Offstage
import Showcase

/// Requests whose last good responses are stored in the database.
///
/// Only the members that the app reads are stored: a hundredth of some responses. A failure of any
/// kind, such as the page of a captive portal, leaves the stored response unchanged. The newest
/// responses are kept, up to `limit` of them and `byteLimit` bytes. Concurrent requests for one
/// address share a response.
struct ResponseCache: Sendable {
  let client: HTTPClient
  let database: Database
  private let limit: Int
  private let byteLimit: Int
  private let requests = Coalescer<URL, any Sendable>()

  init(client: HTTPClient, database: Database, limit: Int = 10_000, byteLimit: Int = 64 << 20) {
    self.client = client
    self.database = database
    self.limit = limit
    self.byteLimit = byteLimit
  }

  func fetch<Response: Codable & Sendable>(_ url: URL) -> Fetch<Response> {
    fetch(url, accept: "application/json") { try Response(json: $0, from: url) }
  }

  /// Fetches a response that `parse` reads instead of its `Decodable` conformance.
  func fetch<Response: Codable & Sendable>(
    _ url: URL, accept: String, parse: @escaping @Sendable (Data) throws -> Response
  ) -> Fetch<Response> {
    Fetch {
      try await kept(url, as: Response.self)?.response
    } current: {
      let response = try await requests.value(for: url) {
        try await get(url, accept: accept, parse: parse)
      }
      guard let response = response as? Response else {
        throw LoadFailure.malformed(url: url, "expected \(Response.self)")
      }
      return response
    }
  }

  /// Requests a response and stores it.
  private func get<Response: Codable & Sendable>(
    _ url: URL, accept: String, parse: (Data) throws -> Response
  ) async throws -> Response {
    let old = try await kept(url, as: Response.self)
    let response = try await client.get(url, accept: accept, etag: old?.etag)
    if response.isUnchanged, let old {
      try await keep(old.response.value, etag: old.etag, for: url)
      return old.response.value
    }
    let value = try parse(response.body)
    try await keep(value, etag: response.head.etag, for: url)
    return value
  }

  /// Returns the last good response; nil if there is none, or if an older version of the app stored
  /// it in another shape.
  /// - Throws: Only `CancellationError`.
  private func kept<Response: Decodable & Sendable>(
    _ url: URL, as type: Response.Type
  ) async throws -> (response: Cached<Response>, etag: String?)? {
    do {
      let row: (body: Data, etag: String?, time: Int)? = try await database.read { connection in
        try connection.row(
          "SELECT body, etag, fetched_at FROM offline_answers WHERE url = ?", url.withoutCredentials
        ) { (try $0[0], try $0[1], try $0[2]) }
      }
      return try row.map { row in
        let response = try Response(json: row.body, from: url)
        return (Cached(response, loadedAt: .seconds(row.time)), row.etag)
      }
    } catch is LoadFailure {
      return nil
    }
  }

  /// Stores a response. Ignores a failing database, because the request has succeeded.
  private func keep(_ response: some Encodable, etag: String?, for url: URL) async throws {
    let time = Int(await client.now().components.seconds)
    do {
      let body = try JSONEncoder().encode(response)
      try await database.write { connection in
        try connection.execute(
          """
          INSERT OR REPLACE INTO offline_answers (url, body, etag, fetched_at)
          VALUES (?, ?, ?, ?)
          """, url.withoutCredentials, body, etag, time)
        try connection.execute(
          """
          DELETE FROM offline_answers WHERE url IN (
            SELECT url FROM (
              SELECT url, count(*) OVER newest AS number, sum(length(body)) OVER newest AS size
              FROM offline_answers WINDOW newest AS (
                ORDER BY fetched_at DESC, url ROWS UNBOUNDED PRECEDING))
            WHERE number > ? OR size > ?)
          """, limit, byteLimit)
      }
    } catch is LoadFailure {
      return
    }
  }
}

extension Migration {
  static let offlineAnswers = Migration(
    """
    CREATE TABLE offline_answers (
      url TEXT PRIMARY KEY,
      body BLOB NOT NULL
    ) STRICT, WITHOUT ROWID
    """)

  /// Adds the server's identifier of the stored version, so that unchanged content is not sent
  /// again.
  static let offlineVersions = Migration(
    "ALTER TABLE offline_answers ADD COLUMN etag TEXT")

  /// Adds the time of each response, and removes the responses without one.
  static let answerTimes = Migration(
    """
    DELETE FROM offline_answers;
    ALTER TABLE offline_answers ADD COLUMN fetched_at INTEGER NOT NULL DEFAULT 0
    """)

  /// Adds an index that finds the oldest responses without reading the others.
  static let answersByTime = Migration(
    "CREATE INDEX offline_answers_by_time ON offline_answers (fetched_at DESC, url)")
}
