package import Showcase

/// Accounts in the database, one for each address.
package struct SQLiteAccountRepository: AccountRepository {
  private let database: Database

  package init(database: Database) { self.database = database }

  package func signUp(name: String, email: String) async throws -> Account {
    let address = String(email.split(whereSeparator: \.isWhitespace).joined(separator: " "))
      .lowercased()
    return try await database.write { connection in
      let known = try connection.row(
        "SELECT \(Account.columns) FROM accounts WHERE address = ?", address,
        as: { try Account(row: $0) })
      if let known {
        try connection.signIn(known.id)
        return known
      }
      try connection.execute(
        "INSERT INTO accounts (name, email, address) VALUES (?, ?, ?)", name, email, address)
      let id = connection.lastInsertedID
      // A guest's work moves to the account that the guest creates.
      if try !connection.exists("SELECT 1 FROM session") {
        for table in Migration.ownedTables {
          try connection.execute("UPDATE \(table) SET owner = ? WHERE owner = 0", id)
        }
      }
      try connection.signIn(id)
      return Account(id: id, name: name, email: email)
    }
  }

  package func update(_ account: Account, name: String, picture: AvatarCategory) async throws
    -> Account
  {
    try await database.write { connection in
      let count = try connection.execute(
        "UPDATE accounts SET name = ?, picture = ? WHERE id = ?", name, picture.rawValue,
        account.id)
      if count == 0 {
        throw LoadFailure(.notFound, "There is no account \(account.id).", retryable: false)
      }
      return Account(id: account.id, name: name, email: account.email, picture: picture)
    }
  }

  package func delete(_ account: Account) async throws {
    try await database.write { connection in
      for table in Migration.ownedTables {
        try connection.execute("DELETE FROM \(table) WHERE owner = ?", account.id)
      }
      try connection.execute("DELETE FROM accounts WHERE id = ?", account.id)
    }
  }
}

extension Connection {
  fileprivate func signIn(_ account: Int) throws {
    try execute("INSERT OR REPLACE INTO session (id, account) VALUES (1, ?)", account)
  }
}

extension Account {
  fileprivate static let columns = "accounts.id, name, email, picture"

  fileprivate init(row: borrowing Row) throws {
    let picture: String = try row[3]
    self.init(
      id: try row[0], name: try row[1], email: try row[2],
      picture: AvatarCategory(rawValue: picture) ?? .travelers)
  }
}

/// The signed-in account, in the database.
package struct SQLiteSessionRepository: SessionRepository {
  private let database: Database

  package init(database: Database) { self.database = database }

  package func account() async throws -> Account? {
    try await database.read { connection in
      try connection.row(
        "SELECT \(Account.columns) FROM session JOIN accounts ON accounts.id = account"
      ) { try Account(row: $0) }
    }
  }

  package func signOut() async throws {
    try await database.write { try $0.execute("DELETE FROM session") }
  }
}

extension Migration {
  static let accounts = Migration(
    """
    CREATE TABLE accounts (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL,
      email TEXT NOT NULL
    ) STRICT
    """)

  /// At most one row: the signed-in account.
  static let session = Migration(
    """
    CREATE TABLE session (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      account INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE
    ) STRICT
    """)
}
