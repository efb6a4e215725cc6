internal import Offstage

/// What explore needs to know of the world, and no more.
@CoreActor
protocol ExploreInteractor {
  func abTests() async throws -> ABTests
  func account() async throws -> Account?
  func featuredAvatars() async throws -> [Avatar]
  func popularAvatars() async throws -> [Avatar]
  /// The picture of a category.
  func portrait(of category: AvatarCategory) -> String
  /// Whether the person can still be asked for push permission.
  func canRequestAuthorization() async throws -> Bool
  func notePushPermissionAnswered() async throws
  /// Has the device ask.
  /// - Returns: whether it may show notifications.
  func requestAuthorization() async throws -> Bool
  func schedulePushNotificationsForTheNextWeek() async throws
  func trackEvent(_ event: TrackedEvent)
}

extension CoreInteractor: ExploreInteractor {}
