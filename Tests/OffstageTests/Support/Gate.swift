import Offstage

/// Something slow that is no person, device or clock: what waits here keeps the core busy.
@CoreActor
final class Gate {
  private var waiting: [CheckedContinuation<Void, any Error>] = []

  var isWaitedAt: Bool { !waiting.isEmpty }

  func pass() async throws { try await withCheckedThrowingContinuation { waiting.append($0) } }

  func open(throwing error: (any Error)? = nil) {
    let passing = waiting
    waiting = []
    for continuation in passing {
      if let error { continuation.resume(throwing: error) } else { continuation.resume() }
    }
  }
}
