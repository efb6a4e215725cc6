import Offstage

/// The user's account and the avatars that the user created.
final class ProfilePresenter: TrackedScreen {
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
    let createAccountTapped = In<Trigger>(.visible(by: \Output.canCreateAccount))
    let editProfileTapped = In<Trigger>(.visible(by: \Output.canEditProfile))
    let settingsTapped = In<Trigger>()
  }

  struct Output: LoadingOutput {
    /// nil for a guest.
    let account = Out<Account?>(nil)
    let canEditProfile = Out(false)
    let canCreateAccount = Out(false)
    let avatars = Rows<Avatar>()
    let isLoading = Out(false)
    let failure = Out<Failure?>(nil)
    let canRetry = Out(false)
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  private let localizer = Localizer()
  private let avatarCreated = In<Avatar?>()

  init(interactor: any ProfileInteractor, router: any ProfileRouter) {
    output.account.bind(interactor.accountChanges)
    output.canEditProfile.derive { [output] in output.account.value != nil }
    output.canCreateAccount.bind(interactor.isGuest)
    let avatars = Loader(effects) { try await interactor.createdAvatars() }
    output.show(avatars, .loadProfile, localizer)
    avatars.values.observe { [output] in output.avatars.reset(to: $0) }
    avatars.failures.observe { router.showAlert($0) }
    interactor.accountSwitches.observe { [output] (_: Trigger) in
      output.avatars.removeAll()
      avatars.reload()
    }
    interactor.track(input.didAppear, as: Action.didAppear)
    interactor.track(input.settingsTapped, as: Action.settingsTapped)
    // On every appearance, since other screens create avatars.
    input.didAppear.observe {
      interactor.refreshAccount()
      avatars.reload()
    }
    input.retry.observe { avatars.load() }
    input.avatarTapped.openChat(
      withOneOf: [output.avatars], interactor, as: Action.avatarTapped
    ) { router.showChat($0) }
    input.createAvatarTapped.observe { [avatarCreated] in
      interactor.trackEvent(Action.createAvatarTapped)
      router.showCreateAvatar(into: avatarCreated)
    }
    avatarCreated.observe { _ in avatars.reload() }
    input.editProfileTapped.observe { [self] in
      guard let account = output.account.value else { return }
      interactor.trackEvent(Action.editProfileTapped)
      router.showEditProfile(EditProfileDelegate(account: account))
    }
    input.createAccountTapped.observe { [self] in
      guard output.canCreateAccount.value else { return }
      interactor.trackEvent(Action.createAccountTapped)
      router.showCreateAccount()
    }
    input.settingsTapped.observe { router.showSettings() }
  }
}

protocol ProfileInteractor: EventTracker {
  var accountChanges: Signal<Account?> { get }
  var isGuest: Signal<Bool> { get }
  var accountSwitches: Signal<Trigger> { get }
  func refreshAccount()
  func createdAvatars() async throws -> [Avatar]
}

protocol ProfileRouter: AlertRouter {
  func showChat(_ delegate: ChatDelegate)
  func showCreateAvatar(into result: In<Avatar?>)
  func showCreateAccount()
  func showEditProfile(_ delegate: EditProfileDelegate)
  func showSettings()
}
