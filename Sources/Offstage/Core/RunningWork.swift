/// The effects of a core: which of them run, what they wait for, and what they did in this turn.
@CoreActor
package final class RunningWork {
  /// The effects whose tasks have not ended. A canceled one cleans up, or ignores the cancellation.
  private var tasks: [ObjectIdentifier: Effect] = [:]
  private var lastNumber = 0
  /// The number of running effects that do not wait for the user, the device, or the clock.
  var busyCount = 0
  /// The number of asynchronous sequences that effects observe.
  var observations = 0
  // Not `package`: `@exclusivity(unchecked)` has no effect on accesses from another module.
  /// The number of effects that are queued behind another one of their name.
  @exclusivity(unchecked) var queuedCount = 0
  /// The names of the timers that fired in this turn, and of the effects that ended or began to
  /// wait.
  @exclusivity(unchecked) var namesInTurn: [String] = []

  nonisolated init() {}

  /// The running effects, in no particular order.
  var effects: [Effect] { tasks.values.filter { !$0.hasEnded } }

  /// True if no effect is busy, and no queued job may produce the next element of a sequence that an
  /// effect observes.
  var isSettled: Bool { busyCount == 0 && (observations == 0 || !CoreActor.executor.hasJob) }

  /// True if the tasks of all canceled effects have ended.
  package var hasCleanedUp: Bool { tasks.values.allSatisfy { !$0.hasEnded } }

  /// True if nothing runs that still refers to a screen that has ended.
  var isAtRest: Bool { busyCount == 0 && tasks.values.allSatisfy { !$0.hasEnded && $0.isOnScreen } }

  func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  func began(_ effect: Effect) { tasks[ObjectIdentifier(effect)] = effect }

  func unwound(_ effect: Effect) { tasks[ObjectIdentifier(effect)] = nil }

  func endTurn() { if !namesInTurn.isEmpty { namesInTurn = [] } }
}
