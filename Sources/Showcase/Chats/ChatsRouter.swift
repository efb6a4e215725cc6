internal import Offstage

/// Where the list of chats can lead.
@CoreActor
protocol ChatsRouter {
  func showChat(_ delegate: ChatDelegate)
  func showAlert(_ error: any Error)
}

extension CoreRouter: ChatsRouter {}
