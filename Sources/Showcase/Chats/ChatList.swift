import Offstage
import OffstageWords

/// All chats, the one with the newest message first.
final class ChatsPresenter: TrackedScreen {
  enum Action: LoggableEvent {
    static let screen = "chats"
    case didAppear
    case chatTapped(chatId: String, avatarId: String)
    case deleted(chatId: String)
    case restored(chatId: String)
    case exploreTapped
  }

  struct Input: Ports {
    let didAppear = In<Trigger>()
    let retry = In<Trigger>()
    /// The id of a chat in the list.
    let chatTapped = In<String>()
    let deleteTapped = In<String>()
    /// Restores the chat that was deleted last.
    let undoTapped = In<Trigger>()
    let exploreTapped = In<Trigger>()
  }

  struct Output: LoadingOutput {
    let chats = Rows<ChatRow>()
    /// How to start a chat; nil if there are chats, or until it is known.
    let invitation = Out<String?>(nil, .empty(of: \Output.chats, actions: \Input.exploreTapped))
    /// The chat that `undoTapped` restores; nil once its deletion is final.
    let deleted = Out<ChatRow?>(nil, [.hidden, .kept])
    /// For example, `Mina's chat was deleted`.
    let deletedNotice = Out<String?>(nil)
    let canUndo = Out(false)
    let isLoading = Out(false)
    let failure = Out<Failure?>(nil)
    let canRetry = Out(false)
  }

  /// The time during which a deletion can be undone.
  static let undoPeriod = Duration.seconds(5)

  let input = Input()
  let output = Output()
  let effects = Effects()

  private let interactor: any ChatsInteractor
  private let router: any ChatsRouter
  private let chats: Loader<[Chat]>
  private let localizer = Localizer()
  /// Keeps the times up to date while there are chats.
  private var ticker: Subscription?
  /// When the deletion becomes final.
  private let deletionTime = Kept(Duration.zero)
  /// Runs while a deletion can be undone.
  private lazy var finalDeletion = effects.task()
  /// Queued, so that a deletion is stored before it is undone.
  private lazy var storage = effects.task(.queue)

  init(interactor: any ChatsInteractor, router: any ChatsRouter) {
    self.interactor = interactor
    self.router = router
    chats = Loader(effects) { try await interactor.chats() }
    output.show(chats, .loadChats, localizer)
    let isLoaded = Out(false)
    output.invitation.derive { [output, localizer] in
      isLoaded.value && output.chats.isEmpty ? localizer.words.noChats : nil
    }
    chats.values.observe { [self] in
      show($0)
      isLoaded.value = true
      // The chat exists again: a message has started it anew. The list may be older than a deletion
      // that is still being stored.
      if let id = output.deleted.value?.id, output.chats[id] != nil, !storage.isRunning {
        endUndoPeriod()
      }
    }
    output.deletedNotice.derive { [output, localizer] in
      output.deleted.value.map { localizer.words.deletedChat($0.name) }
    }
    output.canUndo.derive { [output] in output.deleted.value != nil }
    chats.failures.observe { router.showAlert($0) }
    interactor.track(input.didAppear, as: Action.didAppear)
    // On every appearance, since other screens add messages.
    input.didAppear.observe { [chats] in
      interactor.refreshAccount()
      chats.reload()
    }
    input.retry.observe { [chats] in chats.load() }
    localizer.onChange { [self] in
      if !output.chats.isEmpty { chats.reload() }
    }
    for tapped in [input.chatTapped, input.deleteTapped] {
      tapped.expect("the id of a chat") { [output] in output.chats[$0] != nil }
    }
    input.chatTapped.observe { [output] id in
      guard let chat = output.chats[id] else { return }
      interactor.trackEvent(Action.chatTapped(chatId: id, avatarId: chat.avatarId))
      router.showChat(ChatDelegate(avatarId: chat.avatarId, chatId: id))
    }
    input.deleteTapped.observe { [self] in delete($0) }
    input.undoTapped.observe { [self] in
      guard let chat = output.deleted.value else { return }
      endUndoPeriod()
      let owner = interactor.owner
      store { [interactor] in
        try await interactor.restoreChat(chat.id, as: owner)
        interactor.trackEvent(Action.restored(chatId: chat.id))
      }
    }
    interactor.track(input.exploreTapped, as: Action.exploreTapped)
    input.exploreTapped.observe { router.showExplore() }
    finalDeletion.onRestart("deletion") { [self] in awaitDeletion() }
    interactor.accountSwitches.observe { [self, chats] (_: Trigger) in
      show([])
      output.deleted.value = nil
      chats.reload()
    }
  }

  private func show(_ chats: [Chat]) {
    output.chats.reset(to: chats.map { ChatRow($0, time: time(of: $0.at)) })
    ticker?.cancel()
    ticker = chats.isEmpty ? nil : effects.every(.seconds(60)) { [self] in updateTimes() }
  }

  private func updateTimes() {
    for chat in output.chats.values {
      let time = time(of: chat.at)
      if time != chat.time { output.chats.update(chat.id) { $0.time = time } }
    }
  }

  private func time(of seconds: Int) -> String {
    localizer.format.times.past(seconds, now: interactor.now)
  }

  // MARK: Deleting

  private func delete(_ id: String) {
    guard let chat = output.chats[id] else { return }
    output.chats.remove(id)
    output.deleted.value = chat
    let owner = interactor.owner
    store { [self] in
      do { try await interactor.deleteChat(id, as: owner) } catch {
        // Nothing to undo.
        if output.deleted.value?.id == id { endUndoPeriod() }
        throw error
      }
      interactor.trackEvent(Action.deleted(chatId: id))
    }
    deletionTime.value = effects.now + Self.undoPeriod
    awaitDeletion()
  }

  private func awaitDeletion() {
    finalDeletion.run { [self] in
      try await effects.sleep(for: deletionTime.value - effects.now)
      output.deleted.value = nil
      try await interactor.purgeDeletedChats()
    } catch: { [self] error in
      router.showAlert(error)
    }
  }

  private func endUndoPeriod() {
    finalDeletion.cancel()
    output.deleted.value = nil
  }

  private func store(_ change: @escaping @CoreActor () async throws -> Void) {
    storage.run(outlivesScreen: true) { [chats] in
      try await change()
      // A load that started earlier returns the old list.
      chats.reload()
    } catch: { [self, chats] error in
      router.showAlert(error)
      chats.reload()
    }
  }
}

/// A chat in the list.
struct ChatRow: Identifiable, Codable, Hashable, Sendable, SchemaAnnotated {
  let id: String
  let avatarId: String
  let name: String
  let image: String
  let lastMessage: String
  /// Seconds since 1970.
  let at: Int
  /// For example, `Yesterday`.
  var time: String

  init(_ chat: Chat, time: String) {
    id = chat.id
    avatarId = chat.id
    name = chat.name
    image = chat.image
    lastMessage = chat.lastMessage
    at = chat.at
    self.time = time
  }

  static var meanings: [PartialKeyPath<Self>: Meaning] {
    [
      \.avatarId: .hidden, \.image: .picture(.avatar), \.lastMessage: .subtitle,
      \.at: [.unixTime, .hidden], \.time: .accessory,
    ]
  }
}

protocol ChatsInteractor: EventTracker {
  /// Seconds since 1970.
  var now: Int { get }
  var owner: Owner { get }
  var accountSwitches: Signal<Trigger> { get }
  func refreshAccount()
  func chats() async throws -> [Chat]
  func deleteChat(_ id: String, as owner: Owner) async throws
  func restoreChat(_ id: String, as owner: Owner) async throws
  func purgeDeletedChats() async throws
}

protocol ChatsRouter: AlertRouter {
  func showExplore()
  func showChat(_ delegate: ChatDelegate)
}
