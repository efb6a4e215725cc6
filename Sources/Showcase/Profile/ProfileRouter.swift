internal import Offstage

/// Where the profile can lead; every `onDisappear` is called once, however the screen went.
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
