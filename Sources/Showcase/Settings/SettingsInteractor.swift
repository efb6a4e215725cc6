internal import Offstage

/// What the settings need to know of the world.
@CoreActor
protocol SettingsInteractor {
  func account() async throws -> Account?
  func signOut() async throws
  func notificationStatus() async throws -> NotificationStatus
  func reminders() async throws -> [Reminder]
  /// Has the device ask.
  /// - Returns: whether it may show notifications.
  func requestAuthorization() async throws -> Bool
  func schedulePushNotificationsForTheNextWeek() async throws
  func cancelReminders() async throws
  func trackEvent(_ event: TrackedEvent)
}

extension CoreInteractor: SettingsInteractor {}
