internal import Offstage
import OffstageSystem
internal import Synchronization

/// The signals that end the process: gracefully on the first one, at once on the second.
enum Signals {
  private static let count = Atomic<Int>(0)
  /// True if the second signal is left to the loop as well.
  private static let countsOnly = Atomic<Bool>(false)

  static var haveArrived: Bool { arrivals > 0 }

  static var arrivals: Int { count.load(ordering: .relaxed) }

  /// Restores SIGQUIT's default action. Swift's runtime prints a backtrace and then ignores it.
  static func restoreDefaults() {
    if isIgnoring(signal(SIGQUIT, SIG_DFL)) { signal(SIGQUIT, SIG_IGN) }
  }

  /// Starts watching for the signals. One that the parent ignores, as `nohup` does, stays ignored.
  /// - Parameter countsOnly: True for a loop that handles the second signal too.
  static func watch(countsOnly: Bool = false) {
    Self.countsOnly.store(countsOnly, ordering: .relaxed)
    for number in [SIGTERM, SIGINT, SIGHUP] {
      let previous = signal(number) { number in
        let count = Signals.count.wrappingAdd(1, ordering: .relaxed).newValue
        if count > 1, !Signals.countsOnly.load(ordering: .relaxed) {
          // An app may be stuck in a turn that never ends.
          signal(number, SIG_DFL)
          raise(number)
        }
        CoreActor.executor.wake()
      }
      if isIgnoring(previous) { signal(number, SIG_IGN) }
    }
  }

  /// C can compare handlers only by address.
  private static func isIgnoring(_ handler: (@convention(c) (Int32) -> Void)?) -> Bool {
    unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
