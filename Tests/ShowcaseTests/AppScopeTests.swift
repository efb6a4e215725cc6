import Offstage
import OffstageTesting
import Testing

@testable import Showcase

/// The session and what follows it.
@Suite @CoreActor struct AppScopeTests {
  private let mock = MockStorage()
  private let router = MockAppScopeRouter()

  @Test func guestIsKnownOnceTheSessionIsLoaded() async throws {
    let scope = try start()
    #expect(!scope.session.isGuest.value)
    await turns()
    #expect(scope.session.isGuest.value)
  }

  /// A user who may be signed in is not invited to create an account.
  @Test func userIsNoGuestWhileTheSessionCannotBeLoaded() async throws {
    mock.failure = LoadFailure.diskFull
    let scope = try start()
    await turns()
    #expect(!scope.session.isGuest.value)
    #expect(scope.mayOpen(Link("x://public") { _ in [] }))
    let link = Link("x://private", isPrivate: true) { _ in [] }
    #expect(!scope.mayOpen(link))
    scope.linkWaits(link)
    #expect(router.invitations == 0)
    mock.failure = nil
    #expect(try await scope.session.reload() == nil)
    #expect(scope.session.isGuest.value)
    #expect(router.invitations == 1)
    try await scope.session.reload()
    #expect(router.invitations == 1)
  }

  /// Another process may still undo newer deletions.
  @Test func deletionsThatCannotBeUndoneArePurgedAtStart() async throws {
    _ = try start()
    await turns()
    // The clock starts at 2026-01-01T00:00:00Z.
    let time = Duration.seconds(1_767_225_600) - ChatsPresenter.undoPeriod
    #expect(mock.calls.all == ["purgeDeletedChats before \(time)"])
  }

  @Test func deletionsArePurgedAgainAfterARestartIfThereWasOne() async throws {
    let scope = try start()
    await turns()
    try await restart()
    #expect(mock.calls.all.count == 1)
    mock.core?.scope(AppScope.self)?.hasPurged.value = false
    try await restart()
    #expect(mock.calls.all.count == 2)
    #expect(scope.hasPurged.value)
  }

  @Test func remindersThatAreOffAreLookedForOnceADay() async throws {
    let scope = try start()
    await turns()
    scope.reminders.renewAtStart()
    await turns()
    let calls = mock.calls.all
    #expect(calls.last == "reminders")
    try await restart()
    mock.core?.scope(AppScope.self)?.reminders.renewAtStart()
    await turns()
    #expect(mock.calls.all == calls)
    await mock.core?.advance(by: .seconds(Reminder.day))
    try await restart()
    mock.core?.scope(AppScope.self)?.reminders.renewAtStart()
    await turns()
    #expect(mock.calls.all == calls + ["reminders"])
  }

  @Test func anotherAccountInvalidatesEverything() async throws {
    let scope = try start()
    await turns()
    let switches = Events(of: scope.session.switches)
    let invalidations = Events(of: scope.library.invalidations)
    scope.session.show(.kim)
    #expect(scope.output.account.value == .kim)
    #expect(!scope.session.isGuest.value)
    #expect(switches.values.count == 1)
    #expect(invalidations.values.count == 1)
  }

  /// Also if the link comes before the session is loaded.
  @Test(arguments: [true, false])
  func privateLinkInvitesAGuestOnce(isEarly: Bool) async throws {
    let scope = try start()
    let link = Link("x://private", isPrivate: true) { _ in [] }
    if !isEarly { await turns() }
    #expect(!scope.mayOpen(link))
    scope.linkWaits(link)
    await turns()
    #expect(router.invitations == 1)
    scope.invitationOpened()
    scope.linkWaits(link)
    #expect(router.invitations == 1)
    scope.session.show(.kim)
    #expect(scope.mayOpen(link))
    scope.invitationClosed()
    #expect(router.declines == 0)
  }

  @Test func closedInvitationDeclinesTheLink() async throws {
    let scope = try start()
    await turns()
    scope.linkWaits(Link("x://private", isPrivate: true) { _ in [] })
    scope.invitationOpened()
    scope.invitationClosed()
    #expect(router.declines == 1)
  }

  private func restart() async throws {
    mock.core = mock.core?.restarted()
    await turns()
  }

  private func start() throws -> AppScope {
    let (mock, router) = (mock, router)
    let core = TestCore(
      App(
        root: .stack(Route(Gallery.self, .init())),
        scope: ScreenFactory(AppScope.self) { _ in
          let session = Session(mock, Effects())
          return AppScope(
            session: session, chats: mock, library: MockLibrary(),
            reminders: Reminders(
              session: session, settings: mock, repository: mock),
            display: DisplayPreferences(mock), settings: mock, router: router)
        },
        screens: [
          ScreenFactory(Gallery.self) { _, _ in Gallery(label: "", tracker: MockTracker()) }
        ]))
    try core.start()
    mock.core = core
    return try #require(core.scope(AppScope.self))
  }
}

@CoreActor
private final class MockAppScopeRouter: AppScopeRouter {
  private(set) var invitations = 0
  private(set) var declines = 0

  func showCreateAccount() { invitations += 1 }
  func declineLink() { declines += 1 }
}

/// The session of a guest without settings, and chats that the scope only purges.
@CoreActor
private final class MockStorage:
  AccountRepository, ChatRepository, SettingsRepository, ReminderRepository
{
  let calls = Calls()
  /// Kept for as long as the scope.
  var core: TestCore?
  /// The error of loading the session.
  var failure: (any Error)?

  func account() async throws -> Account? {
    if let failure { throw failure }
    return nil
  }

  func values(as owner: Owner) async throws -> [String: String] { [:] }
  func installationID() async throws -> String { "" }
  func firstStart(now: Duration) async throws -> Duration { .zero }
  func set(_ name: String, to value: String?, as owner: Owner) async throws {}
  func reminders() async throws -> [Reminder] {
    calls.note("reminders")
    return []
  }

  func replace(with reminders: [Reminder], as owner: Owner) async throws {}

  func purgeDeletedChats(before time: Duration) async throws {
    calls.note("purgeDeletedChats before \(time)")
  }

  func chats(as owner: Owner) async throws -> [Chat] { [] }
  func newestMessages(
    of chat: String, limit: Int, as owner: Owner
  ) async throws -> ChatHistory? { nil }
  func messages(
    of chat: String, before message: Int, skipping skipped: Int, limit: Int, as owner: Owner
  ) async throws -> [ChatMessage] { [] }
  func say(
    _ text: String, to avatar: Avatar, at: Int, as owner: Owner
  ) async throws -> ChatMessage { throw CancellationError() }
  func reserveReply(in chat: String) async throws -> Bool { true }
  nonisolated func releaseReply(in chat: String) {}
  nonisolated func isReplyReserved(in chat: String) -> Bool { false }
  func beginReply(
    _ piece: String, in chat: String, at: Int, as owner: Owner
  ) async throws -> ChatMessage { throw CancellationError() }
  func append(_ piece: String, to reply: Int, as owner: Owner) async throws {}
  func endReply(_ reply: Int, _ end: ReplyEnd, as owner: Owner) async throws -> [Int] { [] }
  func clearChat(_ chat: String, as owner: Owner) async throws {}
  func deleteChat(_ chat: String, at: Duration, as owner: Owner) async throws {}
  func restoreChat(_ chat: String, as owner: Owner) async throws {}
}
