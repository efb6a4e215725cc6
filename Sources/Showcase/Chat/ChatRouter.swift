internal import Offstage

/// Where a chat can lead: nowhere but to what went wrong.
@CoreActor
protocol ChatRouter {
  func showAlert(_ error: any Error)
}

extension CoreRouter: ChatRouter {}
