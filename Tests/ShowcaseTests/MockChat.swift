import Offstage

@testable import Showcase

/// Saves messages at once; the test streams the replies.
@CoreActor
final class MockChat: ChatInteractor, ChatRouter {
  let calls = Calls()
  var kept: [ChatMessage] = []
  var replyPace: Duration?
  /// The error of loading, saving, and finishing.
  var failure: (any Error)?
  /// The user's answer to the confirmation.
  var confirms = true
  private(set) var contexts: [ChatHistory] = []
  private var reply: AsyncThrowingStream<String, any Error>.Continuation?
  /// The number of terminated streams.
  private(set) var terminations = 0

  // MARK: The test's side

  /// Keeps messages by both sides.
  func keep(_ count: Int) {
    kept = (1...count).map { id in
      ChatMessage(id: id, author: id.isMultiple(of: 2) ? .avatar : .me, text: "\(id)")
    }
  }

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

  /// The error of the next request for the messages.
  var messagesFailure: (any Error)?

  func messages(of delegate: ChatDelegate) async throws -> ChatHistory {
    if let error = messagesFailure.take() { throw error }
    let newest = kept.suffix(Conversation.newestCount)
    return ChatHistory(Array(newest), earlier: kept.count - newest.count)
  }

  /// The numbers of older messages that were read at once.
  private(set) var readings: [Int] = []

  private func older(_ message: Int, _ skipped: Int, _ limit: Int) throws -> [ChatMessage] {
    if let error = messagesFailure.take() { throw error }
    let older = kept.filter { $0.id < message }.dropLast(skipped).suffix(limit)
    readings.append(older.count)
    return Array(older)
  }

  let owner = Owner.guest

  func say(_ text: String, to avatar: Avatar, as owner: Owner) async throws -> ChatMessage {
    if let failure { throw failure }
    return keep(text, .me, isCut: false)
  }

  func reply(
    to context: ChatHistory, as avatar: Avatar
  ) -> AsyncThrowingStream<String, any Error> {
    contexts.append(context)
    let (stream, continuation) = AsyncThrowingStream<String, any Error>.makeStream()
    reply = continuation
    continuation.onTermination = { _ in
      Task { @CoreActor in self.terminations += 1 }
    }
    return stream
  }

  /// True while another process replies.
  var isReplyingElsewhere = false
  private(set) var reservations = 0

  func reserveReply(of avatar: Avatar) async throws -> Bool {
    if !isReplyingElsewhere { reservations += 1 }
    return !isReplyingElsewhere
  }

  func releaseReply(of avatar: Avatar) { reservations -= 1 }

  func isReplyReserved(in chat: String) -> Bool { isReplyingElsewhere }

  func beginReply(
    _ piece: String, of avatar: Avatar, as owner: Owner
  ) async throws -> ChatMessage {
    keep(piece, .avatar, isCut: true)
  }

  /// Suspends the saving of pieces, for tests of races.
  var appends: Asked<String, Void>?

  func append(_ piece: String, to reply: Int, as owner: Owner) async throws {
    try await appends?(piece)
    guard let index = kept.firstIndex(where: { $0.id == reply }) else {
      throw LoadFailure(.changedElsewhere, "changed", retryable: true)
    }
    kept[index] = ChatMessage(
      id: reply, author: .avatar, text: kept[index].text + piece, isCut: true)
  }

  /// The replies that the end of the next one deletes.
  var superseded: [Int] = []

  func endReply(_ reply: Int, _ end: ReplyEnd, as owner: Owner) async throws -> [Int] {
    guard let index = kept.firstIndex(where: { $0.id == reply }) else { return [] }
    if case .cut(let reason?) = end { calls.note("cut \(reply) \(reason)") }
    kept[index] = ChatMessage(
      id: reply, author: .avatar, text: kept[index].text, isCut: end != .complete)
    let deleted = superseded
    superseded = []
    kept.removeAll { deleted.contains($0.id) }
    return deleted
  }

  func clearChat(_ id: String, as owner: Owner) async throws {
    if let failure { throw failure }
    kept = []
  }

  private lazy var shared = Conversation(runningReplies: Out(0)) { [unowned self] in
    try older($0, $1, $2)
  }

  func conversation(with avatar: String) -> Conversation { shared }
  func confirm(_ question: Question) async throws -> Bool {
    calls.note("confirm \(question.title)")
    return confirms
  }
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
