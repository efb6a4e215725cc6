import Foundation
import Showcase

/// The last good response to each request, in the database.
///
/// Only the members that the app reads are stored: a hundredth of the size of some responses.
struct ResponseCache: Sendable {
  let client: HTTPClient
  let database: Database

  /// The response to a request, or the last good one if this one fails: old data is better than an
  /// unreachable server, the page of a captive portal, a broken response or a 404.
  /// - Throws: `LoadFailure` if there is no old response either, or `CancellationError`.
  func get<Response>(_ endpoint: Endpoint<Response>, at base: URL) async throws -> Response {
    let url = endpoint.url(at: base)
    return try await get(url, accept: "application/json") { try Response(json: $0, from: url) }
  }

  /// Loads a response that is not decoded by its `Decodable` conformance.
  func get<Response: Codable>(
    _ url: URL, accept: String, parse: (Data) throws -> Response
  ) async throws -> Response {
    let old = try await kept(url, as: Response.self)
    do {
      let answer = try await client.get(url, accept: accept, etag: old?.etag)
      if answer.isUnchanged, let old { return old.response }
      let response = try parse(answer.body)
      try await keep(response, etag: answer.etag, for: url)
      return response
    } catch let failure as LoadFailure {
      guard let old else { throw failure }
      return old.response
    }
  }

  /// The last good response; nil also if an older version of the app kept it in another shape.
  /// - Throws: `CancellationError` only.
  func cached<Response>(_ endpoint: Endpoint<Response>, at base: URL) async throws -> Response? {
    try await kept(endpoint.url(at: base), as: Response.self)?.response
  }

  private func kept<Response: Decodable>(
    _ url: URL, as type: Response.Type
  ) async throws -> (response: Response, etag: String?)? {
    do {
      let row: (body: Data, etag: String?)? = try await database.read { connection in
        try connection.row(
          "SELECT body, etag FROM offline_answers WHERE url = ?", url.withoutCredentials
        ) { (try $0[0], try $0[1]) }
      }
      return try row.map { (try Response(json: $0.body, from: url), $0.etag) }
    } catch is LoadFailure {
      return nil
    }
  }

  /// Ignores failures of the database, since the request itself succeeded.
  private func keep(
    _ response: some Encodable, etag: String?, for url: URL
  ) async throws {
    do {
      let body = try JSONEncoder().encode(response)
      _ = try await database.write { connection in
        try connection.execute(
          "INSERT OR REPLACE INTO offline_answers (url, body, etag) VALUES (?, ?, ?)",
          url.withoutCredentials, body, etag)
      }
    } catch is LoadFailure {
      return
    }
  }
}

extension Migration {
  static let offlineAnswers = Migration(
    "offline answers",
    """
    CREATE TABLE offline_answers (
      url TEXT PRIMARY KEY,
      body BLOB NOT NULL
    ) STRICT, WITHOUT ROWID
    """)

  /// The server's name for the version that is kept, so that an unchanged one is not sent again.
  static let offlineVersions = Migration(
    "offline versions", "ALTER TABLE offline_answers ADD COLUMN etag TEXT")
}
