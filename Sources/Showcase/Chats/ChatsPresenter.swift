internal import Offstage

/// All chats, the one with the newest message first.
final class ChatsPresenter: Screen {
  static let kind = "chats"

  struct Input: Ports {
    let didAppear = In<Trigger>()
    let retry = In<Trigger>()
    /// With the id of a chat that is shown.
    let chatTapped = In<String>()
  }

  struct Output: Ports {
    let chats = Rows<ChatRow>()
    let isLoading = Out(false)
    let failure = Out<LoadFailure?>(nil)
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  private let interactor: any ChatsInteractor
  private let router: any ChatsRouter

  init(interactor: any ChatsInteractor, router: any ChatsRouter) {
    self.interactor = interactor
    self.router = router
    output.isLoading.bind(effects.activity("load"))
    input.didAppear.merge(input.retry).observe { [self] (_: Trigger) in load() }
    input.chatTapped.observe { [self] in open($0) }
  }

  /// Each time it appears, since chats go on elsewhere.
  private func load() {
    effects.run("load", .latest) { [self] in
      let chats = try await interactor.chats()
      try Task.checkCancellation()
      output.chats.reset(to: chats.map(ChatRow.init))
      output.failure.value = nil
    } catch: { [self] error in
      output.failure.value = LoadFailure(error)
      router.showAlert(error)
    }
  }

  private func open(_ id: String) {
    guard let chat = output.chats[id] else { return }
    interactor.trackEvent(.init("chats.chatTapped", ["chatId": id, "avatarId": chat.avatarId]))
    router.showChat(ChatDelegate(avatarId: chat.avatarId, chatId: id))
  }
}
