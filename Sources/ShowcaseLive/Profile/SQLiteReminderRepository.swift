import Offstage
package import OffstageLive
package import Showcase

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

  package func replace(with reminders: [Reminder], as owner: Owner) async throws {
    try await database.write { connection in
      _ = try connection.id(of: owner)
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
  static let reminders = Migration(
    """
    CREATE TABLE reminders (
      id TEXT PRIMARY KEY,
      title TEXT NOT NULL,
      body TEXT NOT NULL,
      at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID
    """)
}
