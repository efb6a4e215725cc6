/// The request behind whatever happens: kept by all that it starts, so that a late frame can name
/// it and a front end can wait for its end.
@CoreActor
package final class Cause {
  /// The id of the request as JSON text; nil for a notification.
  package let id: String?

  /// How many effects and timers that it started, however indirectly, have not ended.
  private var unfinished = 0
  private var whenFinished: [() -> Void] = []

  package init(id: String?) { self.id = id }

  package var isFinished: Bool { unfinished == 0 }

  /// Calls back once all that this request started has ended; at once where nothing runs.
  package func onFinish(_ action: @escaping () -> Void) {
    if isFinished { action() } else { whenFinished.append(action) }
  }

  func began() { unfinished += 1 }

  func ended() {
    unfinished -= 1
    guard isFinished else { return }
    let actions = whenFinished
    whenFinished = []
    for action in actions { action() }
  }
}
