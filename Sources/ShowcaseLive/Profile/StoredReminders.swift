import Offstage
import OffstageLive
package import Showcase

/// The reminders scheduled on the device, in the database.
extension PersonalDatabase: ReminderRepository {
  package func reminders() async throws -> [Reminder] {
    try await read(as: .device) { connection, device in
      try connection.rows(
        "SELECT id, title, body, at FROM reminders WHERE owner = ? ORDER BY at, id", device
      ) {
        Reminder(id: try $0[0], title: try $0[1], body: try $0[2], at: try $0[3])
      }
    }
  }

  package func replace(with reminders: [Reminder], as owner: Owner) async throws {
    try await write(as: owner) { [self] connection, _ in
      let device = try self.device(connection)
      try connection.execute("DELETE FROM reminders WHERE owner = ?", device)
      for reminder in reminders {
        try connection.execute(
          "INSERT INTO reminders (owner, id, title, body, at) VALUES (?, ?, ?, ?, ?)", device,
          reminder.id, reminder.title, reminder.body, reminder.at)
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
