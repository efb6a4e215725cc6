import Offstage
import OffstageTesting
import Testing

@testable import Showcase

/// Explore with a mock interactor and a mock router.
@Suite @CoreActor struct ExplorePresenterTests {
  private let core = TestCore()
  private let calls = Calls()
  private let interactor: MockExploreInteractor
  private let router: MockExploreRouter

  init() {
    interactor = MockExploreInteractor(calls)
    router = MockExploreRouter(calls)
  }

  @Test func avatarTappedShowsChatWithThisAvatar() async {
    let explore = await showAvatars()
    explore.input.avatarTapped.send(Avatar.misty.id)
    #expect(router.chats == [ChatDelegate(avatarId: "misty", chatId: nil)])
  }

  @Test func tapIsTrackedBeforeTheChatIsShown() async {
    let explore = await showAvatars()
    calls.removeAll()
    explore.input.avatarTapped.send(Avatar.mina.id)
    #expect(
      calls.all == ["track explore.avatarTapped avatarId=mina name=Mina", "showChat mina"])
  }

  @Test func unknownAvatarLeadsNowhere() async {
    let explore = await showAvatars()
    explore.input.avatarTapped.send("nobody")
    #expect(router.chats.isEmpty)
  }

  @Test func aCategoryLeadsToItsList() {
    show().input.categoryTapped.send(.animals)
    #expect(
      calls.all == ["track explore.categoryTapped category=animals", "showCategoryList animals"])
  }

  @Test func bothLoadsRunAtOnce() async {
    let explore = show()
    explore.input.didAppear.send()
    let featured = await interactor.featured.next()
    let popular = await interactor.popular.next()
    #expect(explore.output.isLoadingFeatured.value)
    #expect(explore.output.isLoadingPopular.value)
    popular.reply([.misty])
    await turns()
    #expect(explore.output.popular.values == [.misty])
    #expect(explore.output.isLoadingFeatured.value)
    #expect(!explore.output.isLoadingPopular.value)
    featured.reply([.mina])
    await turns()
    #expect(explore.output.featured.values == [.mina])
    #expect(!explore.output.isLoadingFeatured.value)
  }

  @Test func oneFailureDoesNotHideTheOtherList() async {
    let explore = show()
    explore.input.didAppear.send()
    await interactor.popular.next().fail(LoadFailure.offline)
    await interactor.featured.next().reply([.mina])
    await turns()
    #expect(explore.output.popularFailure.value?.reason == .offline)
    #expect(explore.output.featuredFailure.value == nil)
    #expect(explore.output.featured.values == [.mina])
    #expect(calls.all.filter { $0.hasPrefix("showAlert") } == ["showAlert Nothing answers."])

    explore.input.retry.send()
    await interactor.popular.next().reply([.misty])
    await turns()
    #expect(explore.output.popular.values == [.misty])
    #expect(explore.output.popularFailure.value == nil)
    #expect(interactor.featured.questions.count == 1)
  }

  @Test func categoryRowFollowsTheVariant() async {
    interactor.tests.categoryRow = .hidden
    let explore = await showAvatars()
    #expect(explore.output.categoryRow.value == .hidden)
    #expect(explore.output.categories.values.map(\.id) == AvatarCategory.allCases)
  }

  @Test func closingDevSettingsReloadsTheOptions() async {
    let explore = await showAvatars()
    explore.input.devSettingsTapped.send()
    interactor.tests.categoryRow = .top
    await turns()
    #expect(explore.output.categoryRow.value == .original)
    router.disappear?()
    await turns()
    #expect(explore.output.categoryRow.value == .top)
  }

  @Test func accountHidesTheInvitation() async {
    let explore = await showAvatars()
    #expect(explore.output.showsCreateAccount.value)
    explore.input.createAccountTapped.send()
    interactor.signedIn = .kim
    router.disappear?()
    await turns()
    #expect(!explore.output.showsCreateAccount.value)
  }

  // MARK: The prompt to create an account

  @Test func nobodyIsPromptedInTheFirstMinute() async {
    interactor.tests.createAccountPrompt = true
    interactor.start = core.clock.now - .seconds(10)
    _ = await showAvatars()
    await core.advance(by: .milliseconds(49_999))
    #expect(!calls.all.contains("showCreateAccount"))
    await core.advance(by: .milliseconds(1))
    #expect(calls.all.last == "showCreateAccount")
  }

  @Test func promptAppearsOnceAfterTwoSeconds() async {
    interactor.tests.createAccountPrompt = true
    let explore = await showAvatars()
    await core.advance(by: .milliseconds(1999))
    #expect(!calls.all.contains("showCreateAccount"))
    await core.advance(by: .milliseconds(1))
    #expect(calls.all.suffix(2) == ["track explore.createAccountPrompted", "showCreateAccount"])
    explore.input.didAppear.send()
    await core.advance(by: .seconds(10))
    #expect(calls.all.count { $0 == "showCreateAccount" } == 1)
  }

  @Test func promptDoesNotAppearWithAnAccount() async {
    interactor.tests.createAccountPrompt = true
    interactor.signedIn = .kim
    _ = await showAvatars()
    await core.advance(by: .seconds(10))
    #expect(!calls.all.contains("showCreateAccount"))
  }

  @Test func promptDoesNotAppearWithoutTheVariant() async {
    _ = await showAvatars()
    await core.advance(by: .seconds(10))
    #expect(!calls.all.contains("showCreateAccount"))
  }

  // MARK: Push permission

  @Test(arguments: [true, false]) func answerTurnsRemindersOnOrOff(enable: Bool) async {
    let explore = await showModal()
    (enable ? router.enable : router.cancel)?()
    await turns()
    #expect(
      calls.all == [
        "track explore.pushPermissionAnswered enable=\(enable)", "answerPushPermission \(enable)",
      ])
    checkIsNotShownAgain(explore)
  }

  @Test func failureToTurnRemindersOnIsAnAlert() async {
    interactor.failure = LoadFailure.diskFull
    let explore = await showModal()
    router.enable?()
    await turns()
    #expect(calls.all.last == "showAlert The disk is full.")
    checkIsNotShownAgain(explore)
  }

  @Test func answeredPermissionHidesTheButton() async {
    interactor.mayAsk = false
    checkIsNotShownAgain(await showAvatars())
  }

  // MARK: Helpers

  private func show() -> ExplorePresenter {
    core.show { ExplorePresenter(interactor: interactor, router: router) }
  }

  private func showAvatars() async -> ExplorePresenter {
    let explore = show()
    explore.input.didAppear.send()
    await interactor.featured.next().reply([.mina])
    await interactor.popular.next().reply([.misty])
    await turns()
    return explore
  }

  private func showModal() async -> ExplorePresenter {
    let explore = await showAvatars()
    explore.input.pushPermissionTapped.send()
    #expect(calls.all.last == "showPushPermissionModal")
    calls.removeAll()
    return explore
  }

  private func checkIsNotShownAgain(
    _ explore: ExplorePresenter, _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(!explore.output.showsPushPermission.value, sourceLocation: location)
    calls.removeAll()
    explore.input.pushPermissionTapped.send()
    #expect(calls.all.isEmpty, sourceLocation: location)
  }
}

/// Returns avatars when the test replies.
@CoreActor
final class MockExploreInteractor: ExploreInteractor {
  let calls: Calls
  let featured = Asked<String, [Avatar]>()
  let popular = Asked<String, [Avatar]>()
  var tests = ABTests.control
  let session = Out<Account?>(nil)
  var signedIn: Account? {
    get { session.value }
    set { session.value = newValue }
  }
  var mayAsk = true
  /// The error of turning reminders on.
  var failure: (any Error)?

  init(_ calls: Calls) { self.calls = calls }

  let isForDevelopers = false
  /// Since 1970.
  var start = Duration.zero

  func abTests() async throws -> ABTests { tests }
  func firstStart() async throws -> Duration { start }
  func account() async throws -> Account? { signedIn }
  var isGuest: Signal<Bool> { session.map { $0 == nil } }
  func featuredAvatars() async throws -> [Avatar] { try await featured("featured") }
  func popularAvatars() -> Fetch<[Avatar]> { Fetch { try await self.popular("popular") } }
  func canRequestAuthorization() async throws -> Bool { mayAsk }
  func trackExposure() async throws {}
  func renewReminders(catch handle: @escaping @CoreActor (any Error) -> Void) {}
  func renewRemindersAtStart() {}

  func answerPushPermission(
    enable: Bool, catch handle: @escaping @CoreActor (any Error) -> Void
  ) {
    mayAsk = false
    calls.note("answerPushPermission \(enable)")
    if let failure { handle(failure) }
  }

  func trackEvent(_ event: any LoggableEvent) { calls.note("track \(event.line)") }
}

/// Records the router calls and keeps their closures.
@CoreActor
final class MockExploreRouter: ExploreRouter {
  let calls: Calls
  private(set) var chats: [ChatDelegate] = []
  var isVisible = true
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

  func showCreateAccount(into result: In<Account?>) {
    disappear = { result.send(nil) }
    calls.note("showCreateAccount")
  }

  func showDevSettings(into result: In<Empty?>) {
    disappear = { result.send(nil) }
    calls.note("showDevSettings")
  }

  func showPushPermissionModal(into result: In<CustomModalPresenter.Result?>) {
    enable = { result.send(.primary) }
    cancel = { result.send(.secondary) }
    calls.note("showPushPermissionModal")
  }

  func showAlert(_ error: any Error) { calls.note("showAlert \(LoadFailure(error).detail)") }
}
