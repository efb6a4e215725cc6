import Offstage
import OffstageTesting
import Testing

@testable import Showcase

/// The list of chats with a mock interactor and a mock router.
@Suite @CoreActor struct ChatsPresenterTests {
  private let core = TestCore()
  private let mock = MockChats()

  @Test func chatTappedShowsThisChat() async {
    let list = await showChats()
    list.input.chatTapped.send("mina")
    list.input.chatTapped.send("nobody")
    #expect(mock.shown == [ChatDelegate(avatarId: "mina", chatId: "mina")])
    #expect(
      mock.calls.all == [
        "track chats.didAppear", "track chats.chatTapped avatarId=mina chatId=mina", "showChat",
      ])
  }

  @Test func reloadsOnEveryAppearance() async {
    let list = await showChats()
    #expect(list.output.chats.values.map(\.lastMessage) == ["Hello"])
    list.input.didAppear.send()
    #expect(list.output.isLoading.value)
    await mock.lists.next().reply([.mina("Goodbye")])
    await turns()
    #expect(list.output.chats.values.map(\.lastMessage) == ["Goodbye"])
  }

  @Test func failureKeepsTheContent() async {
    let list = await showChats()
    list.input.didAppear.send()
    await mock.lists.next().fail(LoadFailure.diskFull)
    await turns()
    #expect(list.output.failure.value?.reason == .storage)
    #expect(list.output.chats.count == 1)
    #expect(
      mock.calls.all == [
        "track chats.didAppear", "track chats.didAppear", "showAlert The disk is full.",
      ])
    list.input.retry.send()
    await mock.lists.next().reply([])
    await turns()
    #expect(list.output.failure.value == nil)
    #expect(list.output.chats.isEmpty)
  }

  @Test func timesFollowTheClock() async {
    let list = await showChats(at: mock.now)
    #expect(list.output.chats.values.map(\.time) == ["Just now"])
    mock.now += 60
    await core.advance(by: .seconds(60))
    #expect(list.output.chats.values.map(\.time) == ["1 minute ago"])
  }

  @Test func anotherAccountClearsTheListAndMakesTheDeletionFinal() async {
    let list = await showChats()
    list.input.deleteTapped.send("mina")
    await mock.lists.next().reply([])
    await turns()
    #expect(list.output.canUndo.value)
    mock.switches.send(Trigger())
    #expect(list.output.chats.isEmpty)
    #expect(!list.output.canUndo.value)
    list.input.undoTapped.send()
    await mock.lists.next().reply([])
    await core.advance(by: .seconds(10))
    #expect(
      mock.calls.all.suffix(3) == [
        "deleteChat mina", "track chats.deleted chatId=mina", "purgeDeletedChats",
      ])
  }

  @Test func deletionThatFailsCannotBeUndone() async {
    let list = await showChats()
    mock.failure = LoadFailure.diskFull
    list.input.deleteTapped.send("mina")
    #expect(list.output.canUndo.value)
    await mock.lists.next().reply([.mina("Hello")])
    await turns()
    #expect(mock.calls.all == ["track chats.didAppear", "showAlert The disk is full."])
    #expect(list.output.chats.count == 1)
    #expect(!list.output.canUndo.value)
    await core.advance(by: .seconds(10))
    #expect(!mock.calls.all.contains("purgeDeletedChats"))
  }

  @Test func newChatEndsTheTimeToUndo() async {
    let list = await showChats()
    list.input.deleteTapped.send("mina")
    await mock.lists.next().reply([])
    await turns()
    #expect(list.output.canUndo.value)
    list.input.didAppear.send()
    await mock.lists.next().reply([.mina("Anew")])
    await turns()
    #expect(!list.output.canUndo.value)
    #expect(list.output.deletedNotice.value == nil)
    list.input.undoTapped.send()
    await turns()
    #expect(!mock.calls.all.contains("restoreChat mina"))
  }

  /// A list that was requested before the deletion still has the chat.
  @Test func olderListDoesNotEndTheTimeToUndo() async {
    let list = await showChats()
    list.input.didAppear.send()
    let older = await mock.lists.next()
    let deletions = Asked<String, Void>()
    mock.deletions = deletions
    list.input.deleteTapped.send("mina")
    let deletion = await deletions.next()
    older.reply([.mina("Hello")])
    await turns()
    #expect(list.output.canUndo.value)
    deletion.reply(())
    await mock.lists.next().reply([])
    await turns()
    #expect(list.output.chats.isEmpty)
    #expect(list.output.canUndo.value)
  }

  @Test func restorationThatFailsIsNotTracked() async {
    let list = await showChats()
    list.input.deleteTapped.send("mina")
    await mock.lists.next().reply([])
    await turns()
    mock.failure = LoadFailure.diskFull
    list.input.undoTapped.send()
    await mock.lists.next().reply([])
    await turns()
    #expect(
      mock.calls.all.suffix(2) == [
        "track chats.deleted chatId=mina", "showAlert The disk is full.",
      ])
  }

  private func showChats(at time: Int = 1) async -> ChatsPresenter {
    let list = core.show { ChatsPresenter(interactor: mock, router: mock) }
    list.input.didAppear.send()
    await mock.lists.next().reply([.mina("Hello", at: time)])
    await turns()
    return list
  }
}

/// The mock interactor and router of the list of chats.
@CoreActor
private final class MockChats: ChatsInteractor, ChatsRouter {
  let calls = Calls()
  let lists = Asked<String, [Chat]>()
  private(set) var shown: [ChatDelegate] = []
  /// 2026-01-02T12:00:00Z.
  var now = 1_767_355_200
  let switches = Relay<Trigger>()

  func showExplore() { calls.note("showExplore") }

  let owner = Owner.guest
  var accountSwitches: Signal<Trigger> { switches.signal }
  func refreshAccount() {}

  /// The error of deleting and restoring.
  var failure: (any Error)?
  /// Suspends deletions, for tests of races.
  var deletions: Asked<String, Void>?

  func deleteChat(_ id: String, as owner: Owner) async throws {
    if let failure { throw failure }
    try await deletions?(id)
    calls.note("deleteChat \(id)")
  }
  func restoreChat(_ id: String, as owner: Owner) async throws {
    if let failure { throw failure }
    calls.note("restoreChat \(id)")
  }
  func purgeDeletedChats() async throws { calls.note("purgeDeletedChats") }
  func chats() async throws -> [Chat] { try await lists("chats") }
  func trackEvent(_ event: any LoggableEvent) { calls.note("track \(event.line)") }

  func showChat(_ delegate: ChatDelegate) {
    shown.append(delegate)
    calls.note("showChat")
  }

  func showAlert(_ error: any Error) { calls.note("showAlert \(LoadFailure(error).detail)") }
}

extension Chat {
  fileprivate static func mina(_ lastMessage: String, at time: Int = 1) -> Chat {
    Chat(
      id: "mina", name: "Mina", image: "data:,mina", lastMessage: lastMessage,
      at: time)
  }
}
