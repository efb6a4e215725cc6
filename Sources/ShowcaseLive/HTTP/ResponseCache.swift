import Foundation
import Showcase

/// The last good response to each request, in the database.
///
/// Responses are kept as the app reads them, which is a hundredth of what some servers send.
struct ResponseCache: Sendable {
  let client: HTTPClient
  let database: Database

  /// The response to a request, or the last good one if this one fails: an unreachable server, a
  /// captive portal's page, a broken response and a 404 are all worse than old data.
  /// - Throws: `LoadFailure` if there is no old response either, or `CancellationError`.
  func get<Response>(_ endpoint: Endpoint<Response>, at base: URL) async throws -> Response {
    let url = endpoint.url(at: base)
    return try await get(url, accept: "application/json") { try Response(json: $0, from: url) }
  }

  /// The same for a response that is not read by its `Decodable` conformance.
  func get<Response: Codable>(
    _ url: URL, accept: String, parse: (Data) throws -> Response
  ) async throws -> Response {
    do {
      let response = try parse(try await client.get(url, accept: accept).body)
      try await keep(response, for: url)
      return response
    } catch let failure as LoadFailure {
      guard let old: Response = try await cached(url) else { throw failure }
      return old
    }
  }

  /// The last good response; nil also if an older version of the app kept it in another shape.
  /// - Throws: `CancellationError` only.
  func cached<Response>(_ endpoint: Endpoint<Response>, at base: URL) async throws -> Response? {
    try await cached(endpoint.url(at: base))
  }

  private func cached<Response: Decodable>(_ url: URL) async throws -> Response? {
    do {
      let body: Data? = try await database.read { connection in
        try connection.row(
          "SELECT body FROM offline_answers WHERE url = ?", Self.key(url)
        ) { try $0[0] }
      }
      return try body.map { try Response(json: $0, from: url) }
    } catch is LoadFailure {
      return nil
    }
  }

  /// Ignores a database that fails: the request has succeeded.
  private func keep(_ response: some Encodable, for url: URL) async throws {
    do {
      let body = try JSONEncoder().encode(response)
      _ = try await database.write { connection in
        try connection.execute(
          "INSERT OR REPLACE INTO offline_answers (url, body) VALUES (?, ?)", Self.key(url), body)
      }
    } catch is LoadFailure {
      return
    }
  }

  /// The address without user and password.
  private static func key(_ url: URL) -> String {
    HTTPRequest(url, accept: "", timeout: .zero, bodyLimit: 0).url
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
}
