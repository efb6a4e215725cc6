/// The effects of a core: which of them run, what they wait for, and what they did in this turn.
@CoreActor
package final class RunningWork {
  private var lastNumber = 0
  /// The number of running effects that do not wait for the user, the device, or the clock.
  private var busyCount = 0
  /// The number of asynchronous sequences that effects observe.
  private var observations = 0
  /// The number of effects that are queued behind another one of their name. Unchecked; see
  /// `CoreActor`.
  @exclusivity(unchecked) package private(set) var queuedCount = 0
  /// The canceled effects whose tasks have not ended: they clean up, or ignore the cancellation.
  private var unwinding: [Effect] = []
  /// Running effects that have outlived their screen.
  private(set) var lingering: [Effect] = []
  /// The names of the timers that fired in this turn, and of the effects that ended or began to
  /// wait. Unchecked; see `CoreActor`.
  @exclusivity(unchecked) private(set) var namesInTurn: [String] = []

  nonisolated init() {}

  /// True if no effect is busy, and no queued job may produce the next element of a sequence that an
  /// effect observes.
  var isSettled: Bool { busyCount == 0 && (observations == 0 || !CoreActor.executor.hasJob) }

  /// True if nothing runs that still refers to a screen that has ended.
  var isAtRest: Bool { busyCount == 0 && unwinding.isEmpty && lingering.isEmpty }

  /// True if the tasks of all canceled effects have ended.
  package var hasCleanedUp: Bool { unwinding.isEmpty }

  func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  func becameBusy() { busyCount += 1 }

  func becameIdle() { busyCount -= 1 }

  func enqueued() { queuedCount += 1 }

  func dequeued() { queuedCount -= 1 }

  func beganObserving() { observations += 1 }

  func endedObserving() { observations -= 1 }

  func canceled(_ effect: Effect) { unwinding.append(effect) }

  /// - Returns: False unless the effect was canceled.
  func unwound(_ effect: Effect) -> Bool {
    guard let index = unwinding.firstIndex(where: { $0 === effect }) else { return false }
    unwinding.remove(at: index)
    return true
  }

  func outlived(_ effect: Effect) {
    if !lingering.contains(where: { $0 === effect }) { lingering.append(effect) }
  }

  func ended(_ effect: Effect) {
    if effect.outlivesScreen { lingering.removeAll { $0 === effect } }
  }

  func note(_ name: String) { namesInTurn.append(name) }

  func endTurn() { if !namesInTurn.isEmpty { namesInTurn = [] } }
}
