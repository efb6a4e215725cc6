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
    #expect(!chat.output.isReplying.value)
    #expect(chat.output.canRetry.value)
  }

  @Test func replyOfAnotherProcessIsFollowedAfterAFailure() async {
    mock.isReplyingElsewhere = true
    mock.kept = [.init(id: 1, author: .me, text: "Hi"), .half(2, "Hel")]
    let chat = await show()
    mock.messagesFailure = LoadFailure.diskFull
    await core.advance(by: .seconds(1))
    mock.isReplyingElsewhere = false
    mock.kept[1] = .init(id: 2, author: .avatar, text: "Hello")
    await core.advance(by: .seconds(1))
    check(chat, "me: Hi", "avatar: Hello")
    chat.input.messageText.send("Bye")
    await turns()
    #expect(chat.output.isSendEnabled.value)
  }

  @Test func requestHasTheWholeConversation() async {
    mock.kept = [
      .init(id: 1, author: .me, text: "Hi"), .init(id: 2, author: .avatar, text: "Yes?"),
    ]
    _ = await send("Well")
    #expect(mock.contexts.map { $0.messages.map(\.text) } == [["Hi", "Yes?", "Well"]])
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
    await turns()
    check(chat, "me: Hi", "avatar: Hel|lo (cut)")
    #expect(!chat.output.isReplying.value)
    #expect(mock.terminations == 1)
    await mock.say(", there")
    await mock.end()
    check(chat, "me: Hi", "avatar: Hel|lo (cut)")
    #expect(mock.kept.last == .half(2, "Hello"))
    #expect(core.liveCounts.effects == 0)
  }

  /// A reply counts as running until its last piece is saved, so that `state/settle` waits for it.
  @Test func pieceThatIsBeingSavedAtTheStopIsStillShown() async {
    let appends = Asked<String, Void>(heedsCancellation: false)
    let chat = await send("Hi")
    await mock.say("Hel")
    mock.appends = appends
    await mock.say("lo")
    let append = await appends.next()
    chat.input.stop.send()
    await turns()
    #expect(chat.output.isReplying.value)
    append.reply(())
    await turns()
    check(chat, "me: Hi", "avatar: Hel|lo (cut)")
    #expect(!chat.output.isReplying.value)
    #expect(mock.kept.last == .half(2, "Hello"))
    #expect(core.liveCounts.effects == 0)
  }

  /// As `$/cancelRequest` does: neither `stop` nor a failure.
  @Test func canceledReplyIsCutOff() async {
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
    #expect(mock.contexts.isEmpty)
    #expect(core.faults.isEmpty)
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
    #expect(mock.contexts.last?.messages.map(\.text) == ["Hi"])
    await mock.say("Hello")
    check(chat, "me: Hi", "avatar: Hel (cut)", "avatar: Hello (streaming)")
    mock.superseded = [2]
    await mock.end()
    check(chat, "me: Hi", "avatar: Hello")
    chat.input.retry.send()
    await turns()
    #expect(mock.contexts.count == 2)
  }

  @Test func cutReplyKeepsTheServersReason() async {
    let chat = await send("Hi")
    await mock.say("Hel")
    await mock.end(TruncatedReplyReason.length)
    check(chat, "me: Hi", "avatar: Hel (cut)")
    #expect(chat.output.messages[2]?.cutReason == .length)
    #expect(
      mock.calls.all.suffix(2) == [
        "cut 2 length", "showAlert The reply was cut off at the server's length limit.",
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

  @Test func stoppedRetryLeavesTheLongerReply() async {
    mock.kept = [.init(id: 1, author: .me, text: "Hi"), .half(2, "Hello, th")]
    let chat = await show()
    chat.input.retry.send()
    await turns()
    await mock.say("Hel")
    check(chat, "me: Hi", "avatar: Hello, th (cut)", "avatar: Hel (streaming)")
    mock.superseded = [3]
    chat.input.stop.send()
    await turns()
    check(chat, "me: Hi", "avatar: Hello, th (cut)")
    #expect(chat.output.canRetry.value)
  }

  /// A reply that is complete but shorter does not replace what has arrived before.
  @Test func requestHasOneReplyToEachMessage() async {
    mock.kept = [
      .init(id: 1, author: .me, text: "Hi"), .half(2, "Hello, th"),
      .init(id: 3, author: .avatar, text: "Hello"),
    ]
    _ = await send("And?")
    #expect(mock.contexts.map { $0.messages.map(\.text) } == [["Hi", "Hello", "And?"]])
  }

  @Test func failureThatARetryDoesNotMendOffersNone() async {
    let chat = await send("Hi")
    await mock.end(LoadFailure(.unauthorized, "no key", retryable: false))
    #expect(!chat.output.canRetry.value)
    chat.input.messageText.send("Hi")
    chat.input.send.send()
    await turns()
    await mock.end(LoadFailure.offline)
    #expect(chat.output.canRetry.value)
  }

  @Test func shareHasTheWholeText() async {
    mock.kept = [.init(id: 1, author: .me, text: "Hi")]
    let chat = await show()
    chat.input.shareTapped.send(1)
    chat.input.shareTapped.send(7)
    #expect(mock.calls.all.filter { $0.hasPrefix("share") } == ["share Hi"])
  }

  @Test func clearDeletesAllMessagesOnceConfirmed() async {
    mock.kept = [.init(id: 1, author: .me, text: "Hi"), .half(2, "Hel")]
    let chat = await show()
    #expect(chat.output.canClear.value)
    mock.confirms = false
    chat.input.clear.send()
    await turns()
    check(chat, "me: Hi", "avatar: Hel (cut)")
    mock.confirms = true
    chat.input.clear.send()
    await turns()
    check(chat)
    #expect(mock.kept.isEmpty)
    #expect(!chat.output.canClear.value)
    #expect(!chat.output.canRetry.value)
    chat.input.clear.send()
    await turns()
    #expect(mock.calls.all.filter { $0 == "confirm Clear this chat?" }.count == 2)
  }

  @Test func confirmedClearIsDoneIfTheScreenCloses() async {
    mock.kept = [.init(id: 1, author: .me, text: "Hi")]
    let chat = await show()
    chat.input.clear.send()
    core.closeAll()
    await turns()
    #expect(mock.kept.isEmpty)
  }

  @Test func clearStopsTheReply() async {
    let chat = await send("Hi")
    await mock.say("Hel")
    chat.input.clear.send()
    await turns()
    await mock.say("lo")
    await mock.end()
    check(chat)
    #expect(mock.kept.isEmpty)
    #expect(mock.terminations == 1)
    #expect(!chat.output.isReplying.value)
    #expect(core.liveCounts.effects == 0)
  }

  @Test func chatThatCannotBeClearedKeepsItsMessages() async {
    let chat = await send("Hi")
    await mock.say("Hel")
    mock.failure = LoadFailure.diskFull
    chat.input.clear.send()
    await turns()
    check(chat, "me: Hi", "avatar: Hel (cut)")
    #expect(
      mock.calls.all.suffix(2) == ["confirm Clear this chat?", "showAlert The disk is full."])
  }

  // MARK: Long chats

  @Test func aLongChatOpensAtItsEnd() async {
    mock.keep(1000)
    let chat = await show()
    #expect(window(chat) == "950..<1000 of 1000")
    #expect(mock.readings.isEmpty, "the newest messages are loaded once")
    #expect(chat.output.canClear.value)
  }

  @Test func olderMessagesAreReadWhenTheyAreShown() async {
    mock.keep(1000)
    let chat = await show()
    await scroll(chat, to: 100, count: 20)
    #expect(window(chat) == "100..<120 of 1000")
    #expect(chat.output.messages.values.map(\.id) == Array(101...120))
    // Some of these are here.
    await scroll(chat, to: 880, count: 40)
    #expect(chat.output.messages.values.map(\.id) == Array(881...920))
    #expect(mock.readings == [20, 20])
  }

  @Test func olderMessagesThatCannotBeReadSaySo() async {
    mock.keep(1000)
    let chat = await show()
    mock.messagesFailure = LoadFailure.diskFull
    await scroll(chat, to: 0, count: 20)
    #expect(
      chat.output.messages.window?.failure
        == "The data on this device can't be read or saved. Restart the app and try again.")
    #expect(window(chat) == "950..<1000 of 1000")
    await scroll(chat, to: 0, count: 20)
    #expect(window(chat) == "0..<20 of 1000")
  }

  @Test func aReplyDoesNotMoveWhatIsShownFurtherUp() async {
    mock.keep(1000)
    let chat = await send("Hi")
    await scroll(chat, to: 100, count: 20)
    await mock.say("Hel", "lo")
    #expect(window(chat) == "100..<120 of 1002")
    #expect(chat.output.messages.values.map(\.id) == Array(101...120))
    await scroll(chat, to: 1000, count: 20)
    #expect(chat.output.messages.values.last?.pieces == ["Hel", "lo"])
    await mock.say("!")
    #expect(chat.output.messages.values.last?.pieces == ["Hel", "lo", "!"])
    #expect(window(chat) == "982..<1002 of 1002")
  }

  @Test func aReplyKnowsHowManyMessagesAreEarlier() async {
    mock.keep(1000)
    _ = await send("Hi")
    #expect(mock.contexts.map(\.messages.count) == [101])
    #expect(mock.contexts.map(\.earlier) == [900])
  }

  /// The newest messages of a long conversation are kept, and the others read again.
  @Test func manyNewMessagesLeaveTheOlderOnesToTheStore() async {
    let chat = await show()
    for _ in 1...Conversation.newestCount {
      chat.input.messageText.send("Hi")
      chat.input.send.send()
      await turns()
      await mock.say("Ho")
      await mock.end()
    }
    #expect(mock.contexts.last?.messages.count ?? 0 < 2 * Conversation.newestCount)
    #expect(window(chat) == "0..<200 of 200")
    #expect(chat.output.messages.values.map(\.id) == Array(1...200))
    await scroll(chat, to: 20, count: 20)
    #expect(chat.output.messages.values.map(\.id) == Array(21...40))
    #expect(core.faults.isEmpty)
  }

  // MARK: Helpers

  private func window(_ chat: ChatPresenter) -> String {
    let (window, rows) = (chat.output.messages.window!, chat.output.messages.values)
    return "\(window.first..<window.first + rows.count) of \(window.count ?? -1)"
  }

  private func scroll(_ chat: ChatPresenter, to first: Int, count: Int) async {
    core.scroll(chat.output.messages, to: first, count: count)
    await turns()
  }

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
