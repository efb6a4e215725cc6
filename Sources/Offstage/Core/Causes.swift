internal import OffstageJSON

/// The request that caused the current work. Effects and timers hold on to it, so that a late frame
/// can name it and a front end can cancel everything that it started.
@CoreActor
package final class Cause {
  /// The id of the request as JSON text; nil for a notification, and once it is forgotten.
  package private(set) var id: String?

  /// True for the start of the core and the appearance of a screen: the work loads what is shown.
  var isForDisplay = false

  /// The number of effects and timers, started directly or indirectly, that are still running.
  package private(set) var unfinished = 0
  /// Lists it while something runs; nil for a notification.
  private unowned let causes: Causes?

  package init(id: String?, in causes: Causes? = nil) {
    self.id = id
    self.causes = id == nil ? nil : causes
  }

  fileprivate func forget() { id = nil }

  func began() {
    if unfinished == 0, let id { causes?.running[ByteString(id)] = self }
    unfinished += 1
  }

  func ended() {
    unfinished -= 1
    guard unfinished == 0, let causes, let id else { return }
    // Another request may have reused the id since.
    let key = ByteString(id)
    if causes.running[key] === self { causes.running[key] = nil }
  }
}

/// The origin of the current work of a core, and the requests whose work is still running.
@CoreActor
package final class Causes {
  private enum Origin {
    /// The effect that is running, if any.
    case effect
    /// The request that is being handled. Most requests start nothing, and need no `Cause`.
    case request(String?)
    case cause(Cause)
  }

  // Unchecked on the hot path; see `CoreActor`.
  @exclusivity(unchecked) private var origin = Origin.effect
  /// The requests whose work is still running, by the exact bytes of their ids.
  @exclusivity(unchecked) fileprivate(set) var running: [ByteString: Cause] = [:]

  nonisolated init() {}

  var current: Cause? {
    switch origin {
    case .effect: return Effect.current?.cause
    case .cause(let cause): return cause
    case .request(let id):
      let cause = Cause(id: id, in: self)
      origin = .cause(cause)
      return cause
    }
  }

  /// The id of the current cause. Unlike `current`, it creates nothing.
  var currentID: String? { if case .request(let id) = origin { id } else { current?.id } }

  var isRequest: Bool { if case .request = origin { true } else { false } }

  /// True outside of requests and timers, and at the end of their turns.
  var isEffect: Bool { if case .effect = origin { true } else { false } }

  func begin(_ id: String?) { origin = .request(id) }

  func endTurn() { origin = .effect }

  func forgetAll() {
    for cause in running.values { cause.forget() }
    running = [:]
  }

  /// Runs `action` on behalf of a request; nil for work without a cause.
  func during(_ cause: Cause?, _ action: () throws -> Void) rethrows {
    let outer = origin
    origin = .cause(cause ?? Cause(id: nil))
    defer { origin = outer }
    try action()
  }
}
