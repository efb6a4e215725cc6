internal import Offstage
internal import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The signals that ask the process to go: they end it in good order.
enum Signals {
  private static let arrived = Atomic<Bool>(false)

  /// Whether one has come.
  static var haveArrived: Bool { arrived.load(ordering: .relaxed) }

  static func watch() {
    for number in [SIGTERM, SIGINT, SIGHUP] {
      signal(number) { _ in
        Signals.arrived.store(true, ordering: .relaxed)
        CoreActor.executor.wake()
      }
    }
  }
}
