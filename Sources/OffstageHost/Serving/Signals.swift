internal import Offstage
import OffstageSystem
internal import Synchronization

/// The signals that end the process: gracefully on the first one, at once on the second.
enum Signals {
  private static let count = Atomic<Int>(0)
  /// True once the program that the process serves is gone, which counts as a signal.
  private static let hasEnded = Atomic<Bool>(false)

  static var haveArrived: Bool {
    count.load(ordering: .relaxed) > 0 || hasEnded.load(ordering: .relaxed)
  }

  /// Ends the process as a first signal does, even before one.
  static func end() {
    hasEnded.store(true, ordering: .relaxed)
    CoreActor.executor.wake()
  }

  /// Restores SIGQUIT's default action: Swift's runtime prints a backtrace and then ignores it.
  /// Ignores SIGXFSZ, so that a limit on the size of files is an error like that of a full disk.
  static func prepare() {
    if isIgnoring(signal(SIGQUIT, SIG_DFL)) { signal(SIGQUIT, SIG_IGN) }
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Starts watching for the signals. One that the parent ignores, as `nohup` does, stays ignored.
  static func watch() {
    for number in [SIGTERM, SIGINT, SIGHUP] {
      let previous = signal(number) { number in
        let count = Signals.count.wrappingAdd(1, ordering: .relaxed).newValue
        if count > 1 {
          // An app may be stuck in a turn that never ends.
          signal(number, SIG_DFL)
          raise(number)
        }
        CoreActor.executor.wake()
      }
      if isIgnoring(previous) { signal(number, SIG_IGN) }
    }
  }

  /// Returns true for `SIG_IGN`. C can compare handlers only by address.
  private static func isIgnoring(_ handler: (@convention(c) (Int32) -> Void)?) -> Bool {
    unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}

/// Ends the process if a signal arrives, or the reader of its output goes away, while the event loop
/// is stuck in a turn. Nothing else would end it. It also wakes the loop when a checkpoint may be due:
/// a timeout would make each wait of the loop 0.2 µs longer.
///
/// This uses an alarm: a second thread would make a round trip 4% slower. It fires every half a second
/// while the loop works, and stops once the loop waits without asking to be woken.
enum Watchdog {
  private static let milliseconds = 500
  /// False in an embedded core, whose process has alarms of its own, and in a host.
  static let isRunning = Atomic<Bool>(false)
  /// True if the next alarm is to wake the loop.
  static let mustWake = Atomic<Bool>(false)
  /// True after an alarm, until the loop resets it.
  static let hasFired = Atomic<Bool>(false)
  /// Odd while the loop works, even while it waits.
  private static let phase = Atomic<Int>(0)
  private static let isSet = Atomic<Bool>(false)
  /// The phase at the last alarm.
  private static let lastPhase = Atomic<Int>(0)
  /// The number of alarms in this phase since it should have ended.
  private static let alarms = Atomic<Int>(0)
  private static let output = Atomic<Int>(0)
  private static let patience = Atomic<Int>(0)

  /// Starts watching a loop, which counts as working until `loopWillWait`.
  /// - Parameters:
  ///   - output: The descriptor whose reader to watch.
  ///   - patience: How long a turn may take after that; at least a second.
  static func start(_ output: Int32, patience: Duration) {
    Self.output.store(Int(output), ordering: .relaxed)
    let alarms = max(1, Int(patience.components.seconds)) * 1000 / milliseconds
    Self.patience.store(alarms, ordering: .relaxed)
    isRunning.store(true, ordering: .relaxed)
    signal(SIGALRM) { _ in
      let error = errno
      Watchdog.check()
      errno = error
    }
    loopDidWait()
  }

  /// Stops the alarm, which would go off in the program that takes the place of this one.
  static func stop() { set(every: 0) }

  static func loopWillWait() { phase.wrappingAdd(1, ordering: .relaxed) }

  static func loopDidWait() {
    // `check` does this in reverse order, so that one of the two sees the store of the other.
    phase.wrappingAdd(1, ordering: .sequentiallyConsistent)
    if !isSet.load(ordering: .sequentiallyConsistent) { set(every: milliseconds) }
  }

  /// Called by the alarm, on any thread.
  private static func check() {
    let phase = phase.load(ordering: .relaxed)
    hasFired.store(true, ordering: .relaxed)
    if phase.isMultiple(of: 2) {
      if mustWake.load(ordering: .sequentiallyConsistent) { return CoreActor.executor.wake() }
      set(every: 0)
      // The loop may have begun a turn meanwhile, and even have ended it.
      if self.phase.load(ordering: .sequentiallyConsistent) != phase { set(every: milliseconds) }
    } else if phase != lastPhase.exchange(phase, ordering: .relaxed) || !mustEnd {
      alarms.store(0, ordering: .relaxed)
    } else if alarms.wrappingAdd(1, ordering: .relaxed).newValue
      >= patience.load(ordering: .relaxed)
    {
      _exit(1)
    }
  }

  private static var mustEnd: Bool {
    if Signals.haveArrived { return true }
    var state = pollfd(fd: Int32(output.load(ordering: .relaxed)), events: 0, revents: 0)
    return poll(&state, 1, 0) > 0
  }

  /// - Parameter milliseconds: 0 to stop the alarm.
  private static func set(every milliseconds: Int) {
    setAlarm(every: milliseconds)
    isSet.store(milliseconds > 0, ordering: .sequentiallyConsistent)
  }
}
