import OffstageSystem

/// The machine's clocks. Nothing else in the package reads them.
enum SystemTime {
  static var sinceEpoch: Duration { read(CLOCK_REALTIME) }
  static var monotonic: Duration { read(CLOCK_MONOTONIC) }

  private static func read(_ clock: clockid_t) -> Duration {
    var time = timespec()
    clock_gettime(clock, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}
