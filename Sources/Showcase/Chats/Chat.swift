import Offstage

/// A conversation with one avatar, whose replies stream in piece by piece.
final class ChatPresenter: Screen {
  static let kind = "chat"

  typealias Argument = ChatDelegate

  struct Input: Ports {
    let didAppear = In<Trigger>()
    /// The text field.
    let messageText = In<String>("")
    let send = In<Trigger>()
    /// Stops the reply and keeps the part that was received.
    let stop = In<Trigger>()
    /// Loads again what failed to load, or requests a reply that was cut off again.
    let retry = In<Trigger>()
  }

  struct Output: Ports {
    let avatar = Out<Avatar?>(nil)
    let messages = Rows<MessageRow>()
    let isLoading = Out(false)
    let isSendEnabled = Out(false)
    let isReplying = Out(false)
    /// The message was saved: the text field can be cleared.
    let sent = Event<Empty>()
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  private let delegate: ChatDelegate
  private let interactor: any ChatInteractor
  private let router: any ChatRouter

  init(delegate: ChatDelegate, interactor: any ChatInteractor, router: any ChatRouter) {
    self.delegate = delegate
    self.interactor = interactor
    self.router = router
    output.isLoading.bind(effects.activity("load"))
    output.isReplying.bind(effects.activity("reply"))
    output.isSendEnabled.bind(
      combineLatest(input.messageText, output.avatar, output.isReplying).map {
        text, avatar, isReplying in
        text.contains { !$0.isWhitespace } && avatar != nil && !isReplying
      })
    input.didAppear.observe { [self] in load() }
    input.send.observe { [self] in send() }
    input.stop.observe { [self] in stop() }
    input.retry.observe { [self] in retry() }
    interactor.trackEvent(.init("chat.opened", ["avatarId": delegate.avatarId]))
    load()
  }

  // MARK: Loading

  private func load() {
    guard !output.isReplying.value else { return }
    effects.run("load", .keepFirst) { [self] in
      // Messages first: they can be read even if the avatar is gone.
      show(try await interactor.messages(of: delegate))
      output.avatar.value = try await interactor.avatar(id: delegate.avatarId)
    } catch: { [self] error in
      router.showAlert(error)
    }
  }

  private func show(_ messages: [ChatMessage]) {
    // Messages sent meanwhile are newer than the ones loaded.
    guard !output.isReplying.value else { return }
    output.messages.reset(
      to: messages.map { message in
        // Keep a streamed reply in its pieces.
        guard let row = output.messages[message.id], row.message == message else {
          return MessageRow(message)
        }
        return row
      })
  }

  // MARK: Talking

  private func send() {
    guard output.isSendEnabled.value, let avatar = output.avatar.value,
      let text = input.messageText.value
    else { return }
    interactor.trackEvent(.init("chat.sent", ["avatarId": avatar.id]))
    // Its result would be older than the message about to be saved.
    effects.cancel("load")
    effects.run("reply", .keepFirst) { [self] in
      let message = try await interactor.say(text, to: avatar)
      // Show a saved message even if the reply was cancelled.
      output.messages.append(MessageRow(message))
      // Text typed meanwhile belongs to the next message.
      if input.messageText.value == text { input.messageText.send("") }
      output.sent.send(Empty())
      try await receiveReply(of: avatar)
    } catch: { [self] error in
      router.showAlert(error)
    }
  }

  private func receiveReply(of avatar: Avatar) async throws {
    try Task.checkCancellation()
    do {
      let conversation = output.messages.values.map(\.message)
      var reply: Int?
      for try await piece in interactor.reply(to: conversation, as: avatar) {
        if let pace = interactor.replyPace { try await effects.sleep(for: pace) }
        // Save before showing: what a person has seen survives a crash.
        if let reply {
          try await interactor.append(piece, to: reply)
          output.messages.update(reply) { $0.pieces.append(piece) }
        } else {
          let message = try await interactor.beginReply(piece, of: avatar)
          reply = message.id
          output.messages.append(MessageRow(message, isStreaming: true))
        }
      }
      // The stream of a cancelled reader ends without an error.
      try Task.checkCancellation()
      guard let reply else { return }
      try await interactor.finishReply(reply)
      output.messages.update(reply) { $0.isStreaming = false }
    } catch {
      cutReply()
      throw error
    }
  }

  private func stop() {
    guard effects.isRunning("reply") else { return }
    interactor.trackEvent(.init("chat.stopped", ["avatarId": delegate.avatarId]))
    effects.cancel("reply")
    cutReply()
  }

  /// Marks the streaming reply as cut off.
  private func cutReply() {
    guard let last = output.messages.values.last, last.isStreaming else { return }
    output.messages.update(last.id) {
      $0.isStreaming = false
      $0.isCut = true
    }
  }

  private func retry() {
    guard let avatar = output.avatar.value else { return load() }
    guard let last = output.messages.values.last, last.isCut || last.author == .me else { return }
    effects.run("reply", .keepFirst) { [self] in
      if last.isCut {
        try await interactor.removeMessage(last.id)
        output.messages.remove(last.id)
      }
      try await receiveReply(of: avatar)
    } catch: { [self] error in
      router.showAlert(error)
    }
  }
}

/// The argument of a chat.
struct ChatDelegate: Codable, Hashable, Sendable {
  let avatarId: String
  /// A chat that must exist; nil to continue the avatar's chat or start it.
  let chatId: String?

  init(avatarId: String, chatId: String? = nil) {
    self.avatarId = avatarId
    self.chatId = chatId
  }
}

/// A message in the chat.
struct MessageRow: Identifiable, Codable, Hashable, Sendable {
  let id: Int
  let author: ChatMessage.Author
  /// The text in the pieces that were received, so that a new piece is a small patch.
  var pieces: [String]
  var isStreaming: Bool
  /// True if the reply was stopped or broke off.
  var isCut: Bool

  init(_ message: ChatMessage, isStreaming: Bool = false) {
    id = message.id
    author = message.author
    pieces = [message.text]
    self.isStreaming = isStreaming
    isCut = message.isCut && !isStreaming
  }

  var message: ChatMessage {
    ChatMessage(id: id, author: author, text: pieces.joined(), isCut: isCut)
  }
}

/// The data of a chat.
@CoreActor
protocol ChatInteractor {
  func avatar(id: String) async throws -> Avatar
  /// Returns the messages, oldest first; empty for a new chat.
  /// - Throws: also `LoadFailure` (`notFound`) if the delegate's chat does not exist.
  func messages(of delegate: ChatDelegate) async throws -> [ChatMessage]
  func say(_ text: String, to avatar: Avatar) async throws -> ChatMessage
  /// The pause before each piece of a reply; nil for a source with a pace of its own.
  var replyPace: Duration? { get }
  func reply(
    to conversation: [ChatMessage], as avatar: Avatar
  ) -> AsyncThrowingStream<String, any Error>
  func beginReply(_ piece: String, of avatar: Avatar) async throws -> ChatMessage
  func append(_ piece: String, to reply: Int) async throws
  func finishReply(_ reply: Int) async throws
  func removeMessage(_ id: Int) async throws
  func trackEvent(_ event: TrackedEvent)
}

extension CoreInteractor: ChatInteractor {}

/// The ways out of a chat.
@CoreActor
protocol ChatRouter {
  func showAlert(_ error: any Error)
}

extension CoreRouter: ChatRouter {}
