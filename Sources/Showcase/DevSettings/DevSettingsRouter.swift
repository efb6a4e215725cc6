internal import Offstage

/// Where the dev settings can lead: back.
@CoreActor
protocol DevSettingsRouter {
  func dismissScreen()
  func showAlert(_ error: any Error)
}

extension CoreRouter: DevSettingsRouter {}
