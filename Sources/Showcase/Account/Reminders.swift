package import Offstage

/// A notification scheduled on the device.
package struct Reminder: Identifiable, Codable, Hashable, Sendable, SchemaAnnotated {
  package let id: String
  package let title: String
  package let body: String
  /// Seconds since 1970.
  package let at: Int

  package init(id: String, title: String, body: String, at: Int) {
    self.id = id
    self.title = title
    self.body = body
    self.at = at
  }

  static let day = 86_400

  /// Returns one reminder for each of the next seven days.
  /// - Parameter earlier: Reminders whose local time of day to keep; empty for the current time.
  static func week(from now: Int, like earlier: [Reminder] = [], _ format: Format) -> [Reminder] {
    let (words, zone) = (format.words, format.locale.timeZone)
    let timeOfDay = { at in (at + zone.offset(at: at)) % day }
    // A reminder is later on a day when clocks skip its time.
    let first = earlier.map(\.at).min { timeOfDay($0) < timeOfDay($1) } ?? now
    let days = (now - first) / day
    let times = (days - 1...days + 8).map { zone.time($0, daysAfter: first) }.filter { $0 > now }
    return zip(times, words.reminders).enumerated().map { index, reminder in
      Reminder(
        id: "reminder-\(index + 1)", title: words.reminder, body: reminder.1, at: reminder.0)
    }
  }

  package static var meanings: [PartialKeyPath<Self>: Meaning] { [\.at: .unixTime] }
}

extension ZoneRules {
  /// Returns when clocks show the same time of day on another day, or later if they skip it.
  fileprivate func time(_ days: Int, daysAfter time: Int) -> Int {
    let later = time + days * Reminder.day
    let adjusted = later + offset(at: time) - offset(at: later)
    return offset(at: adjusted) == offset(at: later) ? adjusted : later
  }
}

/// Stores the scheduled reminders.
package protocol ReminderRepository: Sendable {
  /// Returns all reminders, earliest first.
  /// - Throws: `LoadFailure`, or `CancellationError`. So does the method below.
  func reminders() async throws -> [Reminder]

  /// Replaces all reminders.
  func replace(with reminders: [Reminder], as owner: Owner) async throws
}

/// The state of the reminders.
enum NotificationStatus: String, Codable, CaseIterable, Sendable {
  /// The user has not been asked, or has not answered.
  case notAsked
  case on
  case off
}

extension Prompt {
  /// Has the device ask the user for permission to show notifications.
  static var authorizeNotifications: Prompt<NotificationAuthorization> {
    .init(.authorize)
  }

  /// Asks the device about its permission, without asking the user.
  static var notificationStatus: Prompt<NotificationPermission> { .init(.status) }

  /// Replaces the notifications scheduled on the device.
  static func scheduleNotifications(_ reminders: [Reminder]) -> Prompt<Empty> {
    .init(.schedule, NotificationSchedule(notifications: reminders))
  }
}

/// The answer to `notifications.status`.
struct NotificationPermission: Codable, Sendable {
  enum Status: String, Codable, CaseIterable, Sendable {
    /// The user has not been asked.
    case notDetermined
    case granted, denied
  }

  let status: Status
}

/// The answer to `notifications.authorize`.
struct NotificationAuthorization: Codable, Sendable {
  let granted: Bool
}

/// The params of `notifications.schedule`.
struct NotificationSchedule: Codable, Sendable {
  let notifications: [Reminder]
}

extension [PromptDescription] {
  /// The prompts for a device that shows notifications.
  static var notifications: Self {
    [
      PromptDescription(.authorize, answer: NotificationAuthorization.self),
      PromptDescription(.status, answer: NotificationPermission.self),
      PromptDescription(.schedule, params: NotificationSchedule.self, answer: Empty.self),
    ]
  }
}

/// The names of the prompts.
extension String {
  fileprivate static let authorize = "notifications.authorize"
  fileprivate static let status = "notifications.status"
  fileprivate static let schedule = "notifications.schedule"
}
