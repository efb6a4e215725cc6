internal import Offstage

/// Where the list of a category can lead.
@CoreActor
protocol CategoryListRouter {
  func showChat(_ delegate: ChatDelegate)
  func showAlert(_ error: any Error)
}

extension CoreRouter: CategoryListRouter {}
