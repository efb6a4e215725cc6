internal import Offstage

extension CoreInteractor {
  func reminders() async throws -> [Reminder] { try await reminderRepository.reminders() }

  func notificationStatus() async throws -> NotificationStatus {
    try await settings.setting(Self.notifications).flatMap(NotificationStatus.init) ?? .notAsked
  }

  func canRequestAuthorization() async throws -> Bool {
    try await notificationStatus() == .notAsked
  }

  /// Off until the device says yes.
  func notePushPermissionAnswered() async throws { try await set(.off) }

  func requestAuthorization() async throws -> Bool {
    let isGranted: Bool
    do {
      isGranted = try await prompts.ask(.authorizeNotifications).granted
    } catch PromptError.dismissed {
      isGranted = false
    }
    if !isGranted { try await set(.off) }
    return isGranted
  }

  func schedulePushNotificationsForTheNextWeek() async throws {
    try await schedule(Reminder.week(from: now))
    try await set(.on)
  }

  func cancelReminders() async throws {
    try await set(.off)
    try await schedule([])
  }

  /// Kept once the device has taken them.
  private func schedule(_ reminders: [Reminder]) async throws {
    _ = try await prompts.ask(.scheduleNotifications(reminders))
    try await reminderRepository.replace(with: reminders)
  }

  private func set(_ status: NotificationStatus) async throws {
    try await settings.set(Self.notifications, to: status.rawValue)
  }

  /// The name of the setting.
  private static let notifications = "notifications"
}
