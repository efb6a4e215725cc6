import Offstage
import OffstageLive
package import Showcase

/// The reminders scheduled on the device, in the database.
extension PersonalDatabase: ReminderRepository {
  package func reminders() async throws -> [Reminder] {
    try await read(as: .device) { connection, device in
      // Database systems sort texts in different ways.
      try connection.rows(
        "SELECT id, title, body, at FROM reminders WHERE owner = ?", device
      ) {
        Reminder(id: try $0[0], title: try $0[1], body: try $0[2], at: try $0[3])
      }.sorted { ($0.at, $0.id) < ($1.at, $1.id) }
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
