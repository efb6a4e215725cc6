package import OffstageLive
package import Showcase

/// Accounts in the database, one for each address.
package struct SQLiteAccountRepository: AccountRepository {
  /// The tables whose rows belong to an owner.
  private static let ownedTables = [
    "avatars", "chats", "library_bookmarks", "library_progress", "settings", "tracked_events",
  ]

  private let database: Database

  package init(database: Database) { self.database = database }

  package func signUp(name: String, email: String, as owner: Owner) async throws -> Account {
    let address = String(email.split(whereSeparator: \.isWhitespace).joined(separator: " "))
      .lowercased()
    return try await database.write { connection in
      let owner = try connection.id(of: owner)
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
      if owner == 0 {
        for table in Self.ownedTables {
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
      let id = try connection.id(of: .account(account.id))
      try connection.execute(
        "UPDATE accounts SET name = ?, picture = ? WHERE id = ?", name, picture.rawValue, id)
      return Account(id: id, name: name, email: account.email, picture: picture)
    }
  }

  package func delete(_ account: Account) async throws {
    try await database.write { connection in
      let id = try connection.id(of: .account(account.id))
      for table in Self.ownedTables {
        try connection.execute("DELETE FROM \(table) WHERE owner = ?", id)
      }
      try connection.execute("DELETE FROM accounts WHERE id = ?", id)
    }
  }
}

extension Connection {
  /// Returns the id of an owner, as in the columns called `owner`: an account's, or 0 for the guest.
  ///
  /// Every transaction for a user calls this, so that nothing is read or written for an owner who is
  /// no longer signed in.
  /// - Throws: `LoadFailure` (`accountChanged`) unless the owner is signed in.
  func id(of owner: Owner) throws -> Int {
    let signedIn: Int = try row("SELECT account FROM session") { try $0[0] } ?? 0
    let id =
      switch owner {
      case .guest: 0
      case .account(let id): id
      case .signedIn: signedIn
      }
    guard id == signedIn else {
      throw LoadFailure(
        .accountChanged, "Owner \(signedIn) is signed in, and not \(id).", retryable: false)
    }
    return id
  }

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

  package func signOut(_ account: Account) async throws {
    try await database.write { connection in
      _ = try connection.id(of: .account(account.id))
      try connection.execute("DELETE FROM session")
    }
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
