/// One effect or timer that has not finished, to explain what a request or a settle waits for.
package struct PendingWork: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case effect, timer
  }

  package let screen: ScreenID
  package let kind: Kind
  package let name: String
  /// The id of the request that caused it, as JSON text.
  package let cause: String?
  /// False while it waits for the user, the device, the clock, or the end of other work.
  package let isBusy: Bool
}

extension Core {
  /// The effects in the order of their creation, then the timers in the order in which they are due.
  package var pendingWork: [PendingWork] {
    let effects = (liveEffects + nodes.flatMap(\.queuedEffects)).sorted { $0.number < $1.number }
    let timers = nodes.flatMap(\.pendingTimers).sorted { $0.deadline < $1.deadline }
    return effects.map(\.pending) + timers.map(\.work)
  }

  /// Cancels everything that a request started: queued work, timers, and running effects.
  package func cancelWork(of cause: Cause) {
    for node in nodes { node.cancelPending(of: cause) }
    cancelAll { liveEffects.filter { $0.cause === cause } }
  }

  private var nodes: [ScreenNode] { screens.values.sorted { $0.id.number < $1.id.number } }
}
