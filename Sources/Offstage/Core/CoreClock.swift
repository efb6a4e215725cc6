/// The core's time: every delay of an app goes through it, so that a test can own it.
///
/// A system clock follows the machine. A virtual one stands still until `clock/advance` moves it,
/// and then fires the timers that fall due one by one, in order.
@CoreActor
public final class CoreClock {
  /// Time since 1970-01-01T00:00:00Z.
  public var now: Duration { virtualNow ?? SystemTime.sinceEpoch }

  /// Nil when the clock follows the machine.
  private var virtualNow: Duration?
  /// Sorted by deadline; timers that fall due together fire in the order of their making.
  @exclusivity(unchecked) private var timers: [CoreTimer] = []

  /// A clock that follows the machine.
  package nonisolated init() { virtualNow = nil }

  /// A clock that stands at `start`, counted from 1970, until it is advanced.
  package nonisolated init(virtualFrom start: Duration) { virtualNow = start }

  package var isVirtual: Bool { virtualNow != nil }

  /// Deadlines count on this: it never jumps, where a machine's date does.
  package var monotonicNow: Duration { virtualNow ?? SystemTime.monotonic }

  /// When the next timer falls due, on the monotonic scale.
  package var nextDeadline: Duration? { timers.first?.deadline }

  package var timerCount: Int { timers.count }

  func schedule(after delay: Duration, _ action: @escaping () -> Void) -> CoreTimer {
    let timer = CoreTimer(deadline: monotonicNow + max(delay, .zero), action: action)
    let index = timers.partitioningIndex { $0.deadline > timer.deadline }
    timers.insert(timer, at: index)
    return timer
  }

  func cancel(_ timer: CoreTimer) {
    if let index = timers.firstIndex(where: { $0 === timer }) { timers.remove(at: index) }
  }

  /// Fires the first timer that is due by `limit`; a virtual clock moves to that timer's time.
  /// - Returns: whether there was one.
  package func fireNext(dueBy limit: Duration) -> Bool {
    guard let first = timers.first, first.deadline <= limit else { return false }
    timers.removeFirst()
    if isVirtual { virtualNow = first.deadline }
    first.action()
    return true
  }

  /// Moves a virtual clock on, firing nothing.
  package func move(to time: Duration) {
    if isVirtual { virtualNow = time }
  }
}

/// Something that will happen once, unless it is cancelled.
@CoreActor
final class CoreTimer {
  let deadline: Duration
  let action: () -> Void

  init(deadline: Duration, action: @escaping () -> Void) {
    self.deadline = deadline
    self.action = action
  }
}

extension Array {
  /// The first index whose element satisfies `predicate`, in an array where all that do come last.
  fileprivate func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if predicate(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
