import Offstage

/// The person's account and the avatars that the person created.
final class ProfilePresenter: Screen {
  static let kind = "profile"

  struct Input: Ports {
    let didAppear = In<Trigger>()
    let retry = In<Trigger>()
    /// The id of an avatar on the screen.
    let avatarTapped = In<String>()
    let createAvatarTapped = In<Trigger>()
    let createAccountTapped = In<Trigger>()
    let settingsTapped = In<Trigger>()
  }

  struct Output: Ports {
    /// nil for a guest.
    let account = Out<Account?>(nil)
    let avatars = Rows<Avatar>()
    let isLoading = Out(false)
    let failure = Out<LoadFailure?>(nil)
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  private let interactor: any ProfileInteractor
  private let router: any ProfileRouter

  init(interactor: any ProfileInteractor, router: any ProfileRouter) {
    self.interactor = interactor
    self.router = router
    output.isLoading.bind(effects.activity("load"))
    input.didAppear.merge(input.retry).observe { [self] (_: Trigger) in load() }
    input.avatarTapped.observe { [self] in openChat(with: $0) }
    input.createAvatarTapped.observe { [self] in
      interactor.trackEvent(.init("profile.createAvatarTapped"))
      router.showCreateAvatar { [self] in load() }
    }
    input.createAccountTapped.observe { [self] in
      interactor.trackEvent(.init("profile.createAccountTapped"))
      router.showCreateAccount(CreateAccountDelegate()) { [self] in load() }
    }
    input.settingsTapped.observe { [self] in router.showSettings { [self] in load() } }
  }

  /// Loads on every appearance: other screens change all of it.
  private func load() {
    effects.run("load", .latest) { [self] in
      let account = try await interactor.account()
      let avatars = try await interactor.createdAvatars()
      try Task.checkCancellation()
      output.account.value = account
      output.avatars.reset(to: avatars)
      output.failure.value = nil
    } catch: { [self] error in
      output.failure.value = LoadFailure(error)
      router.showAlert(error)
    }
  }

  private func openChat(with id: String) {
    guard let avatar = output.avatars[id] else { return }
    interactor.trackEvent(
      .init("profile.avatarTapped", ["avatarId": avatar.id, "name": avatar.name]))
    router.showChat(ChatDelegate(avatarId: avatar.id))
  }
}

/// The data of the profile.
@CoreActor
protocol ProfileInteractor {
  func account() async throws -> Account?
  func createdAvatars() async throws -> [Avatar]
  func trackEvent(_ event: TrackedEvent)
}

extension CoreInteractor: ProfileInteractor {}

/// The ways out of the profile. Each `onDisappear` is called once, however the screen was closed.
@CoreActor
protocol ProfileRouter {
  func showChat(_ delegate: ChatDelegate)
  func showCreateAvatar(onDisappear: @escaping @CoreActor () -> Void)
  func showCreateAccount(
    _ delegate: CreateAccountDelegate, onDisappear: @escaping @CoreActor () -> Void)
  func showSettings(onDisappear: @escaping @CoreActor () -> Void)
  func showAlert(_ error: any Error)
}

extension CoreRouter: ProfileRouter {}
