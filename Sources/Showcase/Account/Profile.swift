import Offstage

/// The person's account and the avatars that the person created.
final class ProfilePresenter: Screen {
  static let kind = "profile"

  enum Action: LoggableEvent {
    static let screen = "profile"
    case didAppear
    case avatarTapped(avatarId: String, name: String)
    case createAvatarTapped
    case editProfileTapped, createAccountTapped, settingsTapped
  }

  struct Input: Ports {
    let didAppear = In<Trigger>()
    let retry = In<Trigger>()
    /// The id of an avatar on the screen.
    let avatarTapped = In<String>()
    let createAvatarTapped = In<Trigger>()
    let createAccountTapped = In<Trigger>()
    let editProfileTapped = In<Trigger>()
    let settingsTapped = In<Trigger>()
  }

  struct Output: Ports {
    /// nil for a guest.
    let account = Out<Account?>(nil)
    let avatars = Rows<Avatar>()
    let isLoading = Out(false)
    let failure = Out<Failure?>(nil)
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  private let localizer = Localizer()
  private let interactor: any ProfileInteractor
  private let router: any ProfileRouter

  init(interactor: any ProfileInteractor, router: any ProfileRouter) {
    self.interactor = interactor
    self.router = router
    let person = Loader(effects) {
      (account: try await interactor.account(), avatars: try await interactor.createdAvatars())
    }
    output.isLoading.bind(person.isLoading)
    localizer.show(person, .loadProfile, in: output.failure)
    person.values.observe { [self] in
      output.account.value = $0.account
      output.avatars.reset(to: $0.avatars)
    }
    person.failures.observe { router.showAlert($0) }
    interactor.track(input.didAppear, as: Action.didAppear)
    interactor.track(input.settingsTapped, as: Action.settingsTapped)
    // On every appearance: other screens change all of it.
    input.didAppear.merge(input.retry).observe { (_: Trigger) in person.reload() }
    input.avatarTapped.expect("the id of an avatar") { [output] in output.avatars[$0] != nil }
    input.avatarTapped.observe { [self] in openChat(with: $0) }
    input.createAvatarTapped.observe {
      interactor.trackEvent(Action.createAvatarTapped)
      router.showCreateAvatar { person.reload() }
    }
    input.editProfileTapped.observe { [self] in
      guard let account = output.account.value else { return }
      interactor.trackEvent(Action.editProfileTapped)
      router.showEditProfile(EditProfileDelegate(account: account)) { person.reload() }
    }
    input.createAccountTapped.observe { [self] in
      guard output.account.value == nil else { return }
      interactor.trackEvent(Action.createAccountTapped)
      router.showCreateAccount(CreateAccountDelegate()) { person.reload() }
    }
    input.settingsTapped.observe { router.showSettings { person.reload() } }
  }

  private func openChat(with id: String) {
    guard let avatar = output.avatars[id] else { return }
    interactor.trackEvent(
      Action.avatarTapped(avatarId: avatar.id, name: avatar.name))
    router.showChat(ChatDelegate(avatarId: avatar.id))
  }
}

/// The data of the profile.
@CoreActor
protocol ProfileInteractor: EventTracker {
  func account() async throws -> Account?
  func createdAvatars() async throws -> [Avatar]
}

extension CoreInteractor: ProfileInteractor {}

/// The ways out of the profile. Each `onDisappear` is called once, however the screen was closed.
@CoreActor
protocol ProfileRouter {
  func showChat(_ delegate: ChatDelegate)
  func showCreateAvatar(onDisappear: @escaping @CoreActor () -> Void)
  func showCreateAccount(
    _ delegate: CreateAccountDelegate, onDisappear: @escaping @CoreActor () -> Void)
  func showEditProfile(
    _ delegate: EditProfileDelegate, onDisappear: @escaping @CoreActor () -> Void)
  func showSettings(onDisappear: @escaping @CoreActor () -> Void)
  func showAlert(_ error: any Error)
}

extension CoreRouter: ProfileRouter {}
