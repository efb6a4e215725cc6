internal import Offstage

/// All that screens can know of the world and do to it, in one place.
///
/// Each screen has one of its own, which ends with it, and sees no more of it than the protocol that
/// it states. The conformances stand beside those protocols and are empty.
@CoreActor
final class CoreInteractor {
  let avatars: any AvatarRepository
  let chatRepository: any ChatRepository
  let replies: any ReplySource
  let session: any SessionRepository
  let settings: any SettingsRepository
  let reminderRepository: any ReminderRepository
  let prompts = Prompts()

  private let tracker: any EventTracker
  private let clock: CoreClock
  private let effects = Effects()

  /// The interactor of the screen that is being made.
  /// - Throws: `DependencyError`.
  init(_ dependencies: Dependencies) throws {
    avatars = try dependencies[.avatars]
    chatRepository = try dependencies[.chats]
    replies = try dependencies[.replies]
    session = try dependencies[.session]
    settings = try dependencies[.settings]
    reminderRepository = try dependencies[.reminders]
    tracker = try dependencies[.tracker]
    clock = try dependencies[.clock]
  }

  /// Seconds since 1970.
  var now: Int { Int(clock.now.components.seconds) }

  // MARK: Tracking

  func trackEvent(_ event: TrackedEvent) {
    tracker.track(event, at: now)
    // It is on its way, whatever becomes of this screen; the effect has the core wait for it.
    effects.run("track", .latest) { [tracker] in await tracker.flush() }
  }

  func newestEvents(_ limit: Int) async throws -> [TrackedEventRow] {
    try await tracker.newest(limit)
  }

  // MARK: The account

  func account() async throws -> Account? { try await session.account() }
  func signIn(_ account: Account) async throws { try await session.signIn(account) }
  func signOut() async throws { try await session.signOut() }

  // MARK: Options

  func abTests() async throws -> ABTests { .control.overridden(by: try await abOverrides()) }

  func abOverrides() async throws -> ABOverrides {
    ABOverrides(
      categoryRow: try await settings.setting(.categoryRow).flatMap(CategoryRowOption.init),
      createAccountPrompt: try await settings.setting(.createAccountPrompt).flatMap(Bool.init))
  }

  func setABOverrides(_ overrides: ABOverrides) async throws {
    try await settings.set(.categoryRow, to: overrides.categoryRow?.rawValue)
    try await settings.set(.createAccountPrompt, to: overrides.createAccountPrompt?.description)
  }
}

extension String {
  /// The names of the settings.
  fileprivate static let categoryRow = "ab.categoryRow"
  fileprivate static let createAccountPrompt = "ab.createAccountPrompt"
}
