/// Unfinished work, listed to explain what a request or `state/settle` waits for.
package struct PendingWork: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case effect, timer
    /// A navigation that a screen has refused, or a link that the app does not open yet.
    case navigation
  }

  package let screen: ScreenID
  package let kind: Kind
  package let name: String
  /// The id of the request that caused it, as JSON text.
  package let cause: String?
  /// True if `state/settle` waits for it: it waits neither for the user, the device, or other work,
  /// nor for a clock that does not move by itself.
  package var isBusy = false
}

extension Core {
  /// The effects in the order of their creation, then the timers in the order of their deadlines,
  /// then the navigations that wait.
  package var pendingWork: [PendingWork] {
    let effects = (work.effects + nodes.flatMap(\.queuedEffects)).sorted { $0.number < $1.number }
    let timers = nodes.flatMap(\.pendingTimers).sorted { $0.timer.isBefore($1.timer) }
    let refused = nodes.compactMap { node in
      node.refusedNavigation.map { navigation in
        PendingWork(screen: node.id, kind: .navigation, name: "leave", cause: navigation.cause?.id)
      }
    }
    let link = waitingLink.map { link in
      PendingWork(screen: .app, kind: .navigation, name: link.url, cause: link.cause?.id)
    }
    return effects.map(\.pending) + timers.map(\.work) + refused + [link].compactMap(\.self)
  }

  /// True if the core can end and be restored unnoticed. A timer, such as that of a ticker, starts again,
  /// and work that waits for an answer asks again if it goes on after a restart.
  package var canPause: Bool {
    let asking = work.effects.count { effect in prompts.contains { $0.effect === effect } }
    return prompts.allSatisfy { $0.effect?.goesOn == true }
      && pendingWork.count { $0.kind != .timer } == asking
  }

  /// True while a timer that a request has started, such as a debounce, is about to fire by itself.
  package var hasBusyTimer: Bool {
    !clock.isVirtual && screens.values.contains { $0.pendingTimers.contains(where: \.work.isBusy) }
  }

  /// Cancels everything a request started that is still running or waiting: navigations, queued
  /// work, timers, and running effects. Finds navigations by id: their request does not count as
  /// running, because they may wait for as long as their screen is open.
  package func cancelWork(ofRequest id: String) {
    let started = { (cause: Cause?) in cause?.id?.utf8.elementsEqual(id.utf8) == true }
    if started(waitingLink?.cause) { waitingLink = nil }
    for node in nodes where started(node.refusedNavigation?.cause) { node.refusedNavigation = nil }
    if let cause = runningCause(id: id) { cancelWork(of: cause) }
  }

  /// Cancels the work of a request: queued work, timers, and running effects.
  package func cancelWork(of cause: Cause) {
    for node in nodes { node.cancelPending(of: cause) }
    cancelAll { work.effects.filter { $0.cause === cause } }
  }

  private var nodes: [ScreenNode] { screens.values.sorted { $0.id.number < $1.id.number } }
}
