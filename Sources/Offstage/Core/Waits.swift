internal import OffstageSystem

/// A connection to a front end, for example, which the loop of the core's thread serves.
@CoreActor
package protocol Served: AnyObject {
  /// Handles one line, or takes the next step. Called once no job and no timer is due.
  /// - Returns: False if there is nothing to do without waiting.
  func handleNext() -> Bool

  /// Adds what to wait for.
  func addWaits(to waits: inout Waits)
}

/// The descriptors and the deadline that a loop waits for in one place.
package struct Waits {
  private var descriptors: [pollfd] = []
  private var handlers: [(Int32) -> Void] = []
  private var timeout: Duration?

  init() {}

  /// Waits for an event of a descriptor. `poll` also reports errors and the end of a pipe.
  /// - Parameters:
  ///   - events: Such as `POLLIN`; 0 for errors and the end alone.
  ///   - handle: Called with the events that have happened, if any.
  package mutating func add(
    _ descriptor: Int32, _ events: Int32, _ handle: @escaping (_ found: Int32) -> Void
  ) {
    descriptors.append(pollfd(fd: descriptor, events: Int16(events), revents: 0))
    handlers.append(handle)
  }

  package mutating func end(after time: Duration) { timeout = min(timeout ?? time, time) }

  /// Waits at most until a time on the scale of `CoreClock.machineTime`.
  package mutating func end(by time: Duration) { end(after: time - CoreClock.machineTime) }

  /// Waits, calls `body`, and handles the events that have happened.
  mutating func wait(_ body: () -> Void) {
    defer {
      descriptors.removeAll(keepingCapacity: true)
      handlers.removeAll(keepingCapacity: true)
      timeout = nil
    }
    let milliseconds = timeout.map { $0 > .zero ? $0.pollTimeout : 0 } ?? -1
    var count: Int32
    // A handler of a signal that is of interest wakes the loop by a pipe. Anything else, such as the
    // alarm of the watchdog, must not, or an idle process would never rest.
    repeat {
      count = poll(&descriptors, nfds_t(descriptors.count), milliseconds)
    } while count < 0 && errno == EINTR && milliseconds < 0
    body()
    guard count > 0 else { return }
    for (descriptor, handle) in zip(descriptors, handlers) where descriptor.revents != 0 {
      handle(Int32(descriptor.revents))
    }
  }
}
