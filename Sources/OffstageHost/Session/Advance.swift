internal import Offstage
internal import OffstageJSON
internal import OffstageRPC

/// An advance of a virtual clock in progress.
struct Advance {
  let target: Duration
  var fired = 0
}

extension Session {
  /// Advances the clock by one timer, once everything that the previous one started has settled.
  /// Each timer is a turn with a frame of its own.
  func moveClock() {
    guard let current = advance, core.checkSettled() else { return }
    if current.fired == limits.timers, core.clock.nextDeadline.map({ $0 <= current.target }) == true
    {
      stopClock(before: current.target)
    } else if core.clock.fireNext(dueBy: current.target) {
      advance?.fired += 1
      core.scheduleTurnEnd()
    } else {
      core.clock.move(to: current.target)
      advance = nil
      respondToWaiting()
    }
  }

  /// Ends an advance that has fired too many timers, at the time of the last one.
  private func stopClock(before target: Duration) {
    advance = nil
    let rest = Int((target - core.clock.now).milliseconds)
    let request = waiting.firstIndex { if case .advanced = $0.condition { true } else { false } }
    guard let request else { return }
    respond(
      to: waiting.remove(at: request).slot,
      RPCError(
        .refused,
        "the clock stopped \(rest) ms short: \(limits.timers) timers have fired; advance it again to "
          + "continue",
        data: ["milliseconds": .int(rest)]))
    respondToWaiting()
  }
}
