import Offstage

/// The messages of one chat, shared by all screens that show it, and one reply at a time.
///
/// The newest messages are here, and among them a reply that streams in. Older ones are read when a
/// screen shows them, so that a chat opens in the same time however long it is.
@CoreActor
final class Conversation: RowProvider {
  /// The number of messages that are here once a chat is loaded. It at most doubles.
  static let newestCount = 100

  /// Reads stored messages that are older than another one: its id, the number of messages in between,
  /// and how many to read at most.
  typealias OlderMessages =
    @CoreActor (_ message: Int, _ skipped: Int, _ limit: Int) async throws -> [ChatMessage]

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

  /// The number of all messages.
  let total = Out(0)

  /// The number of running replies in all conversations.
  private let runningReplies: Out<Int>
  private let older: OlderMessages
  private let newest = Rows<MessageRow>()
  private let changed = Relay<RowChange>()
  /// Changes of messages in their place.
  private let edits = Relay<(Rows<MessageRow>) -> Void>()
  private var reply: Reply?
  /// The number of open screens that show the conversation.
  private var screens = 0
  /// Counts the edits, so that a slow load does not undo one.
  private var version = 0

  init(runningReplies: Out<Int>, older: @escaping OlderMessages) {
    self.runningReplies = runningReplies
    self.older = older
  }

  /// The newest messages, oldest first.
  var messages: [MessageRow] { newest.values }

  var last: MessageRow? { newest.isEmpty ? nil : newest.row(at: newest.count - 1) }

  /// Changes the messages of a screen in their place, until `hide` is called.
  func show(in screen: Rows<MessageRow>) {
    screens += 1
    edits.observe { $0(screen) }
  }

  /// Notes that a screen has closed. The last one stops the reply.
  func hide() {
    screens -= 1
    if screens == 0 { stop() }
  }

  // MARK: The rows of the screens

  var changes: Signal<RowChange> { changed.signal }

  func count() async throws -> Int { total.value }

  func rows(in range: Range<Int>) async throws -> [MessageRow] {
    let stored = range.clamped(to: 0..<firstNewest)
    var rows: [MessageRow] = []
    if !stored.isEmpty, let first = messages.first {
      rows = try await older(first.id, firstNewest - stored.upperBound, stored.count)
        .map { MessageRow($0) }
    }
    let start = range.lowerBound + rows.count - firstNewest
    // Fewer than asked for if messages are gone meanwhile.
    guard start >= 0 else { return rows }
    return rows + messages.dropFirst(start).prefix(range.count - rows.count)
  }

  /// The position of the first message that is here.
  private var firstNewest: Int { total.value - newest.count }

  private func edit(_ change: @escaping (Rows<MessageRow>) -> Void) {
    version += 1
    change(newest)
    edits.send(change)
  }

  private func remove(_ id: Int) {
    guard let position = newest.position(of: id).map({ firstNewest + $0 }) else { return }
    version += 1
    newest.remove(id)
    total.value -= 1
    changed.send(.removed(position..<position + 1))
  }

  // MARK: Loading

  /// Replaces the messages with the stored ones, unless they are edited in the meantime.
  /// - Parameter reply: The reply that needs the messages, before its first piece; nil to load
  ///   nothing while a reply is running.
  func load(
    before reply: Reply? = nil, isReplyingElsewhere: () -> Bool,
    _ newestMessages: () async throws -> ChatHistory
  ) async throws {
    guard self.reply === reply else { return }
    let start = version
    // Ask before loading, so that a reply that ends in between is loaded as complete.
    let isElsewhere = isReplyingElsewhere()
    let loaded = try await newestMessages()
    guard version == start, self.reply === reply else { return }
    let new = loaded.messages.map { message in
      let isStreaming = isElsewhere && message.isCut && message == loaded.messages.last
      // Keep a streamed reply in its pieces.
      if let row = newest[message.id], row.message == message, !isStreaming, !row.isStreaming {
        return row
      }
      return MessageRow(message, isStreaming: isStreaming)
    }
    self.isReplyingElsewhere.value = isElsewhere
    // Most replies are to what is shown.
    guard total.value != loaded.count || messages.suffix(new.count) != new[...] else { return }
    version += 1
    newest.reset(to: new)
    total.value = loaded.count
    changed.send(.unknown)
  }

  // MARK: Replies

  /// Returns the messages up to the one to answer; nil if another process has answered it or
  /// cleared the chat. Of several replies to a message, only the last counts.
  func context() -> ChatHistory? {
    var question: [ChatMessage] = []
    for message in messages.map(\.message) {
      if message.author == .avatar, question.last?.author == .avatar { question.removeLast() }
      question.append(message)
    }
    if question.last?.isCut == true { question.removeLast() }
    guard question.last?.author == .me else { return nil }
    return ChatHistory(question, earlier: firstNewest)
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

  /// Adds the user's message, or the beginning of the reply, unless the conversation has been cleared
  /// since the reply began. So do the two methods below.
  func append(_ message: ChatMessage, by reply: Reply) {
    guard self.reply === reply else { return }
    version += 1
    newest.append(MessageRow(message, isStreaming: message.id == reply.id))
    total.value += 1
    if newest.count > 2 * Self.newestCount { newest.reset(to: messages.suffix(Self.newestCount)) }
    changed.send(.inserted(total.value - 1..<total.value))
  }

  /// Adds a piece to the reply.
  func append(_ piece: String, by reply: Reply) {
    guard self.reply === reply, let id = reply.id else { return }
    edit { $0.append(piece, to: \.pieces, of: id) }
  }

  /// Shows the end of a reply, and removes those that it replaces.
  func end(_ reply: Reply, _ end: ReplyEnd, superseding superseded: [Int]) {
    guard self.reply === reply, let id = reply.id else { return }
    edit { $0.update(id) { $0.end(end) } }
    for id in superseded { remove(id) }
  }

  /// Ends a reply, and marks it as cut off if it is still streaming.
  func end(_ reply: Reply) {
    reply.end()
    if let id = reply.id, newest[id]?.isStreaming == true {
      edit { $0.update(id) { $0.end(.cut(nil)) } }
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
    version += 1
    let count = total.value
    newest.removeAll()
    total.value = 0
    changed.send(.removed(0..<count))
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
  func conversation(
    of chat: String, older: @escaping Conversation.OlderMessages
  ) -> Conversation {
    if let conversation = open[chat]?.conversation { return conversation }
    open = open.filter { $0.value.conversation != nil }
    let new = Conversation(runningReplies: runningReplies, older: older)
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
