import Synchronization

/// Replies in the order in which a test has queued them.
final class Faults: Sendable {
  private let rest: Mutex<[LoopbackReply]>
  private let last: LoopbackReply

  init(_ replies: [LoopbackReply], then last: LoopbackReply) {
    rest = Mutex(replies)
    self.last = last
  }

  func next() -> LoopbackReply {
    rest.withLock { $0.isEmpty ? nil : $0.removeFirst() } ?? last
  }
}
