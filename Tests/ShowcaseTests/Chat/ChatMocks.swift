import Offstage

@testable import Showcase

/// The world and the ways of a chat: messages are kept at once, replies come as the test says.
@CoreActor
final class MockChat: ChatInteractor, ChatRouter {
  let calls = Calls()
  var kept: [ChatMessage] = []
  var replyPace: Duration?
  /// What loading, keeping and finishing fail with.
  var failure: (any Error)?
  private(set) var conversations: [[ChatMessage]] = []
  private var reply: AsyncThrowingStream<String, any Error>.Continuation?
  /// How many replies have no reader any more.
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

  func beginReply(_ piece: String, of avatar: Avatar) async throws -> ChatMessage {
    keep(piece, .avatar, isCut: true)
  }

  func append(_ piece: String, to reply: Int) async throws {
    guard let index = kept.firstIndex(where: { $0.id == reply }) else { return }
    kept[index] = ChatMessage(
      id: reply, author: .avatar, text: kept[index].text + piece, isCut: true)
  }

  func finishReply(_ reply: Int) async throws {
    guard let index = kept.firstIndex(where: { $0.id == reply }) else { return }
    kept[index] = ChatMessage(id: reply, author: .avatar, text: kept[index].text, isCut: false)
  }

  func removeMessage(_ id: Int) async throws { kept.removeAll { $0.id == id } }
  func trackEvent(_ event: TrackedEvent) { calls.note("track \(event.line)") }
  func showAlert(_ error: any Error) { calls.note("showAlert \(LoadFailure(error).message)") }

  private func keep(_ text: String, _ author: ChatMessage.Author, isCut: Bool) -> ChatMessage {
    let message = ChatMessage(
      id: (kept.last?.id ?? 0) + 1, author: author, text: text, isCut: isCut)
    kept.append(message)
    return message
  }
}
