import OffstageLive
package import Showcase

/// The built-in titles with the bookmarks and progress in the database.
extension PersonalDatabase: LibraryRepository {
  package func library(as owner: Owner) async throws -> LibraryContent {
    try await read(as: owner) { connection, owner in
      let bookmarks = try connection.rows(
        "SELECT title FROM library_bookmarks WHERE owner = ?", owner
      ) { try $0[0] as String }
      let progress = try connection.rows(
        "SELECT title, progress FROM library_progress WHERE owner = ?", owner
      ) { (try $0[0] as String, try $0[1] as Double) }
      return LibraryContent(
        bookmarks: Set(bookmarks), progress: Dictionary(uniqueKeysWithValues: progress))
    }
  }

  package func setBookmarked(_ isBookmarked: Bool, key: String, as owner: Owner) async throws {
    try await write(as: owner) { connection, owner in
      try connection.execute(
        isBookmarked
          ? "INSERT INTO library_bookmarks (owner, title) VALUES (?, ?) ON CONFLICT DO NOTHING"
          : "DELETE FROM library_bookmarks WHERE owner = ? AND title = ?", owner, key)
    }
  }

  package func setProgress(_ progress: Double?, key: String, as owner: Owner) async throws {
    try await write(as: owner) { connection, owner in
      if let progress {
        try connection.execute(
          """
          INSERT INTO library_progress (owner, title, progress) VALUES (?, ?, ?)
          ON CONFLICT (owner, title) DO UPDATE SET progress = excluded.progress
          """, owner, key, progress)
      } else {
        try connection.execute(
          "DELETE FROM library_progress WHERE owner = ? AND title = ?", owner, key)
      }
    }
  }
}

extension Connection {
  /// Gives a new visitor's guest the bookmarks and the progress that show what the library is for.
  func addLibrarySamples(for guest: Int) throws {
    for title in ["parasite", "spirited-away"] {
      try execute("INSERT INTO library_bookmarks (owner, title) VALUES (?, ?)", guest, title)
    }
    let progress = [
      "pulp-fiction": 0.25, "seven-samurai": 0.5, "spirited-away": 0.8, "signal": 0.625,
    ]
    for (title, progress) in progress {
      try execute(
        "INSERT INTO library_progress (owner, title, progress) VALUES (?, ?, ?)", guest, title,
        progress)
    }
  }
}
