internal import OffstageSystem
internal import Synchronization

/// A queue of lines that one thread delivers and others receive.
///
/// A sender that calls `hasRoom()` before delivering can hold back and merge its lines while the
/// receiver is behind.
package final class LineQueue: Sendable {
  package enum Item: Equatable, Sendable {
    case line(String)
    case nothing
    case end
  }

  private struct State {
    var lines = Queue<String>()
    /// True after the last line: the sender has no more, or the receiver wants none.
    var hasEnded = false
    var senderWaits = false
    var receivers: [CheckedContinuation<Void, Never>] = []
    var onDelivery: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())
  private let onRoom: @Sendable () -> Void

  /// - Parameter onRoom: Wakes a sender that found no room.
  package init(onRoom: @escaping @Sendable () -> Void) { self.onRoom = onRoom }

  // MARK: The receiver's side

  /// Waits for the next line.
  /// - Returns: nil after the last one, or if the task is canceled.
  package func receive() async -> String? {
    while true {
      switch take() {
      case .line(let line): return line
      case .end: return nil
      case .nothing: if Task.isCancelled { return nil }
      }
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let waits = state.withLock { state in
            let waits = state.lines.isEmpty && !state.hasEnded && !Task.isCancelled
            if waits { state.receivers.append(continuation) }
            return waits
          }
          if !waits { continuation.resume() }
        }
      } onCancel: {
        // Wake all of them, as it is unknown which one is canceled.
        wakeReceivers()
      }
    }
  }

  package func take() -> Item {
    let (item, makesRoom) = state.withLock { state -> (Item, Bool) in
      guard let line = state.lines.popFirst() else {
        return (state.hasEnded ? .end : .nothing, false)
      }
      return (.line(line), state.lines.isEmpty && state.senderWaits)
    }
    if makesRoom { onRoom() }
    return item
  }

  /// Calls `wake` after every delivery.
  package func onDelivery(_ wake: @escaping @Sendable () -> Void) {
    state.withLock { $0.onDelivery = wake }
  }

  /// Drops all lines, including those delivered later.
  package func close() {
    state.withLock { ($0.hasEnded, $0.lines) = (true, Queue()) }
    wakeReceivers()
    onRoom()
  }

  // MARK: The sender's side

  /// Returns true if all lines have been received. If not, wakes the sender once they are.
  package func hasRoom() -> Bool {
    state.withLock { state in
      state.senderWaits = !state.lines.isEmpty
      return !state.senderWaits
    }
  }

  /// - Parameter isEnd: True if these are the last lines.
  package func deliver(_ lines: [String], isEnd: Bool = false) {
    state.withLock { state in
      guard !state.hasEnded else { return }
      for line in lines { state.lines.append(line) }
      state.hasEnded = isEnd
    }
    wakeReceivers()
    state.withLock { $0.onDelivery }?()
  }

  private func wakeReceivers() {
    let receivers = state.withLock { state in
      defer { state.receivers = [] }
      return state.receivers
    }
    for receiver in receivers { receiver.resume() }
  }
}
