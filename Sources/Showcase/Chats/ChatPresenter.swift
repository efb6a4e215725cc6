import Offstage

/// A conversation with one avatar, whose replies stream in piece by piece.
final class ChatPresenter: TrackedScreen {
  enum Action: LoggableEvent {
    static let screen = "chat"
    case opened(avatarId: String)
    case didAppear
    case sent(avatarId: String)
    case stopped(avatarId: String)
    case retried(avatarId: String)
    case shared(avatarId: String)
    case cleared(avatarId: String)
  }

  typealias Argument = ChatDelegate

  struct Input: Ports {
    let didAppear = In<Trigger>()
    /// The text field.
    let messageText = Field("")
    let send = In<Trigger>()
    /// Stops the reply and keeps the part that was received.
    let stop = In<Trigger>(
      .enabled(by: \Output.isReplying), .visible(by: \Output.isReplying))
    /// Reloads a chat that failed to load, or requests a failed or cut-off reply again.
    let retry = In<Trigger>()
    /// Shares the text of a message, by its id.
    let shareTapped = In<Int>()
    /// Stops the reply and deletes all messages, after a confirmation.
    let clear = In<Trigger>()
  }

  struct Output: Ports {
    let avatar = Out<Avatar?>(nil)
    let messages = Rows<MessageRow>.windowed(fromEnd: true)
    let isLoading = Out(false)
    let isSendEnabled = Out(false)
    let isReplying = Out(false, .busy(of: \Output.messages))
    let canRetry = Out(false)
    let canClear = Out(false)
    /// The reason that the chat could not be loaded, such as an unknown avatar.
    let failure = Out<Failure?>(nil, .kept)
    /// Fires when the message is saved, so that the text field can be cleared.
    let sent = Event<Empty>(.hidden)
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  private let delegate: ChatDelegate
  private let interactor: any ChatInteractor
  private let router: any ChatRouter
  private let conversation: Conversation
  private let localizer = Localizer()
  /// True once the conversation is loaded, so that the window opens at its end.
  private var isShown = false
  private lazy var loading = effects.task(.latest)
  private lazy var following = effects.task(.keepFirst)
  private(set) lazy var reply = effects.task(.keepFirst)
  private lazy var stopping = effects.task(.keepFirst)
  private lazy var clearing = effects.task(.keepFirst)

  init(delegate: ChatDelegate, interactor: any ChatInteractor, router: any ChatRouter) {
    self.delegate = delegate
    self.interactor = interactor
    self.router = router
    conversation = interactor.conversation(with: delegate.avatarId)
    conversation.show(in: output.messages)
    effects.onClose { [conversation] in conversation.hide() }
    output.isLoading.bind(loading.activity)
    output.isReplying.derive { [conversation, reply] in
      conversation.isReplying.value || reply.isRunning
    }
    output.isSendEnabled.derive { [conversation, input, output] in
      input.messageText.value.contains { !$0.isWhitespace } && output.avatar.value != nil
        && !output.isReplying.value && !conversation.isReplyingElsewhere.value
    }
    output.canRetry.derive { [conversation, output] in
      if output.avatar.value == nil { return output.failure.value?.retryable == true }
      if output.isReplying.value || conversation.isReplyingElsewhere.value
        || conversation.isRefused.value
      {
        return false
      }
      let last = conversation.last
      return last?.isCut == true || last?.author == .me
    }
    output.canClear.derive { [conversation] in conversation.total.value > 0 }
    interactor.track(input.didAppear, as: Action.didAppear)
    input.didAppear.observe { [self] in load(alerts: output.failure.value == nil) }
    conversation.isReplyingElsewhere.filter { $0 }.observe { [self] (_: Bool) in follow() }
    // Without an alert, since the user did not request this load.
    conversation.invalidations.observe { [self] (_: Trigger) in
      // A draft, and a question about the messages, belong to the account that was shown.
      input.messageText.value = ""
      clearing.cancel()
      load(alerts: false)
    }
    input.send.observe { [self] in send() }
    input.stop.observe { [self] in
      guard output.isReplying.value else { return }
      interactor.trackEvent(Action.stopped(avatarId: delegate.avatarId))
      let reply = conversation.stop()
      // The stop is done when the reply has ended.
      stopping.run { await reply?.untilEnd() }
    }
    input.retry.observe { [self] in retry() }
    input.shareTapped.expect("the id of a message") { [output] in output.messages[$0] != nil }
    input.shareTapped.observe { [output] id in
      guard let message = output.messages[id]?.message else { return }
      interactor.trackEvent(Action.shared(avatarId: delegate.avatarId))
      router.share(message.text)
    }
    input.clear.observe { [self] in if output.canClear.value { askToClear() } }
    localizer.onChange { [self] in load(alerts: false) }
    interactor.trackEvent(Action.opened(avatarId: delegate.avatarId))
    clearing.onRestart("clear") { [self] in askToClear() }
    load(alerts: output.failure.value == nil)
  }

  private func load(alerts: Bool = true) {
    loading.run { [self] in
      // Messages first: they can be read even if the avatar is gone.
      try await loadMessages()
      // Resume after a failure, which does not change `isReplyingElsewhere`.
      if conversation.isReplyingElsewhere.value { follow() }
      output.avatar.value = try await interactor.avatar(id: delegate.avatarId)
      output.failure.value = nil
    } catch: { [self] error in
      // The avatar is deleted or belongs to another account: nothing more can be sent.
      if LoadFailure(error).reason == .notFound { output.avatar.value = nil }
      output.failure.value = localizer.failure(error, .loadChat)
      if alerts { router.showAlert(error) }
    }
  }

  /// - Parameter reply: The reply that is about to be requested, if any.
  private func loadMessages(before reply: Conversation.Reply? = nil) async throws {
    try await conversation.load(before: reply) {
      interactor.isReplyReserved(in: delegate.avatarId)
    } _: {
      try await interactor.messages(of: delegate)
    }
    if !isShown {
      isShown = true
      output.messages.load(from: conversation, failure: localizer.text(of:))
    }
  }

  /// Shows the reply that another process is writing, until it ends.
  private func follow() {
    following.run { [self] in
      while conversation.isReplyingElsewhere.value {
        try await effects.sleep(for: .seconds(1))
        try await loadMessages()
      }
    } catch: { [self] _ in
      load()
    }
  }

  private func askToClear() {
    let owner = interactor.owner
    clearing.run(outlivesScreen: true) { [self] in
      guard try await router.confirm(localizer.words.clearChat) else { return }
      conversation.stop()
      try await interactor.clearChat(delegate.avatarId, as: owner)
      interactor.trackEvent(Action.cleared(avatarId: delegate.avatarId))
      conversation.clear()
    } catch: { [self] error in
      router.showAlert(error)
    }
  }

  // MARK: Replies

  private func send() {
    guard output.isSendEnabled.value, let avatar = output.avatar.value else { return }
    let text = input.messageText.value
    interactor.trackEvent(Action.sent(avatarId: avatar.id))
    let owner = interactor.owner
    requestReply(of: avatar, as: owner) { [self] reply in
      let message = try await interactor.say(text, to: avatar, as: owner)
      // Show a saved message even if the reply was canceled.
      conversation.append(message, by: reply)
      // Text typed since belongs to the next message.
      if input.messageText.value == text { input.messageText.reset(to: "") }
      output.sent.send(Empty())
    }
  }

  private func retry() {
    guard let avatar = output.avatar.value else { return load() }
    guard output.canRetry.value else { return }
    interactor.trackEvent(Action.retried(avatarId: avatar.id))
    requestReply(of: avatar, as: interactor.owner)
  }

  /// Streams a reply while a screen shows the conversation. A reply to the same message that was cut
  /// off stays until this one ends.
  private func requestReply(
    of avatar: Avatar, as owner: Owner,
    after prepare: @escaping @CoreActor (Conversation.Reply) async throws -> Void = { _ in }
  ) {
    reply.run(outlivesScreen: true) { [self] in
      let row = conversation.beginReply()
      defer { conversation.end(row) }
      guard try await interactor.reserveReply(of: avatar) else {
        throw LoadFailure.repliesElsewhere
      }
      defer { interactor.releaseReply(of: avatar) }
      try await loadMessages(before: row)
      try await prepare(row)
      if row.isStopped { return }
      guard let context = conversation.context() else { throw LoadFailure.repliesElsewhere }
      do {
        try await row.untilStopped { [self] in
          for try await piece in interactor.reply(to: context, as: avatar) {
            if let pace = interactor.replyPace { try await effects.sleep(for: pace) }
            try await append(piece, to: row, of: avatar, as: owner)
          }
          // The stream of a canceled reader ends without an error.
          try Task.checkCancellation()
        }
        try await end(row, .complete, as: owner)
      } catch {
        let cut = error as? TruncatedReplyReason
        // The reply counts as cut off even if this fails.
        try? await end(row, .cut(cut), as: owner)
        throw cut?.failure ?? error
      }
    } catch: { [self] error in
      router.showAlert(error)
      let failure = LoadFailure(error)
      conversation.isRefused.value = !failure.retryable
      // Show the messages of the other process.
      if failure.reason == .changedElsewhere { load(alerts: false) }
    }
  }

  /// Saves a piece before showing it, so that everything the user has seen survives a crash.
  private func append(
    _ piece: String, to reply: Conversation.Reply, of avatar: Avatar, as owner: Owner
  ) async throws {
    if let id = reply.id {
      try await interactor.append(piece, to: id, as: owner)
      conversation.append(piece, by: reply)
    } else {
      let message = try await interactor.beginReply(piece, of: avatar, as: owner)
      reply.id = message.id
      conversation.append(message, by: reply)
    }
  }

  private func end(
    _ reply: Conversation.Reply, _ end: ReplyEnd, as owner: Owner
  ) async throws {
    guard let id = reply.id else { return }
    let superseded = try await interactor.endReply(id, end, as: owner)
    conversation.end(reply, end, superseding: superseded)
  }
}

extension LoadFailure {
  fileprivate static let repliesElsewhere = LoadFailure(
    .changedElsewhere, "Another process answers, or has answered, in this chat.", retryable: true)
}

struct ChatDelegate: Identifiable, Codable, Hashable, Sendable {
  let avatarId: String
  /// A chat that must exist; nil to continue the avatar's chat or start it.
  var chatId: String?

  /// A chat has its avatar's id.
  var id: String { avatarId }
}

/// A message in the chat. Several replies in a row answer the same message: those that were cut off,
/// and the newest, which removes each that is no longer than itself when it ends.
struct MessageRow: Identifiable, Codable, Hashable, Sendable, SchemaAnnotated {
  let id: Int
  let author: ChatMessage.Author
  /// The text in the pieces as received, so that a new piece is a small patch.
  var pieces: [String]
  var isStreaming: Bool
  /// True if the reply was stopped or broke off.
  var isCut: Bool
  /// The reason that the server gave for ending the reply early.
  var cutReason: TruncatedReplyReason?

  init(_ message: ChatMessage, isStreaming: Bool = false) {
    id = message.id
    author = message.author
    pieces = [message.text]
    self.isStreaming = isStreaming
    isCut = message.isCut && !isStreaming
    cutReason = message.cutReason
  }

  mutating func end(_ end: ReplyEnd) {
    isStreaming = false
    isCut = end != .complete
    if case .cut(let reason) = end { cutReason = reason }
  }

  var message: ChatMessage {
    ChatMessage(id: id, author: author, text: pieces.joined(), isCut: isCut, cutReason: cutReason)
  }

  static var meanings: [PartialKeyPath<Self>: Meaning] {
    [\.author: .title, \.isStreaming: .hidden, \.isCut: .hidden]
  }
}

protocol ChatInteractor: EventTracker {
  /// Returns the conversation that all open screens of the chat share.
  func conversation(with avatar: String) -> Conversation
  var owner: Owner { get }
  func avatar(id: String) async throws -> Avatar
  /// Returns the newest messages; none for a new chat.
  /// - Throws: Also `LoadFailure` (`notFound`) if the delegate's chat does not exist.
  func messages(of delegate: ChatDelegate) async throws -> ChatHistory
  func say(_ text: String, to avatar: Avatar, as owner: Owner) async throws -> ChatMessage
  var replyPace: Duration? { get }
  func reply(
    to context: ChatHistory, as avatar: Avatar
  ) -> AsyncThrowingStream<String, any Error>
  func reserveReply(of avatar: Avatar) async throws -> Bool
  func releaseReply(of avatar: Avatar)
  func isReplyReserved(in chat: String) -> Bool
  func beginReply(
    _ piece: String, of avatar: Avatar, as owner: Owner
  ) async throws -> ChatMessage
  func append(_ piece: String, to reply: Int, as owner: Owner) async throws
  /// - Returns: The ids of the replies that this one replaces, which may include itself.
  func endReply(_ reply: Int, _ end: ReplyEnd, as owner: Owner) async throws -> [Int]
  func clearChat(_ id: String, as owner: Owner) async throws
}

protocol ChatRouter: AlertRouter {
  func share(_ text: String)
  func confirm(_ question: Question) async throws -> Bool
}
