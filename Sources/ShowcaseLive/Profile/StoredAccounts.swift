import OffstageLive
package import Showcase

/// Accounts in the database, one for each address.
extension PersonalDatabase: AccountRepository {
  /// The tables whose rows belong to an owner.
  static let ownedTables = [
    "reply_pieces", "messages", "chats", "avatars", "library_bookmarks", "library_progress",
    "settings", "tracked_events",
  ]

  package func signUp(name: String, email: String, as owner: Owner) async throws -> Account {
    let address = String(email.split(whereSeparator: \.isWhitespace).joined(separator: " "))
      .lowercased()
    return try await write(as: owner) { connection, owner in
      let visitor = try connection.visitor(of: owner)
      let known = try connection.row(
        "SELECT \(Account.columns) FROM accounts WHERE visitor = ? AND address = ?", visitor,
        address,
        as: { try Account(row: $0) })
      if let known {
        try connection.signIn(known.id, visitor)
        return known
      }
      let id: Int = try connection.value(
        """
        INSERT INTO accounts (visitor, name, email, address, picture) VALUES (?, ?, ?, ?, '') RETURNING id
        """, visitor, name, email, address)
      // A guest's work moves to the account that the guest creates.
      if owner == OwnerID.guest(visitor) {
        for table in Self.ownedTables {
          try connection.execute("UPDATE \(table) SET owner = ? WHERE owner = ?", id, owner)
        }
      }
      try connection.signIn(id, visitor)
      return Account(id: id, name: name, email: email)
    }
  }

  package func account() async throws -> Account? {
    try await read(as: .signedIn) { connection, owner in
      try connection.row("SELECT \(Account.columns) FROM accounts WHERE id = ?", owner) {
        try Account(row: $0)
      }
    }
  }

  package func signOut(_ account: Account) async throws {
    try await write(as: .account(account.id)) { connection, account in
      try connection.execute("UPDATE visitors SET account = NULL WHERE account = ?", account)
    }
  }

  package func update(_ account: Account, name: String, picture: AvatarCategory) async throws
    -> Account
  {
    try await write(as: .account(account.id)) { connection, id in
      try connection.execute(
        "UPDATE accounts SET name = ?, picture = ? WHERE id = ?", name, picture.rawValue, id)
      return Account(id: id, name: name, email: account.email, picture: picture)
    }
  }

  package func delete(_ account: Account) async throws {
    try await write(as: .account(account.id)) { connection, id in
      for table in Self.ownedTables {
        try connection.execute("DELETE FROM \(table) WHERE owner = ?", id)
      }
      try connection.execute("DELETE FROM accounts WHERE id = ?", id)
    }
  }
}

extension Account {
  fileprivate static let columns = "id, name, email, picture"

  fileprivate init(row: borrowing Row) throws {
    let picture: String = try row[3]
    self.init(
      id: try row[0], name: try row[1], email: try row[2],
      picture: AvatarCategory(rawValue: picture) ?? .travelers)
  }
}

extension Connection {
  /// Returns the number of the visitor that an owner belongs to.
  fileprivate func visitor(of owner: Int) throws -> Int {
    owner > 0 ? try value("SELECT visitor FROM accounts WHERE id = ?", owner) : owner / -2
  }

  fileprivate func signIn(_ account: Int, _ visitor: Int) throws {
    try execute("UPDATE visitors SET account = ? WHERE number = ?", account, visitor)
  }
}
