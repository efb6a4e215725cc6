import Foundation
import Showcase

/// The last good answer to each request, for the time without a network.
///
/// Answers are kept as the app reads them, which is a hundredth of what some servers send.
struct OfflineCache: Sendable {
  let database: Database

  /// Keeps an answer. A database that fails is no reason to fail a request that succeeded.
  /// - Throws: `CancellationError` only.
  func store(_ answer: some Encodable & Sendable, for url: URL) async throws {
    do {
      let body = try JSONEncoder().encode(answer)
      _ = try await database.write { connection in
        try connection.execute(
          "INSERT OR REPLACE INTO offline_answers (url, body) VALUES (?, ?)",
          url.absoluteString, body)
      }
    } catch is LoadFailure {
      return
    }
  }

  /// The answer that was kept for a request; nil also when it cannot be read any more, because an
  /// older version of the app kept it in another shape.
  /// - Throws: `CancellationError` only.
  func answer<Answer: Decodable>(for url: URL) async throws -> Answer? {
    do {
      let body: Data? = try await database.read { connection in
        try connection.row(
          "SELECT body FROM offline_answers WHERE url = ?", url.absoluteString
        ) { try $0[0] }
      }
      return body.flatMap { try? JSONDecoder().decode(Answer.self, from: $0) }
    } catch is LoadFailure {
      return nil
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
}
