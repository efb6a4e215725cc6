internal import Offstage

/// Lets one at a time through, in the order of coming.
///
/// A host in a test's process tells from the core's queue that all it started has run; two hosts
/// that look at the same queue would wait for each other.
@CoreActor
final class Turnstile {
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func pass<Value: Sendable>(_ body: () async throws -> Value) async rethrows -> Value {
    if isTaken { await withCheckedContinuation { waiting.append($0) } }
    isTaken = true
    defer {
      if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
    return try await body()
  }
}
