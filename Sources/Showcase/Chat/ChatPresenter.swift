internal import Offstage

/// A conversation with one avatar, whose replies come piece by piece.
final class ChatPresenter: Screen {
  static let kind = "chat"

  typealias Argument = ChatDelegate

  struct Input: Ports {
    let didAppear = In<Trigger>()
    /// What stands in the text field.
    let messageText = In<String>("")
    let send = In<Trigger>()
    /// Stops the reply that is coming, which stays as far as it came.
    let stop = In<Trigger>()
    /// Loads what could not be loaded, or asks again for a reply that did not come to its end.
    let retry = In<Trigger>()
  }

  struct Output: Ports {
    let avatar = Out<Avatar?>(nil)
    let messages = Rows<MessageRow>()
    let isLoading = Out(false)
    let isSendEnabled = Out(false)
    let isReplying = Out(false)
    /// The message is kept: its text field can be cleared.
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
      // Also where the avatar is gone, what was said can be read.
      show(try await interactor.messages(of: delegate))
      output.avatar.value = try await interactor.avatar(id: delegate.avatarId)
    } catch: { [self] error in
      router.showAlert(error)
    }
  }

  private func show(_ messages: [ChatMessage]) {
    // What was said meanwhile is newer than what was read.
    guard !output.isReplying.value else { return }
    output.messages.reset(
      to: messages.map { message in
        // A reply that was seen coming stays in the pieces that it came in.
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
    // What it reads is older than what is about to be said.
    effects.cancel("load")
    effects.run("reply", .keepFirst) { [self] in
      let message = try await interactor.say(text, to: avatar)
      // What is kept is shown, even if nobody wants the reply any more.
      output.messages.append(MessageRow(message))
      // What was typed meanwhile is the beginning of the next message.
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
        // Kept before it is shown: what was seen is there after a crash, too.
        if let reply {
          try await interactor.append(piece, to: reply)
          output.messages.update(reply) { $0.pieces.append(piece) }
        } else {
          let message = try await interactor.beginReply(piece, of: avatar)
          reply = message.id
          output.messages.append(MessageRow(message, isStreaming: true))
        }
      }
      // A stream whose reader is cancelled just ends.
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

  /// Has the reply that is coming stay as far as it came.
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
