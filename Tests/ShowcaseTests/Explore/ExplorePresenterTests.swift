import Offstage
import OffstageTesting
import Testing

@testable import Showcase

/// Explore between a mock interactor and a mock router, as in the article.
@Suite @CoreActor struct ExplorePresenterTests {
  private let core = TestCore()
  private let calls = Calls()
  private let interactor: MockExploreInteractor
  private let router: MockExploreRouter

  init() {
    interactor = MockExploreInteractor(calls)
    router = MockExploreRouter(calls)
  }

  @Test func showChatWasCalledWithThisAvatar() async {
    let explore = await showAvatars()
    explore.input.avatarTapped.send(Avatar.misty.id)
    #expect(router.chats == [ChatDelegate(avatarId: "misty", chatId: nil)])
  }

  @Test func theTapIsTrackedBeforeTheChatIsShown() async {
    let explore = await showAvatars()
    calls.removeAll()
    explore.input.avatarTapped.send(Avatar.mina.id)
    #expect(
      calls.all == ["track explore.avatarTapped avatarId=mina name=Mina", "showChat mina"])
  }

  @Test func anAvatarThatIsNotShownLeadsNowhere() async {
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
    #expect(explore.output.isLoadingFeatured.value && explore.output.isLoadingPopular.value)
    popular.reply([.misty])
    await turns()
    #expect(explore.output.popular.values == [.misty])
    #expect(explore.output.isLoadingFeatured.value && !explore.output.isLoadingPopular.value)
    featured.reply([.mina])
    await turns()
    #expect(explore.output.featured.values == [.mina])
    #expect(!explore.output.isLoadingFeatured.value)
  }

  @Test func oneFailureDoesNotHideTheOther() async {
    let explore = show()
    explore.input.didAppear.send()
    await interactor.popular.next().fail(LoadFailure.offline)
    await interactor.featured.next().reply([.mina])
    await turns()
    #expect(explore.output.popularFailure.value == .offline)
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

  @Test func theCategoryRowFollowsItsOption() async {
    interactor.tests.categoryRow = .hidden
    let explore = await showAvatars()
    #expect(explore.output.categoryRow.value == .hidden)
    #expect(explore.output.categories.values.map(\.id) == AvatarCategory.allCases)
  }

  @Test func optionsAreLookedAtAgainOnceDevSettingsHaveGone() async {
    let explore = await showAvatars()
    explore.input.devSettingsTapped.send()
    interactor.tests.categoryRow = .top
    await turns()
    #expect(explore.output.categoryRow.value == .original)
    router.disappear?()
    await turns()
    #expect(explore.output.categoryRow.value == .top)
  }

  @Test func onceThereIsAnAccountThereIsNothingToCreate() async {
    let explore = await showAvatars()
    #expect(explore.output.showsCreateAccount.value)
    explore.input.createAccountTapped.send()
    interactor.signedIn = .kim
    router.disappear?()
    await turns()
    #expect(!explore.output.showsCreateAccount.value)
  }

  // MARK: The prompt to create an account

  @Test func thePromptComesOnceAndAfterTwoSeconds() async {
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

  @Test func thePromptDoesNotComeToWhoHasAnAccount() async {
    interactor.tests.createAccountPrompt = true
    interactor.signedIn = .kim
    _ = await showAvatars()
    await core.advance(by: .seconds(10))
    #expect(!calls.all.contains("showCreateAccount"))
  }

  @Test func thePromptDoesNotComeWithoutTheOption() async {
    _ = await showAvatars()
    await core.advance(by: .seconds(10))
    #expect(!calls.all.contains("showCreateAccount"))
  }

  // MARK: Push permission

  @Test func enableAsksTheDeviceAndSchedules() async {
    let explore = await showModal()
    router.enable?()
    await turns()
    #expect(
      calls.all == [
        "track explore.pushPermissionAnswered enable=true", "notePushPermissionAnswered",
        "requestAuthorization", "schedulePushNotificationsForTheNextWeek",
      ])
    checkIsNotShownAgain(explore)
  }

  @Test func cancelAsksTheDeviceNothing() async {
    let explore = await showModal()
    router.cancel?()
    await turns()
    #expect(
      calls.all == [
        "track explore.pushPermissionAnswered enable=false", "notePushPermissionAnswered",
      ])
    checkIsNotShownAgain(explore)
  }

  @Test func whereTheDeviceSaysNoNothingIsScheduled() async {
    interactor.isGranted = false
    let explore = await showModal()
    router.enable?()
    await turns()
    #expect(calls.all.last == "requestAuthorization")
    checkIsNotShownAgain(explore)
  }

  @Test func aFailureToScheduleIsAnAlert() async {
    interactor.failure = LoadFailure.diskFull
    let explore = await showModal()
    router.enable?()
    await turns()
    #expect(calls.all.last == "showAlert The disk is full.")
    checkIsNotShownAgain(explore)
  }

  @Test func whoHasAnsweredIsNotAsked() async {
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

  private func checkIsNotShownAgain(_ explore: ExplorePresenter) {
    #expect(!explore.output.showsPushPermission.value)
    calls.removeAll()
    explore.input.pushPermissionTapped.send()
    #expect(calls.all.isEmpty)
  }
}
