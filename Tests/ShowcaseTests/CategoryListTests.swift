import Offstage
import OffstageTesting
import Testing

@testable import Showcase

/// The list of a category with a mock interactor and a mock router.
@Suite @CoreActor struct CategoryListPresenterTests {
  private let core = TestCore()
  private let mock = MockCategoryList()

  @Test func showsItsCategory() async {
    let list = show(.animals)
    #expect(list.output.title.value == "Animals")
    #expect(list.output.image.value == Portrait(nil, .animals).uri)
    #expect(list.output.isLoading.value)
    let call = await mock.avatars.next()
    #expect(call.question == .animals)
    call.reply([.misty])
    await turns()
    #expect(list.output.avatars.values == [.misty])
    #expect(!list.output.isLoading.value)
  }

  @Test func avatarTappedShowsChatWithThisAvatar() async {
    let list = show(.animals)
    await mock.avatars.next().reply([.misty])
    await turns()
    list.input.avatarTapped.send("misty")
    list.input.avatarTapped.send("mina")
    #expect(
      mock.calls.all == [
        "track categoryList.avatarTapped avatarId=misty name=Misty", "showChat misty",
      ])
  }

  @Test func failureIsTypedAndCanBeRetried() async {
    let list = show(.cooks)
    await mock.avatars.next().fail(LoadFailure.diskFull)
    await turns()
    #expect(list.output.failure.value?.reason == .storage)
    #expect(mock.calls.all == ["showAlert The disk is full."])
    list.input.retry.send()
    await mock.avatars.next().reply([.mina])
    await turns()
    #expect(list.output.failure.value == nil)
    #expect(list.output.avatars.values == [.mina])
    list.input.didAppear.send()
    await turns()
    #expect(mock.avatars.questions.count == 2)
  }

  @Test func anotherAccountClearsTheListAndLoadsItsOwn() async {
    let list = show(.animals)
    await mock.avatars.next().reply([.misty])
    await turns()
    mock.switches.send(Trigger())
    #expect(list.output.avatars.isEmpty)
    await mock.avatars.next().reply([.mina])
    await turns()
    #expect(list.output.avatars.values == [.mina])
  }

  private func show(_ category: AvatarCategory) -> CategoryListPresenter {
    core.show {
      CategoryListPresenter(
        delegate: CategoryListDelegate(category: category), interactor: mock, router: mock)
    }
  }
}

/// The mock interactor and router of a category's list.
@CoreActor
private final class MockCategoryList: CategoryListInteractor, CategoryListRouter {
  let calls = Calls()
  let avatars = Asked<AvatarCategory, [Avatar]>()
  let switches = Relay<Trigger>()
  var accountSwitches: Signal<Trigger> { switches.signal }

  func avatars(in category: AvatarCategory) async throws -> [Avatar] {
    try await avatars(category)
  }

  func trackEvent(_ event: any LoggableEvent) { calls.note("track \(event.line)") }
  func showChat(_ delegate: ChatDelegate) { calls.note("showChat \(delegate.avatarId)") }
  func showAlert(_ error: any Error) { calls.note("showAlert \(LoadFailure(error).detail)") }
}
