/// The streams and conditions that wait for frames.
@MainActor
final class Subscriptions {
  private typealias Condition = (
    holds: () -> Bool, continuation: CheckedContinuation<Void, any Error>
  )

  private var lastID = 0
  private var streams: [Int: (publish: (Frame) -> Void, end: () -> Void)] = [:]
  private var conditions: [Int: Condition] = [:]

  /// Returns the elements of each frame, from now on until the core is closed.
  func stream<Element: Sendable>(
    of elements: @escaping (Frame) -> [Element]
  ) -> AsyncStream<Element> {
    let id = newID()
    let (stream, continuation) = AsyncStream.makeStream(of: Element.self)
    streams[id] = (
      { for element in elements($0) { continuation.yield(element) } }, { continuation.finish() }
    )
    continuation.onTermination = { [weak self] _ in
      Task { @MainActor in self?.streams[id] = nil }
    }
    return stream
  }

  func until(_ ended: CoreEnded?, _ holds: @escaping () -> Bool) async throws {
    if holds() { return }
    if let ended { throw ended }
    let id = newID()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        conditions[id] = (holds, continuation)
        // The task may have been canceled before the continuation existed.
        if Task.isCancelled { cancel(id) }
      }
    } onCancel: {
      Task { @MainActor in self.cancel(id) }
    }
  }

  func publish(_ frame: Frame) { for stream in streams.values { stream.publish(frame) } }

  func checkConditions() {
    for (id, condition) in conditions where condition.holds() {
      conditions[id] = nil
      condition.continuation.resume()
    }
  }

  func end() {
    for stream in streams.values { stream.end() }
    fail(with: CoreEnded(.closed))
  }

  /// Fails the conditions. The streams go on after a restart.
  func fail(with end: CoreEnded) {
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
