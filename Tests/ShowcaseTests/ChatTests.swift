import Offstage
import OffstageTesting
import Testing

@testable import Showcase

/// A chat with a mock interactor and a mock router.
@Suite @CoreActor struct ChatPresenterTests {
  private let core = TestCore()
  private let mock = MockChat()

  @Test func showsTheMessages() async {
    mock.kept = [.init(id: 1, author: .me, text: "Hi"), .half(2, "Hel")]
    let chat = await show()
    check(chat, "me: Hi", "avatar: Hel (cut)")
    #expect(chat.output.avatar.value == .mina)
    #expect(mock.calls.all == ["track chat.opened avatarId=mina"])
  }

  @Test func replyStreamsPieceByPiece() async {
    let chat = await send("Hi")
    check(chat, "me: Hi")
    #expect(chat.output.isReplying.value)
    await mock.say("Hel")
    check(chat, "me: Hi", "avatar: Hel (streaming)")
    await mock.say("lo", "!")
    check(chat, "me: Hi", "avatar: Hel|lo|! (streaming)")
    await mock.end()
    check(chat, "me: Hi", "avatar: Hel|lo|!")
    #expect(!chat.output.isReplying.value)
    #expect(mock.kept.last == ChatMessage(id: 2, author: .avatar, text: "Hello!"))
  }

  @Test func replyThatAnotherProcessReplacesShowsItsMessages() async {
    let chat = await send("Hi")
    await mock.say("Hel")
    mock.kept[1] = .half(3, "Yes")
    await mock.say("lo")
    check(chat, "me: Hi", "avatar: Yes (cut)")
    #expect(mock.calls.all.last == "showAlert changed")
    #expect(!chat.output.isReplying.value && chat.output.canRetry.value)
  }

  @Test func requestHasTheWholeConversation() async {
    mock.kept = [
      .init(id: 1, author: .me, text: "Hi"), .init(id: 2, author: .avatar, text: "Yes?"),
    ]
    _ = await send("Well")
    #expect(mock.conversations.map { $0.map(\.text) } == [["Hi", "Yes?", "Well"]])
  }

  @Test func sendNeedsTextAndNoRunningReply() async {
    let chat = await show()
    #expect(!chat.output.isSendEnabled.value)
    chat.input.messageText.send(" \n")
    #expect(!chat.output.isSendEnabled.value)
    chat.input.send.send()
    chat.input.messageText.send("Hi")
    #expect(chat.output.isSendEnabled.value)
    chat.input.send.send()
    #expect(!chat.output.isSendEnabled.value)
    chat.input.send.send()
    await turns()
    #expect(mock.kept.map(\.text) == ["Hi"])
    #expect(chat.input.messageText.value == "")
  }

  @Test func textTypedDuringTheSaveStays() async {
    let chat = await show()
    let sent = Events(of: chat.output.sent)
    chat.input.messageText.send("Hi")
    chat.input.send.send()
    chat.input.messageText.send("And")
    await turns()
    #expect(sent.values.count == 1)
    #expect(chat.input.messageText.value == "And")
    #expect(mock.kept.map(\.text) == ["Hi"])
  }

  @Test func stopKeepsThePartialReply() async {
    let chat = await send("Hi")
    await mock.say("Hel", "lo")
    chat.input.stop.send()
    check(chat, "me: Hi", "avatar: Hel|lo (cut)")
    #expect(!chat.output.isReplying.value)
    await turns()
    #expect(mock.terminations == 1)
    await mock.say(", there")
    await mock.end()
    check(chat, "me: Hi", "avatar: Hel|lo (cut)")
    #expect(mock.kept.last == .half(2, "Hello"))
    #expect(core.liveCounts.effects == 0)
  }

  /// As `$/cancelRequest` does: neither `stop` nor a failure.
  @Test func cancelledReplyIsCutOff() async {
    let chat = await send("Hi")
    await mock.say("Hel")
    chat.reply.cancel()
    await turns()
    check(chat, "me: Hi", "avatar: Hel (cut)")
    chat.input.messageText.send("Again")
    chat.input.send.send()
    await turns()
    await mock.say("Yes")
    check(chat, "me: Hi", "avatar: Hel (cut)", "me: Again", "avatar: Yes (streaming)")
  }

  @Test func leavingStopsTheReply() async {
    _ = await send("Hi")
    await mock.say("Hel")
    core.closeAll()
    await turns()
    #expect(mock.terminations == 1)
    #expect(mock.kept.last == .half(2, "Hel"))
    #expect(core.liveCounts == (0, 0, 0))
  }

  @Test func leavingAtOnceKeepsTheMessage() async {
    let chat = await show()
    chat.input.messageText.send("Hi")
    chat.input.send.send()
    core.closeAll()
    await turns()
    #expect(mock.kept.map(\.text) == ["Hi"])
    #expect(mock.conversations.isEmpty && core.faults.isEmpty)
  }

  @Test func retryIsEnabledByWhatCanBeRetried() async {
    let chat = await show()
    #expect(!chat.output.canRetry.value)
    chat.input.messageText.send("Hi")
    chat.input.send.send()
    await turns()
    #expect(!chat.output.canRetry.value)
    await mock.end(LoadFailure.offline)
    #expect(chat.output.canRetry.value, "A reply that failed before its first piece.")
    chat.input.retry.send()
    await turns()
    await mock.say("Hello")
    await mock.end()
    #expect(!chat.output.canRetry.value)
  }

  @Test func brokenReplyShowsAlertAndCanBeRetried() async {
    let chat = await send("Hi")
    await mock.say("Hel")
    await mock.end(LoadFailure.offline)
    check(chat, "me: Hi", "avatar: Hel (cut)")
    #expect(mock.calls.all.last == "showAlert Nothing answers.")
    chat.input.retry.send()
    await turns()
    check(chat, "me: Hi", "avatar: Hel (cut)")
    #expect(mock.conversations.last?.map(\.text) == ["Hi"])
    await mock.say("Hello")
    await mock.end()
    check(chat, "me: Hi", "avatar: Hello")
    chat.input.retry.send()
    await turns()
    #expect(mock.conversations.count == 2)
  }

  @Test func cutReplyKeepsTheServersReason() async {
    let chat = await send("Hi")
    await mock.say("Hel")
    await mock.end(TruncatedReply(.length))
    check(chat, "me: Hi", "avatar: Hel (cut)")
    #expect(chat.output.messages[2]?.cutReason == .length)
    #expect(
      mock.calls.all.suffix(2) == [
        "cutReply 2 length", "showAlert The reply was cut off at the server's length limit.",
      ])
  }

  @Test func messageThatCannotBeSavedStaysInTheField() async {
    let chat = await show()
    mock.failure = LoadFailure.diskFull
    let sent = Events(of: chat.output.sent)
    chat.input.messageText.send("Hi")
    chat.input.send.send()
    await turns()
    #expect(mock.calls.all.last == "showAlert The disk is full.")
    #expect(sent.values.isEmpty)
    #expect(chat.output.isSendEnabled.value)
    mock.failure = nil
    chat.input.send.send()
    await turns()
    check(chat, "me: Hi")
  }

  @Test func failedAvatarKeepsMessagesAndCanBeRetried() async {
    mock.kept = [.init(id: 1, author: .me, text: "Hi")]
    mock.failure = LoadFailure.offline
    let chat = await show()
    check(chat, "me: Hi")
    chat.input.messageText.send("Well")
    #expect(!chat.output.isSendEnabled.value)
    mock.failure = nil
    chat.input.retry.send()
    await turns()
    #expect(chat.output.isSendEnabled.value)
  }

  @Test func piecesFollowThePaceOfTheSource() async {
    mock.replyPace = .milliseconds(50)
    let chat = await send("Hi")
    await mock.say("Hel", "lo")
    await mock.end()
    check(chat, "me: Hi")
    await core.advance(by: .milliseconds(50))
    check(chat, "me: Hi", "avatar: Hel (streaming)")
    await core.advance(by: .milliseconds(50))
    check(chat, "me: Hi", "avatar: Hel|lo")
  }

  @Test func retryThatFailsKeepsThePartialReply() async {
    mock.kept = [.init(id: 1, author: .me, text: "Hi"), .half(2, "Hel")]
    let chat = await show()
    chat.input.retry.send()
    await turns()
    await mock.end(LoadFailure.offline)
    check(chat, "me: Hi", "avatar: Hel (cut)")
    chat.input.retry.send()
    await turns()
    chat.input.stop.send()
    await turns()
    check(chat, "me: Hi", "avatar: Hel (cut)")
    #expect(mock.kept.last == .half(2, "Hel"))
  }

  @Test func shareHasTheWholeText() async {
    mock.kept = [.init(id: 1, author: .me, text: "Hi")]
    let chat = await show()
    chat.input.shareTapped.send(1)
    chat.input.shareTapped.send(7)
    #expect(mock.calls.all.filter { $0.hasPrefix("share") } == ["share Hi"])
  }

  // MARK: Helpers

  private func show() async -> ChatPresenter {
    let chat = core.show {
      ChatPresenter(delegate: ChatDelegate(avatarId: "mina"), interactor: mock, router: mock)
    }
    await turns()
    return chat
  }

  private func send(_ text: String) async -> ChatPresenter {
    let chat = await show()
    chat.input.messageText.send(text)
    chat.input.send.send()
    await turns()
    return chat
  }

  private func check(
    _ chat: ChatPresenter, _ lines: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let shown = chat.output.messages.values.map { row in
      let mark = row.isStreaming ? " (streaming)" : row.isCut ? " (cut)" : ""
      return "\(row.author): \(row.pieces.joined(separator: "|"))\(mark)"
    }
    #expect(shown == lines, sourceLocation: sourceLocation)
  }
}

extension ChatMessage {
  /// A reply that was cut off.
  fileprivate static func half(_ id: Int, _ text: String) -> ChatMessage {
    ChatMessage(id: id, author: .avatar, text: text, isCut: true)
  }
}

/// Saves messages at once; the test streams the replies.
@CoreActor
final class MockChat: ChatInteractor, ChatRouter {
  let calls = Calls()
  var kept: [ChatMessage] = []
  var replyPace: Duration?
  /// The error of loading, saving and finishing.
  var failure: (any Error)?
  private(set) var conversations: [[ChatMessage]] = []
  private var reply: AsyncThrowingStream<String, any Error>.Continuation?
  /// The number of terminated streams.
  private(set) var terminations = 0

  // MARK: The test's side

  func say(_ pieces: String...) async {
    for piece in pieces {
      reply?.yield(piece)
      await turns()
    }
  }

  func end(_ failure: (any Error)? = nil) async {
    reply?.finish(throwing: failure)
    await turns()
  }

  // MARK: The presenter's side

  func avatar(id: String) async throws -> Avatar {
    if let failure { throw failure }
    return .mina
  }

  func messages(of delegate: ChatDelegate) async throws -> [ChatMessage] { kept }

  func say(_ text: String, to avatar: Avatar) async throws -> ChatMessage {
    if let failure { throw failure }
    return keep(text, .me, isCut: false)
  }

  func reply(
    to conversation: [ChatMessage], as avatar: Avatar
  ) -> AsyncThrowingStream<String, any Error> {
    conversations.append(conversation)
    let (stream, continuation) = AsyncThrowingStream<String, any Error>.makeStream()
    reply = continuation
    continuation.onTermination = { _ in
      Task { @CoreActor in self.terminations += 1 }
    }
    return stream
  }

  func beginReply(
    _ piece: String, of avatar: Avatar, replacing old: Int?
  ) async throws -> ChatMessage {
    kept.removeAll { $0.id == old }
    return keep(piece, .avatar, isCut: true)
  }

  func append(_ piece: String, to reply: Int) async throws {
    guard let index = kept.firstIndex(where: { $0.id == reply }) else {
      throw LoadFailure(.changedElsewhere, "changed", retryable: true)
    }
    kept[index] = ChatMessage(
      id: reply, author: .avatar, text: kept[index].text + piece, isCut: true)
  }

  func finishReply(_ reply: Int) async throws {
    guard let index = kept.firstIndex(where: { $0.id == reply }) else { return }
    kept[index] = ChatMessage(id: reply, author: .avatar, text: kept[index].text, isCut: false)
  }

  func cutReply(_ reply: Int, _ reason: TruncatedReply.Reason) async throws {
    calls.note("cutReply \(reply) \(reason)")
  }

  private let shared = Conversation()

  func conversation(with avatar: String) -> Conversation { shared }
  func share(_ text: String) { calls.note("share \(text)") }
  func trackEvent(_ event: any LoggableEvent) { calls.note("track \(event.line)") }
  func showAlert(_ error: any Error) { calls.note("showAlert \(LoadFailure(error).detail)") }

  private func keep(_ text: String, _ author: ChatMessage.Author, isCut: Bool) -> ChatMessage {
    let message = ChatMessage(
      id: (kept.last?.id ?? 0) + 1, author: author, text: text, isCut: isCut)
    kept.append(message)
    return message
  }
}
