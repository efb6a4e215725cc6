import OffstageSystem

/// The time of a core. All delays of an app go through it, so that a test can control them.
///
/// A system clock follows the machine. A virtual clock stands still until `clock/advance` moves it;
/// the timers that become due fire one by one, in order.
@CoreActor
public final class CoreClock {
  /// The time since 1970-01-01T00:00:00Z.
  public var now: Duration { virtualNow ?? Self.read(CLOCK_REALTIME) }

  /// nil if the clock follows the machine.
  private var virtualNow: Duration?
  // Unchecked on the hot path; see `CoreActor`.
  /// Sorted by deadline, then by creation.
  @exclusivity(unchecked) private var timers: [CoreTimer] = []
  private var lastNumber = 0
  /// True while the loop fires its timers.
  package var isServed = false
  /// True while the loop knows that it has timers.
  var isListed = false

  package nonisolated init() { virtualNow = nil }

  /// A clock that stands at `start`, counted from 1970, until it is advanced.
  package nonisolated init(virtualFrom start: Duration) { virtualNow = start }

  /// 2026-01-01T00:00:00Z, the start of every deterministic run.
  package nonisolated static var deterministicStart: Duration { .seconds(1_767_225_600) }

  package var isVirtual: Bool { virtualNow != nil }

  /// The time that deadlines are measured in. Unlike the machine's date, it never jumps.
  package var monotonicNow: Duration { virtualNow ?? Self.machineTime }

  package nonisolated static var machineTime: Duration { read(CLOCK_MONOTONIC) }

  /// The deadline of the next timer, on the monotonic scale.
  package var nextDeadline: Duration? { timers.first?.deadline }

  package var timerCount: Int { timers.count }

  /// The last time of a virtual clock, some 280,000 years after 1970. Up to here, microseconds fit
  /// into an `Int64` and milliseconds into a JSON integer, so code that converts times is safe.
  package static let end = Duration.seconds(1 << 43)

  /// The time after a delay. A virtual clock does not advance past its end.
  package func time(after delay: Duration) -> Duration {
    monotonicNow + min(max(delay, .zero), Self.end - monotonicNow)
  }

  /// Suspends the current work. The core counts as settled until it resumes.
  /// - Throws: `CancellationError` once the work is canceled.
  package func sleep(for duration: Duration) async throws {
    try await Suspension<Void>.wait { suspension in
      let timer = self.schedule(after: duration) { suspension.resume(with: .success(())) }
      return { self.cancel(timer) }
    }
  }

  func schedule(after delay: Duration, _ action: @escaping () -> Void) -> CoreTimer {
    // A timer past the end never fires. Clamping deadlines would fire all of them at the end.
    let deadline = monotonicNow + min(max(delay, .zero), Self.end)
    lastNumber += 1
    let timer = CoreTimer(deadline: deadline, number: lastNumber, action: action)
    timers.insert(timer, at: timers.partitioningIndex { timer.isBefore($0) })
    if isServed, timers.first === timer { CoreActor.executor.noteTimer(of: self) }
    return timer
  }

  func cancel(_ timer: CoreTimer) {
    guard timer.takeAction() != nil else { return }
    timers.remove(at: timers.partitioningIndex { !$0.isBefore(timer) })
  }

  /// Fires the first timer if it is due by `limit`, and moves a virtual clock to its deadline.
  /// - Returns: False if no timer is due.
  package func fireNext(dueBy limit: Duration) -> Bool {
    guard let first = timers.first, first.deadline <= limit else { return false }
    timers.removeFirst()
    if isVirtual { virtualNow = first.deadline }
    first.takeAction()?()
    return true
  }

  /// Fires the timers that are set now, in order, as if they were due.
  func fireAll() {
    let last = lastNumber
    while let index = timers.firstIndex(where: { $0.number <= last }) {
      timers.remove(at: index).takeAction()?()
    }
  }

  /// Moves a virtual clock without firing timers.
  package func move(to time: Duration) {
    if isVirtual { virtualNow = time }
  }

  private nonisolated static func read(_ clock: clockid_t) -> Duration {
    var time = timespec()
    clock_gettime(clock, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}

/// An action that runs once, unless it is canceled.
@CoreActor
final class CoreTimer {
  let deadline: Duration
  fileprivate let number: Int
  /// nil once the timer has fired or is canceled: the action may capture what keeps the timer.
  private var action: (() -> Void)?

  init(deadline: Duration, number: Int, action: @escaping () -> Void) {
    self.deadline = deadline
    self.number = number
    self.action = action
  }

  fileprivate func takeAction() -> (() -> Void)? { action.take() }

  func isBefore(_ other: CoreTimer) -> Bool {
    (deadline, number) < (other.deadline, other.number)
  }
}

extension RandomAccessCollection where Index == Int {
  /// The first index whose element satisfies `predicate`. All elements that do must come last.
  func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
    var low = startIndex
    var high = endIndex
    while low < high {
      let middle = (low + high) / 2
      if predicate(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension Duration {
  /// Whole milliseconds, truncated.
  package var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }
}
