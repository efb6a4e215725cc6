internal import Offstage

extension Prompt where Answer == NotificationAuthorization {
  /// Asks the device whether the app may show notifications, as the system asks it.
  static var authorizeNotifications: Self { Prompt("notifications.authorize") }
}

extension Prompt where Answer == Empty {
  /// Has the device show these notifications, in the place of all that it was asked before.
  static func scheduleNotifications(_ reminders: [Reminder]) -> Self {
    Prompt("notifications.schedule", NotificationSchedule(notifications: reminders))
  }
}

/// What the device says to `notifications.authorize`.
struct NotificationAuthorization: Codable, Sendable {
  let granted: Bool
}

/// What `notifications.schedule` is about.
struct NotificationSchedule: Codable, Sendable {
  let notifications: [Reminder]
}

extension [PromptDescription] {
  /// What the app may ask of a device that shows notifications.
  static var notifications: Self {
    [
      PromptDescription("notifications.authorize", answer: NotificationAuthorization.self),
      PromptDescription(
        "notifications.schedule", params: NotificationSchedule.self, answer: Empty.self),
    ]
  }
}
