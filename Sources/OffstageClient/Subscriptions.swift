/// The streams and conditions that wait for frames.
@MainActor
final class Subscriptions {
  private struct Condition {
    let holds: () -> Bool
    let continuation: CheckedContinuation<Void, any Error>
  }

  private var lastID = 0
  private var frameStreams: [Int: AsyncStream<Frame>.Continuation] = [:]
  private var eventStreams:
    [Int: (matches: (ScreenEvent) -> Bool, AsyncStream<Value>.Continuation)] =
      [:]
  private var conditions: [Int: Condition] = [:]

  func frames() -> AsyncStream<Frame> {
    let id = newID()
    let (stream, continuation) = AsyncStream.makeStream(of: Frame.self)
    frameStreams[id] = continuation
    continuation.onTermination = { [weak self] _ in
      Task { @MainActor in self?.frameStreams[id] = nil }
    }
    return stream
  }

  func events(where matches: @escaping (ScreenEvent) -> Bool) -> AsyncStream<Value> {
    let id = newID()
    let (stream, continuation) = AsyncStream.makeStream(of: Value.self)
    eventStreams[id] = (matches, continuation)
    continuation.onTermination = { [weak self] _ in
      Task { @MainActor in self?.eventStreams[id] = nil }
    }
    return stream
  }

  /// Waits until a condition holds.
  /// - Parameter ended: The end of the core, if it has ended.
  func until(_ ended: CoreEnded?, _ holds: @escaping () -> Bool) async throws {
    if holds() { return }
    if let ended { throw ended }
    let id = newID()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        conditions[id] = Condition(holds: holds, continuation: continuation)
        // Canceled before the continuation existed.
        if Task.isCancelled { cancel(id) }
      }
    } onCancel: {
      Task { @MainActor in self.cancel(id) }
    }
  }

  func publish(_ frame: Frame) {
    for continuation in frameStreams.values { continuation.yield(frame) }
    for event in frame.events {
      for (matches, continuation) in eventStreams.values where matches(event) {
        continuation.yield(event.value)
      }
    }
  }

  /// Resumes those whose condition holds.
  func checkConditions() {
    for (id, condition) in conditions where condition.holds() {
      conditions[id] = nil
      condition.continuation.resume()
    }
  }

  func end(with end: CoreEnded) {
    for continuation in frameStreams.values { continuation.finish() }
    for (_, continuation) in eventStreams.values { continuation.finish() }
    let waiting = conditions.values
    conditions = [:]
    for condition in waiting { condition.continuation.resume(throwing: end) }
  }

  private func cancel(_ id: Int) {
    conditions.removeValue(forKey: id)?.continuation.resume(throwing: CancellationError())
  }

  private func newID() -> Int {
    lastID += 1
    return lastID
  }
}
