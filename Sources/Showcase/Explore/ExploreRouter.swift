internal import Offstage

/// Where explore can lead.
@CoreActor
protocol ExploreRouter {
  func showCategoryList(_ delegate: CategoryListDelegate)
  func showChat(_ delegate: ChatDelegate)
  /// - Parameter onDisappear: called once when it has gone, however it went.
  func showCreateAccount(
    _ delegate: CreateAccountDelegate, onDisappear: @escaping @CoreActor () -> Void)
  /// - Parameter onDisappear: called once when it has gone, however it went.
  func showDevSettings(onDisappear: @escaping @CoreActor () -> Void)
  /// Neither is called where the modal is closed without an answer.
  func showPushPermissionModal(
    onEnablePressed: @escaping @CoreActor () -> Void,
    onCancelPressed: @escaping @CoreActor () -> Void)
  func showAlert(_ error: any Error)
}

extension CoreRouter: ExploreRouter {}
