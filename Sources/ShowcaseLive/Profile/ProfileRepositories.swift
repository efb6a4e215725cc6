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
      if try connection.row("SELECT 1 FROM session", as: { _ in true }) == nil {
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
    _ = try await database.write { connection in
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
    _ = try await database.write { try $0.execute("DELETE FROM session") }
  }
}

/// Settings by name, in the database.
package struct SQLiteSettingsRepository: SettingsRepository {
  private let database: Database
  private let fixedID: String?

  /// - Parameter installationID: The id of the installation; nil for a random one, which is stored.
  package init(database: Database, installationID: String? = nil) {
    self.database = database
    fixedID = installationID
  }

  package func installationID() async throws -> String {
    if let fixedID { return fixedID }
    let name = "installation"
    if let id = try await setting(name, of: .device) { return id }
    return try await database.write { connection in
      // Another process may have been faster.
      try connection.row(
        """
        INSERT INTO settings VALUES (\(SettingScope.device.owner), ?, hex(randomblob(16)))
        ON CONFLICT DO UPDATE SET value = value RETURNING value
        """, name
      ) { try $0[0] } ?? ""
    }
  }

  package func setting(
    _ name: String, of scope: SettingScope = .device
  ) async throws -> String? {
    try await database.read { connection in
      try connection.row(
        "SELECT value FROM settings WHERE owner = \(scope.owner) AND name = ?", name
      ) { try $0[0] }
    }
  }

  package func set(
    _ name: String, to value: String?, of scope: SettingScope = .device
  ) async throws {
    _ = try await database.write { connection in
      if let value {
        try connection.execute(
          """
          INSERT OR REPLACE INTO settings (owner, name, value) VALUES (\(scope.owner), ?, ?)
          """, name, value)
      } else {
        try connection.execute(
          "DELETE FROM settings WHERE owner = \(scope.owner) AND name = ?", name)
      }
    }
  }
}

extension SettingScope {
  /// The device has a separate owner, which is independent of accounts.
  fileprivate var owner: String {
    switch self {
    case .device: "-1"
    case .account: Connection.owner
    }
  }
}

/// The reminders scheduled on the device, in the database.
package struct SQLiteReminderRepository: ReminderRepository {
  private let database: Database

  package init(database: Database) { self.database = database }

  package func reminders() async throws -> [Reminder] {
    try await database.read { connection in
      try connection.rows("SELECT id, title, body, at FROM reminders ORDER BY at, id") {
        Reminder(id: try $0[0], title: try $0[1], body: try $0[2], at: try $0[3])
      }
    }
  }

  package func replace(with reminders: [Reminder]) async throws {
    _ = try await database.write { connection in
      try connection.execute("DELETE FROM reminders")
      for reminder in reminders {
        try connection.execute(
          "INSERT INTO reminders (id, title, body, at) VALUES (?, ?, ?, ?)", reminder.id,
          reminder.title, reminder.body, reminder.at)
      }
    }
  }
}

extension Migration {
  static let accounts = Migration(
    "accounts",
    """
    CREATE TABLE accounts (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL,
      email TEXT NOT NULL
    ) STRICT
    """)

  /// At most one row: the signed-in account.
  static let session = Migration(
    "session",
    """
    CREATE TABLE session (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      account INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE
    ) STRICT
    """)

  static let settings = Migration(
    "settings",
    """
    CREATE TABLE settings (
      name TEXT PRIMARY KEY,
      value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID
    """)

  static let reminders = Migration(
    "reminders",
    """
    CREATE TABLE reminders (
      id TEXT PRIMARY KEY,
      title TEXT NOT NULL,
      body TEXT NOT NULL,
      at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID
    """)
}

extension Connection {
  /// The owner of new rows, as SQL: the signed-in account, or 0 for a guest.
  static let owner = "coalesce((SELECT account FROM session), 0)"
}

extension Migration {
  /// The tables whose rows belong to an account or to the guest.
  static let ownedTables = [
    "avatars", "chats", "library_bookmarks", "library_progress", "settings", "tracked_events",
  ]

  /// Gives every account its own avatars, chats, bookmarks, progress, and settings. Rows from before
  /// belong to the signed-in account, or to the guest.
  static let profiles = Migration(
    "profiles",
    """
    ALTER TABLE accounts ADD COLUMN address TEXT;
    ALTER TABLE accounts ADD COLUMN picture TEXT NOT NULL DEFAULT '';
    UPDATE accounts SET address = lower(trim(email))
      WHERE id IN (SELECT min(id) FROM accounts GROUP BY lower(trim(email)));
    CREATE UNIQUE INDEX accounts_by_address ON accounts (address);

    ALTER TABLE avatars ADD COLUMN owner INTEGER NOT NULL DEFAULT 0;
    UPDATE avatars SET owner = \(Connection.owner);
    CREATE INDEX avatars_by_owner ON avatars (owner);

    ALTER TABLE library_bookmarks RENAME TO old_bookmarks;
    CREATE TABLE library_bookmarks (
      owner INTEGER NOT NULL, title TEXT NOT NULL, PRIMARY KEY (owner, title)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO library_bookmarks SELECT \(Connection.owner), title FROM old_bookmarks;
    DROP TABLE old_bookmarks;

    ALTER TABLE library_progress RENAME TO old_progress;
    CREATE TABLE library_progress (
      owner INTEGER NOT NULL, title TEXT NOT NULL,
      progress REAL NOT NULL CHECK (progress > 0 AND progress < 1),
      PRIMARY KEY (owner, title)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO library_progress SELECT \(Connection.owner), title, progress FROM old_progress;
    DROP TABLE old_progress;

    ALTER TABLE settings RENAME TO old_settings;
    CREATE TABLE settings (
      owner INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (owner, name)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO settings
      SELECT CASE WHEN name = 'notifications' THEN \(Connection.owner) ELSE -1 END, name, value
      FROM old_settings;
    DROP TABLE old_settings;

    CREATE TABLE new_chats (
      id INTEGER PRIMARY KEY,
      owner INTEGER NOT NULL,
      avatar TEXT NOT NULL,
      name TEXT NOT NULL,
      image TEXT NOT NULL,
      is_deleted INTEGER NOT NULL DEFAULT 0,
      UNIQUE (owner, avatar)
    ) STRICT;
    INSERT INTO new_chats (owner, avatar, name, image)
      SELECT \(Connection.owner), id, name, image FROM chats;
    CREATE TABLE new_messages (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      chat INTEGER NOT NULL REFERENCES new_chats ON DELETE CASCADE,
      author TEXT NOT NULL CHECK (author IN ('me', 'avatar')),
      text TEXT NOT NULL,
      at INTEGER NOT NULL,
      is_finished INTEGER NOT NULL
    ) STRICT;
    INSERT INTO new_messages
      SELECT messages.id, new_chats.id, author, text, at, is_finished
      FROM messages JOIN new_chats ON avatar = chat;
    CREATE TABLE new_pieces (
      id INTEGER PRIMARY KEY,
      message INTEGER NOT NULL REFERENCES new_messages ON DELETE CASCADE,
      text TEXT NOT NULL
    ) STRICT;
    INSERT INTO new_pieces SELECT id, message, text FROM reply_pieces;
    DROP TABLE reply_pieces;
    DROP TABLE messages;
    DROP TABLE chats;
    ALTER TABLE new_chats RENAME TO chats;
    ALTER TABLE new_messages RENAME TO messages;
    ALTER TABLE new_pieces RENAME TO reply_pieces;
    CREATE INDEX messages_by_chat ON messages (chat, id);
    CREATE INDEX reply_pieces_by_message ON reply_pieces (message, id)
    """)
}
