import Offstage

@testable import Showcase

/// A world whose avatars come when the test says so.
@CoreActor
final class MockExploreInteractor: ExploreInteractor {
  let calls: Calls
  let featured = Asked<String, [Avatar]>()
  let popular = Asked<String, [Avatar]>()
  var tests = ABTests.control
  var signedIn: Account?
  var mayAsk = true
  var isGranted = true
  /// What scheduling fails with.
  var failure: (any Error)?

  init(_ calls: Calls) { self.calls = calls }

  func abTests() async throws -> ABTests { tests }
  func account() async throws -> Account? { signedIn }
  func featuredAvatars() async throws -> [Avatar] { try await featured("featured") }
  func popularAvatars() async throws -> [Avatar] { try await popular("popular") }
  func portrait(of category: AvatarCategory) -> String { "data:,\(category)" }
  func canRequestAuthorization() async throws -> Bool { mayAsk }

  func notePushPermissionAnswered() async throws {
    mayAsk = false
    calls.note("notePushPermissionAnswered")
  }

  func requestAuthorization() async throws -> Bool {
    calls.note("requestAuthorization")
    return isGranted
  }

  func schedulePushNotificationsForTheNextWeek() async throws {
    calls.note("schedulePushNotificationsForTheNextWeek")
    if let failure { throw failure }
  }

  func trackEvent(_ event: TrackedEvent) { calls.note("track \(event.line)") }
}

/// Notes where explore wanted to go, and keeps what it is to be told.
@CoreActor
final class MockExploreRouter: ExploreRouter {
  let calls: Calls
  private(set) var chats: [ChatDelegate] = []
  private(set) var disappear: (@CoreActor () -> Void)?
  private(set) var enable: (@CoreActor () -> Void)?
  private(set) var cancel: (@CoreActor () -> Void)?

  init(_ calls: Calls) { self.calls = calls }

  func showCategoryList(_ delegate: CategoryListDelegate) {
    calls.note("showCategoryList \(delegate.category)")
  }

  func showChat(_ delegate: ChatDelegate) {
    chats.append(delegate)
    calls.note("showChat \(delegate.avatarId)")
  }

  func showCreateAccount(
    _ delegate: CreateAccountDelegate, onDisappear: @escaping @CoreActor () -> Void
  ) {
    disappear = onDisappear
    calls.note("showCreateAccount")
  }

  func showDevSettings(onDisappear: @escaping @CoreActor () -> Void) {
    disappear = onDisappear
    calls.note("showDevSettings")
  }

  func showPushPermissionModal(
    onEnablePressed: @escaping @CoreActor () -> Void,
    onCancelPressed: @escaping @CoreActor () -> Void
  ) {
    enable = onEnablePressed
    cancel = onCancelPressed
    calls.note("showPushPermissionModal")
  }

  func showAlert(_ error: any Error) { calls.note("showAlert \(LoadFailure(error).message)") }
}
