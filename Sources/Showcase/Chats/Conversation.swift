import Offstage

/// The messages of one chat, shared by all screens that show it: one list, and one reply at a time.
@CoreActor
final class Conversation {
  /// A running reply.
  @CoreActor
  final class Reply {
    /// The id of its message; nil before the first piece.
    var id: Int?
    private(set) var isStopped = false
    private let (stops, stopping) = AsyncStream<Never>.makeStream()
    private let (ends, ending) = AsyncStream<Never>.makeStream()

    func stop() {
      isStopped = true
      stopping.finish()
    }

    /// Runs work until the reply is stopped. A piece that is being saved then is still saved, and
    /// counts as running work until it is.
    /// - Throws: `CancellationError` if the reply is stopped.
    func untilStopped(_ work: @escaping @CoreActor () async throws -> Void) async throws {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await work() }
        group.addTask { [stops] in
          for await _ in stops {}
          throw CancellationError()
        }
        defer { group.cancelAll() }
        try await group.next()
      }
    }

    func end() { ending.finish() }

    /// Waits until its last piece is saved.
    func untilEnd() async {
      for await _ in ends {}
    }
  }

  let isReplying = Out(false)
  /// True while another process of the app is writing the reply.
  let isReplyingElsewhere = Out(false)
  /// True if the last reply failed, and asking again does not help.
  let isRefused = Out(false)
  /// Fires when the stored messages belong to another account.
  let invalidations = Relay<Trigger>()

  /// The number of running replies in all conversations.
  private let runningReplies: Out<Int>
  private let rows = Rows<MessageRow>()
  private let edits = Relay<(Rows<MessageRow>) -> Void>()
  private var reply: Reply?
  /// The number of open screens that show the conversation.
  private var screens = 0
  /// Counts the edits, so that a slow load does not undo one.
  private var version = 0

  init(runningReplies: Out<Int>) { self.runningReplies = runningReplies }

  var messages: [MessageRow] { rows.values }

  /// Keeps the messages of a screen up to date, until `hide` is called.
  func show(in screen: Rows<MessageRow>) {
    screens += 1
    screen.reset(to: rows.values)
    edits.observe { $0(screen) }
  }

  /// Notes that a screen has closed. The last one stops the reply.
  func hide() {
    screens -= 1
    if screens == 0 { stop() }
  }

  /// Edits the messages of all screens, unless the conversation has been cleared since the reply
  /// began.
  func edit(by reply: Reply, _ change: @escaping (Rows<MessageRow>) -> Void) {
    if self.reply === reply { edit(change) }
  }

  private func edit(_ change: @escaping (Rows<MessageRow>) -> Void) {
    version += 1
    change(rows)
    edits.send(change)
  }

  /// Replaces the messages with the stored ones, unless they are edited in the meantime.
  /// - Parameter reply: The reply that needs the messages, before its first piece; nil to load
  ///   nothing while a reply is running.
  func load(
    before reply: Reply? = nil, isReplyingElsewhere: () -> Bool,
    _ stored: () async throws -> [ChatMessage]
  ) async throws {
    guard self.reply === reply else { return }
    let start = version
    // Ask before loading, so that a reply that ends in between is loaded as complete.
    let isElsewhere = isReplyingElsewhere()
    let messages = try await stored()
    guard version == start, self.reply === reply else { return }
    let new = messages.map { message in
      let isStreaming = isElsewhere && message.isCut && message.id == messages.last?.id
      // Keep a streamed reply in its pieces.
      if let row = rows[message.id], row.message == message, !isStreaming, !row.isStreaming {
        return row
      }
      return MessageRow(message, isStreaming: isStreaming)
    }
    self.isReplyingElsewhere.value = isElsewhere
    edit { $0.reset(to: new) }
  }

  /// Returns the messages up to the one to answer; nil if another process has answered it or
  /// cleared the chat. Of several replies to a message, only the last counts.
  func question() -> [ChatMessage]? {
    var question: [ChatMessage] = []
    for message in messages.map(\.message) {
      if message.author == .avatar, question.last?.author == .avatar { question.removeLast() }
      question.append(message)
    }
    if question.last?.isCut == true { question.removeLast() }
    return question.last?.author == .me ? question : nil
  }

  func beginReply() -> Reply {
    let new = Reply()
    // The screen may have closed since its input.
    if screens == 0 { new.stop() }
    if reply == nil { runningReplies.value += 1 }
    reply = new
    version += 1
    isReplying.value = true
    isRefused.value = false
    return new
  }

  /// Ends a reply, and marks it as cut off if it is still streaming.
  func end(_ reply: Reply) {
    reply.end()
    if let id = reply.id, rows[id]?.isStreaming == true {
      edit {
        $0.update(id) {
          $0.isStreaming = false
          $0.isCut = true
        }
      }
    }
    guard self.reply === reply else { return }
    self.reply = nil
    isReplying.value = false
    runningReplies.value -= 1
  }

  /// Stops the running reply, whichever screen started it.
  /// - Returns: The reply, which ends once its last piece is saved.
  @discardableResult
  func stop() -> Reply? {
    reply?.stop()
    return reply
  }

  /// Stops the reply and removes all messages, also those that it is still saving.
  func clear() {
    stop()
    if let reply { end(reply) }
    edit { $0.removeAll() }
  }
}

/// The conversations of the open chats.
@CoreActor
final class Conversations {
  private struct Entry {
    weak var conversation: Conversation?
  }

  /// The number of chats with a running reply.
  let runningReplies = Out(0)

  private var open: [String: Entry] = [:]

  /// Returns the conversation of a chat, which is the same one while a screen shows it.
  func conversation(of chat: String) -> Conversation {
    if let conversation = open[chat]?.conversation { return conversation }
    open = open.filter { $0.value.conversation != nil }
    let new = Conversation(runningReplies: runningReplies)
    open[chat] = Entry(conversation: new)
    return new
  }

  /// Clears and reloads all conversations after the signed-in account changes.
  func invalidate() {
    for entry in open.values {
      guard let conversation = entry.conversation else { continue }
      conversation.clear()
      conversation.invalidations.send(Trigger())
    }
  }
}
