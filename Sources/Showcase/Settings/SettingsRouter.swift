internal import Offstage

/// Where the settings can lead.
@CoreActor
protocol SettingsRouter {
  /// - Parameter onDisappear: called once when it has gone, however it went.
  func showCreateAccount(
    _ delegate: CreateAccountDelegate, onDisappear: @escaping @CoreActor () -> Void)
  /// - Throws: `PromptError` where there is no answer.
  func confirmSignOut() async throws -> Bool
  func dismissScreen()
  func showAlert(_ error: any Error)
}

extension CoreRouter: SettingsRouter {}
