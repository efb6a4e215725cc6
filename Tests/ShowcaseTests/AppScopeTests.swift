import Offstage
import OffstageTesting
import Testing

@testable import Showcase

/// The session and what follows it.
@Suite @CoreActor struct AppScopeTests {
  private let mock = MockStorage()

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
    let requests = Events(of: scope.accountRequests)
    await turns()
    #expect(!scope.session.isGuest.value)
    #expect(scope.mayOpen(Link("x://public") { _ in [] }))
    let link = Link("x://private", isPrivate: true) { _ in [] }
    #expect(!scope.mayOpen(link))
    scope.linkWaits(link)
    #expect(requests.values.isEmpty)
    mock.failure = nil
    #expect(try await scope.session.reload() == nil)
    #expect(scope.session.isGuest.value)
    #expect(requests.values.count == 1)
    try await scope.session.reload()
    #expect(requests.values.count == 1)
  }

  /// Another process may still undo newer deletions.
  @Test func deletionsThatCannotBeUndoneArePurgedAtStart() async throws {
    _ = try start()
    await turns()
    // The clock starts at 2026-01-01T00:00:00Z.
    let time = Duration.seconds(1_767_225_600) - ChatsPresenter.undoPeriod
    #expect(mock.calls.all == ["purgeDeletedChats before \(time)"])
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
  func privateLinkOfAGuestRequestsAnAccountOnce(isEarly: Bool) async throws {
    let scope = try start()
    let requests = Events(of: scope.accountRequests)
    let link = Link("x://private", isPrivate: true) { _ in [] }
    if !isEarly { await turns() }
    #expect(!scope.mayOpen(link))
    scope.linkWaits(link)
    await turns()
    #expect(requests.values.count == 1)
    scope.session.show(.kim)
    #expect(scope.mayOpen(link))
  }

  private func start() throws -> AppScope {
    let mock = mock
    let core = TestCore(
      App(
        root: .stack(Route(Gallery.self, .init())),
        scope: ScopeFactory(AppScope.self) { _ in
          AppScope(session: mock, chats: mock, library: MockLibrary())
        },
        screens: [
          ScreenFactory(Gallery.self) { _, _ in Gallery(label: "", tracker: MockTracker()) }
        ]))
    try core.start()
    return try #require(core.scope(AppScope.self))
  }
}

/// The session of a guest, and chats that the scope only purges.
@CoreActor
private final class MockStorage: SessionRepository, ChatRepository {
  let calls = Calls()
  /// The error of loading the session.
  var failure: (any Error)?

  func account() async throws -> Account? {
    if let failure { throw failure }
    return nil
  }
  func signOut(_ account: Account) async throws {}
  func purgeDeletedChats(before time: Duration) async throws {
    calls.note("purgeDeletedChats before \(time)")
  }

  func chats(as owner: Owner) async throws -> [Chat] { [] }
  func messages(of chat: String, as owner: Owner) async throws -> [ChatMessage]? { nil }
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
