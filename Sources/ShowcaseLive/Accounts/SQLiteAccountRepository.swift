public import Showcase

/// Accounts in the database.
public struct SQLiteAccountRepository: AccountRepository {
  private let database: Database

  public init(database: Database) {
    self.database = database
  }

  public func create(name: String, email: String) async throws -> Account {
    try await database.write { connection in
      try connection.execute("INSERT INTO accounts (name, email) VALUES (?, ?)", name, email)
      return Account(id: connection.lastInsertedID, name: name, email: email)
    }
  }
}

extension Migration {
  /// Where the accounts are kept. Two people may share a name and an address.
  static let accounts = Migration(
    "accounts",
    """
    CREATE TABLE accounts (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL,
      email TEXT NOT NULL
    ) STRICT
    """)
}
