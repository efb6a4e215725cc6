internal import Offstage
internal import OffstageSystem
internal import Synchronization

/// The signals that ask the process to go: they end it in good order, and at the third call at once.
enum Signals {
  private static let arrived = Atomic<Bool>(false)

  /// Whether one has come.
  static var haveArrived: Bool { arrived.load(ordering: .relaxed) }

  /// From now on they are noticed; one that the parent had ignored, as `nohup` does, stays ignored.
  static func watch() {
    for number in [SIGTERM, SIGINT, SIGHUP] {
      let previous = signal(number) { number in
        // A second one is meant: an app may be stuck in a turn that never ends.
        if Signals.arrived.exchange(true, ordering: .relaxed) { signal(number, SIG_DFL) }
        CoreActor.executor.wake()
      }
      if isIgnoring(previous) { signal(number, SIG_IGN) }
    }
  }

  /// C has no other way to compare handlers than their addresses.
  private static func isIgnoring(_ handler: (@convention(c) (Int32) -> Void)?) -> Bool {
    unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
