public import Showcase

/// Who is signed in, in the database.
public struct SQLiteSessionRepository: SessionRepository {
  private let database: Database

  public init(database: Database) {
    self.database = database
  }

  public func account() async throws -> Account? {
    try await database.read { connection in
      try connection.row(
        "SELECT accounts.id, name, email FROM session JOIN accounts ON accounts.id = account"
      ) { Account(id: try $0[0], name: try $0[1], email: try $0[2]) }
    }
  }

  public func signIn(_ account: Account) async throws {
    _ = try await database.write { connection in
      try connection.execute(
        "INSERT OR REPLACE INTO session (id, account) VALUES (1, ?)", account.id)
    }
  }

  public func signOut() async throws {
    _ = try await database.write { try $0.execute("DELETE FROM session") }
  }
}

extension Migration {
  /// One row or none: the account that is signed in.
  static let session = Migration(
    "session",
    """
    CREATE TABLE session (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      account INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE
    ) STRICT
    """)
}
