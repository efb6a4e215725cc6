import Offstage

/// All chats, the one with the newest message first.
final class ChatsPresenter: Screen {
  static let kind = "chats"

  struct Input: Ports {
    let didAppear = In<Trigger>()
    let retry = In<Trigger>()
    /// The id of a chat in the list.
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

  /// Loads on every appearance: other screens add messages.
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

/// A chat in the list.
struct ChatRow: Identifiable, Codable, Hashable, Sendable {
  let id: String
  let avatarId: String
  let name: String
  /// A URL that opens without the network.
  let image: String
  let lastMessage: String
  /// Seconds since 1970.
  let at: Int

  init(_ chat: Chat) {
    id = chat.id
    avatarId = chat.avatarID
    name = chat.name
    image = chat.image
    lastMessage = chat.lastMessage
    at = chat.at
  }
}

/// The data of the list.
@CoreActor
protocol ChatsInteractor {
  func chats() async throws -> [Chat]
  func trackEvent(_ event: TrackedEvent)
}

extension CoreInteractor: ChatsInteractor {}

/// The ways out of the list.
@CoreActor
protocol ChatsRouter {
  func showChat(_ delegate: ChatDelegate)
  func showAlert(_ error: any Error)
}

extension CoreRouter: ChatsRouter {}
