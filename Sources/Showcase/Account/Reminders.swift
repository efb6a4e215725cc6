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
  /// - Parameter timeOfDay: Seconds since midnight UTC; nil for the current time.
  static func week(from now: Int, at timeOfDay: Int? = nil, in words: any Words) -> [Reminder] {
    let sinceLast = timeOfDay.map { ((now - $0) % day + day) % day } ?? 0
    return words.reminders.enumerated().map { index, body in
      Reminder(
        id: "reminder-\(index + 1)", title: words.reminder, body: body,
        at: now - sinceLast + (index + 1) * day)
    }
  }

  package static var meanings: [PartialKeyPath<Self>: Meaning] { [\.at: .unixTime] }
}

/// Stores the scheduled reminders.
package protocol ReminderRepository: Sendable {
  /// Returns all reminders, earliest first.
  /// - Throws: `LoadFailure`, or `CancellationError`. So does the method below.
  func reminders() async throws -> [Reminder]

  /// Replaces all reminders.
  func replace(with reminders: [Reminder]) async throws
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
