public import Showcase

/// Accounts in the database.
public struct SQLiteAccountRepository: AccountRepository {
  private let database: Database

  public init(database: Database) { self.database = database }

  public func create(name: String, email: String) async throws -> Account {
    try await database.write { connection in
      try connection.execute("INSERT INTO accounts (name, email) VALUES (?, ?)", name, email)
      return Account(id: connection.lastInsertedID, name: name, email: email)
    }
  }
}

/// The signed-in account, in the database.
public struct SQLiteSessionRepository: SessionRepository {
  private let database: Database

  public init(database: Database) { self.database = database }

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

/// Settings by name, in the database.
public struct SQLiteSettingsRepository: SettingsRepository {
  private let database: Database

  public init(database: Database) { self.database = database }

  public func setting(_ name: String) async throws -> String? {
    try await database.read { connection in
      try connection.row("SELECT value FROM settings WHERE name = ?", name) { try $0[0] }
    }
  }

  public func set(_ name: String, to value: String?) async throws {
    _ = try await database.write { connection in
      if let value {
        try connection.execute(
          "INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", name, value)
      } else {
        try connection.execute("DELETE FROM settings WHERE name = ?", name)
      }
    }
  }
}

/// The reminders scheduled on the device, in the database.
public struct SQLiteReminderRepository: ReminderRepository {
  private let database: Database

  public init(database: Database) { self.database = database }

  public func reminders() async throws -> [Reminder] {
    try await database.read { connection in
      try connection.rows("SELECT id, title, body, at FROM reminders ORDER BY at, id") {
        Reminder(id: try $0[0], title: try $0[1], body: try $0[2], at: try $0[3])
      }
    }
  }

  public func replace(with reminders: [Reminder]) async throws {
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
