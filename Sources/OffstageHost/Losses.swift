internal import Offstage
internal import OffstageJSON
internal import OffstageRPC

/// What a front end has missed, because the core had to drop it.
struct Losses {
  /// Failures that answered no request.
  var errors = 0
  var events = 0

  var isEmpty: Bool { errors == 0 && events == 0 }
}

/// A front end that does not read stops the core from reading, but neither its timers nor its
/// effects. This extension bounds what they produce.
extension Session {
  /// Reports a failure that answers no request.
  func report(_ fault: Fault) {
    if output.isOverfull { losses.errors += 1 } else { notify(.internalError(fault.description)) }
    write(LogRecord(level: .error, message: fault.description, cause: core.cause?.id))
  }

  /// Drops the events and commands that wait for a frame if there are too many: the next frame is to
  /// replace the whole document.
  ///
  /// The bound is twice the one at which the core stops reading, so that no request alone exceeds it.
  func boundBacklog() {
    guard core.backlog > 2 * limits.backlog else { return }
    core.publish { losses.events += $0.events.count }
    frames.startsOver = true
  }

  /// Reports what was dropped, once the front end reads again.
  func reportLosses() {
    guard !output.isBehind else { return }
    notify(
      RPCError(
        .overloaded,
        "the output was not read: \(losses.events) events and \(losses.errors) errors were dropped",
        data: [
          "errors": .int(losses.errors),
          "events": .int(losses.events),
        ]))
    losses = Losses()
  }
}
