import Offstage
import OffstageTesting
import Testing

@testable import Showcase

/// The form of an avatar with a mock interactor and a mock router.
@Suite @CoreActor struct CreateAvatarPresenterTests {
  private let core = TestCore()
  private let mock = MockCreateAvatar()

  @Test func savingNeedsAName() {
    let form = show()
    #expect(!form.output.isSaveEnabled.value)
    form.input.nameText.send(" ")
    #expect(!form.output.isSaveEnabled.value)
    form.input.save.send()
    form.input.nameText.send("Zoe")
    #expect(form.output.isSaveEnabled.value)
    #expect(mock.calls.all == ["track createAvatar.created"])
  }

  @Test func thePortraitFollowsTheForm() {
    let form = show()
    form.input.nameText.send("Zoe")
    form.input.categoryPicked.send(.artists)
    #expect(form.output.portrait.value == Portrait("Zoe", .artists).uri)
    #expect(form.output.categories.value == AvatarCategory.allCases)
  }

  @Test func saveUsesTheTextOfTheTapAndRunsOnce() async {
    let form = show()
    form.input.nameText.send("Zoe")
    form.input.categoryPicked.send(.artists)
    form.input.descriptionText.send("She draws.")
    form.input.save.send()
    form.input.save.send()
    #expect(form.output.isSaving.value)
    #expect(!form.output.isSaveEnabled.value)
    let call = await mock.creations.next()
    #expect(call.question == "Zoe of artists: She draws.")
    call.reply(.mina)
    await turns()
    #expect(mock.creations.questions.count == 1)
    #expect(
      mock.calls.all == [
        "track createAvatar.created", "track createAvatar.save category=artists",
      ])
  }

  @Test func failureShowsAlertAndKeepsTheForm() async {
    let form = show()
    form.input.nameText.send("Zoe")
    form.input.save.send()
    await mock.creations.next().fail(LoadFailure.diskFull)
    await turns()
    #expect(mock.calls.all.last == "showAlert The disk is full.")
    #expect(form.output.isSaveEnabled.value)
    #expect(form.input.nameText.value == "Zoe")
  }

  @Test func cancelCloses() {
    show().input.cancel.send()
    #expect(
      mock.calls.all == [
        "track createAvatar.created", "track createAvatar.cancel", "dismissScreen",
      ])
  }

  @Test func leavingAsksIfSomethingIsTyped() async {
    let form = show()
    #expect(form.mayLeave())
    form.input.nameText.send("Zoe")
    #expect(!form.mayLeave())
    await mock.questions.next().reply(true)
    await turns()
    #expect(mock.calls.all == ["track createAvatar.created", "leaveScreen"])
  }

  @Test func dismissedConfirmationDiscardsNothing() async {
    let form = show()
    form.input.nameText.send("Zoe")
    #expect(!form.mayLeave())
    await mock.questions.next().fail(PromptError.dismissed)
    await turns()
    #expect(mock.calls.all == ["track createAvatar.created"])
    #expect(core.faults.isEmpty)
  }

  @Test func aLongNameIsRefusedAtTheField() {
    let form = show()
    form.input.nameText.send(String(repeating: "x", count: 81))
    form.input.save.send()
    #expect(form.input.nameText.error == "Use at most 80 characters.")
    #expect(mock.creations.questions.isEmpty)
  }

  @Test func failureOfASaveIsSeenAlthoughTheUserWentBack() async {
    let form = show()
    form.input.nameText.send("Zoe")
    form.input.save.send()
    let call = await mock.creations.next()
    #expect(!form.mayLeave())
    call.fail(LoadFailure.diskFull)
    await turns()
    #expect(mock.questions.questions.isEmpty)
    #expect(mock.calls.all.last == "showAlert The disk is full.")
    #expect(form.input.nameText.value == "Zoe")
  }

  @Test func closingDuringTheSaveSaves() async {
    let form = show()
    form.input.nameText.send("Zoe")
    form.input.save.send()
    let call = await mock.creations.next()
    core.closeAll()
    #expect(!call.isCancelled)
    call.reply(.mina)
    await turns()
    #expect(core.faults.isEmpty)
  }

  private func show() -> CreateAvatarPresenter {
    core.show { CreateAvatarPresenter(interactor: mock, router: mock) }
  }
}

/// The mock interactor and router of the form.
@CoreActor
private final class MockCreateAvatar: CreateAvatarInteractor, CreateAvatarRouter {
  let calls = Calls()
  let creations = Asked<String, Avatar>()
  let questions = Asked<String, Bool>()

  let owner = Owner.guest
  let switches = Relay<Trigger>()
  var accountSwitches: Signal<Trigger> { switches.signal }

  func createAvatar(
    name: String, category: AvatarCategory, description: String, as owner: Owner
  ) async throws -> Avatar {
    try await creations("\(name) of \(category): \(description)")
  }

  func trackEvent(_ event: any LoggableEvent) { calls.note("track \(event.line)") }
  func confirmDiscard() async throws -> Bool { try await questions("discard?") }
  func leaveScreen() { calls.note("leaveScreen") }
  func dismissScreen() { calls.note("dismissScreen") }
  func showAlert(_ error: any Error) { calls.note("showAlert \(LoadFailure(error).detail)") }
}
