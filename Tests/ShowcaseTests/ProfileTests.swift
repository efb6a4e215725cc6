import Offstage
import OffstageTesting
import Testing

@testable import Showcase

/// The profile with a mock interactor and a mock router.
@Suite @CoreActor struct ProfilePresenterTests {
  private let core = TestCore()
  private let mock = MockProfile()

  @Test func showsTheAccountAndTheAvatars() async {
    mock.signedIn = .kim
    mock.created = [.mina]
    let profile = await show()
    #expect(profile.output.account.value == .kim)
    #expect(profile.output.avatars.values == [.mina])
  }

  @Test func avatarTappedShowsChatWithThisAvatar() async {
    mock.created = [.mina]
    let profile = await show()
    profile.input.avatarTapped.send("mina")
    profile.input.avatarTapped.send("misty")
    #expect(
      mock.calls.all == [
        "track profile.didAppear", "track profile.avatarTapped avatarId=mina name=Mina",
        "showChat mina",
      ])
  }

  @Test func avatarAppearsAfterTheCoverCloses() async {
    let profile = await show()
    profile.input.createAvatarTapped.send()
    #expect(
      mock.calls.all == [
        "track profile.didAppear", "track profile.createAvatarTapped", "showCreateAvatar",
      ])
    mock.created = [.mina]
    mock.disappear?()
    await turns()
    #expect(profile.output.avatars.values == [.mina])
  }

  @Test func onlyAGuestCreatesAnAccount() async {
    let profile = await show()
    #expect(profile.output.canCreateAccount.value)
    #expect(!profile.output.canEditProfile.value)
    profile.input.createAccountTapped.send()
    mock.signedIn = .kim
    #expect(!profile.output.canCreateAccount.value)
    #expect(profile.output.canEditProfile.value)
    profile.input.createAccountTapped.send()
    profile.input.editProfileTapped.send()
    #expect(
      mock.calls.all == [
        "track profile.didAppear", "track profile.createAccountTapped", "showCreateAccount",
        "track profile.editProfileTapped", "showEditProfile Kim",
      ])
  }

  @Test func anotherAccountClearsTheAvatars() async {
    mock.signedIn = .kim
    mock.created = [.mina]
    let profile = await show()
    mock.created = []
    mock.signedIn = nil
    mock.switches.send(Trigger())
    #expect(profile.output.account.value == nil)
    #expect(profile.output.avatars.isEmpty)
    await turns()
    #expect(profile.output.avatars.isEmpty)
    #expect(!profile.output.isLoading.value)
  }

  @Test func failureIsTypedAndCanBeRetried() async {
    mock.failure = LoadFailure.diskFull
    let profile = await show()
    #expect(profile.output.failure.value?.reason == .storage)
    #expect(mock.calls.all == ["track profile.didAppear", "showAlert The disk is full."])
    mock.failure = nil
    mock.created = [.mina]
    profile.input.retry.send()
    await turns()
    #expect(profile.output.failure.value == nil)
    #expect(profile.output.avatars.values == [.mina])
  }

  private func show() async -> ProfilePresenter {
    let profile = core.show { ProfilePresenter(interactor: mock, router: mock) }
    profile.input.didAppear.send()
    await turns()
    return profile
  }
}

/// The mock interactor and router of the profile.
@CoreActor
private final class MockProfile: ProfileInteractor, ProfileRouter {
  let calls = Calls()
  let session = Out<Account?>(nil)
  let switches = Relay<Trigger>()
  var signedIn: Account? {
    get { session.value }
    set { session.value = newValue }
  }
  var created: [Avatar] = []
  var failure: (any Error)?
  private(set) var disappear: (@CoreActor () -> Void)?

  var accountChanges: Signal<Account?> { session.signal }
  var isGuest: Signal<Bool> { session.map { $0 == nil } }
  var accountSwitches: Signal<Trigger> { switches.signal }
  func refreshAccount() {}

  func createdAvatars() async throws -> [Avatar] {
    if let failure { throw failure }
    return created
  }

  func trackEvent(_ event: any LoggableEvent) { calls.note("track \(event.line)") }
  func showChat(_ delegate: ChatDelegate) { calls.note("showChat \(delegate.avatarId)") }

  func showCreateAvatar(into result: In<Avatar?>) {
    disappear = { result.send(nil) }
    calls.note("showCreateAvatar")
  }

  func showCreateAccount() {
    calls.note("showCreateAccount")
  }

  func showEditProfile(_ delegate: EditProfileDelegate) {
    calls.note("showEditProfile \(delegate.account.name)")
  }

  func showSettings() { calls.note("showSettings") }

  func showAlert(_ error: any Error) { calls.note("showAlert \(LoadFailure(error).detail)") }
}
