internal import OffstageSystem
import Synchronization

/// Runs the jobs of `CoreActor` in the order in which they arrive, on the thread that adopted it.
///
/// It is also the preferred task executor of effects, so the nonisolated code of a repository runs
/// here too, in the same order in every run. In a program, the host's loop adopts the executor.
/// Without a host, as in unit tests, it starts a thread of its own.
///
/// Unchecked, because the compiler cannot see that only the owner's thread touches the properties
/// that are neither constant nor atomic nor behind the mutex.
package final class CoreExecutor: SerialExecutor, TaskExecutor, @unchecked Sendable {
  /// Readable while jobs from other threads wait. The loop polls it beside what it serves.
  private let wakes: WakePipe

  // Unchecked on the hot path; see `CoreActor`.
  /// Jobs that were enqueued on the owner's thread or moved here from the inbox.
  @exclusivity(unchecked) private var local: [UnownedJob] = []
  @exclusivity(unchecked) private var nextLocal = 0
  /// The cores whose turn ends when the current line, timer, or job is done.
  @exclusivity(unchecked) private var cores: [Core] = []
  /// The time that a turn may take before it delays input noticeably.
  package static let slowTurn = Duration.milliseconds(50)

  /// Called after a job or timer that took longer than `slowTurn`.
  package var onSlowTurn: ((Duration) -> Void)?

  /// Called after every turn, with the time that it took; nil if nothing measures them.
  package var onTurn: ((Duration) -> Void)?
  /// The end of the last turn, or of the last wait.
  private var turnStart = Duration.zero
  /// Called before and after each wait of the loop.
  package var onWait: ((_ isBeginning: Bool) -> Void)?
  /// The connections that the loop serves beside the jobs.
  @exclusivity(unchecked) private var served: [any Served] = []
  /// The clocks whose timers the loop fires. Those without timers are left out: a process with many
  /// cores has many.
  @exclusivity(unchecked) private var clocks: [CoreClock] = []
  /// No timer is due before; nil if there is none.
  @exclusivity(unchecked) private var nextTimer: Duration?
  private var waits = Waits()
  /// Jobs from other threads.
  private let inbox = Mutex<[UnownedJob]>([])
  /// True once a thread runs the jobs.
  private let isServed = Atomic<Bool>(false)
  /// True while the inbox may hold jobs, and the pipe a byte.
  private let isAwake = Atomic<Bool>(false)
  /// The id of the core's thread; 0 before one is adopted.
  private let owner = Atomic<UInt>(0)

  init() {
    do { wakes = try WakePipe() } catch { fatalError("cannot start the core's thread: \(error)") }
  }

  // MARK: The thread

  package var isCurrent: Bool { owner.load(ordering: .relaxed) == currentThreadID }

  /// Makes the calling thread the core's. Call it once, before anything is isolated to the core.
  ///
  /// The program stops, with the caller's file and line, if the core has a thread already.
  package func adoptCurrentThread(fileID: StaticString, line: UInt) {
    require(
      !isServed.exchange(true, ordering: .acquiringAndReleasing),
      "the core has a thread of its own already: Program.run() must come before all work on CoreActor",
      file: fileID, line: line)
    owner.store(currentThreadID, ordering: .relaxed)
  }

  /// Stops the program if the caller is not on the core's thread.
  package func checkIsolated() {
    require(isCurrent, "this code must run on the core's thread")
  }

  package func isIsolatingCurrentContext() -> Bool? { isCurrent }

  // MARK: Jobs

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if isCurrent {
      local.append(job)
      return
    }
    inbox.withLock { $0.append(job) }
    if !isServed.exchange(true, ordering: .acquiringAndReleasing) { serveOnOwnThread() }
    if !isAwake.exchange(true, ordering: .acquiringAndReleasing) { wake() }
  }

  /// Makes the loop's next wait return at once. Safe to call from a signal handler.
  package func wake() { wakes.wake() }

  /// Runs the oldest waiting job and ends its turn.
  /// - Returns: False if no job waits.
  private func runNextJob() -> Bool {
    guard let job = takeJob() else { return false }
    let start = onSlowTurn == nil ? .zero : CoreClock.machineTime
    job.runSynchronously(
      isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    endTurn(since: start)
    return true
  }

  package var hasJob: Bool { nextLocal < local.count || refill() }

  /// The number of jobs in a row before jobs from other threads, input, and output get in line.
  /// Without a limit, work that keeps yielding would hold them up forever. It is a count rather than
  /// a time so that a slow machine gives the same output.
  private static let longestRun = 1_000

  private func takeJob() -> UnownedJob? {
    if nextLocal == Self.longestRun {
      local.removeFirst(nextLocal)
      nextLocal = 0
      _ = takeInbox()
    }
    guard hasJob else { return nil }
    defer { nextLocal += 1 }
    return local[nextLocal]
  }

  /// Refills the local jobs once all of them are done.
  private func refill() -> Bool {
    if nextLocal > 0 {
      local.removeAll(keepingCapacity: true)
      nextLocal = 0
    }
    return takeInbox()
  }

  /// Appends the jobs from other threads to the local ones.
  private func takeInbox() -> Bool {
    guard isAwake.load(ordering: .acquiring) else { return false }
    // Lower the flag before emptying the inbox: a thread that enqueues in between wakes the loop
    // again, and a superfluous wake-up only makes one wait return early.
    isAwake.store(false, ordering: .sequentiallyConsistent)
    local += inbox.withLock { jobs in
      defer { jobs = [] }
      return jobs
    }
    return !local.isEmpty
  }

  // MARK: Turns

  func scheduleTurnEnd(of core: Core) { cores.append(core) }

  /// Ends the turn of every core that has scheduled it.
  package func endTurn() {
    if onTurn != nil { return endMeasuredTurn() }
    endTurnOfCores()
  }

  @inline(never)
  private func endMeasuredTurn() {
    endTurnOfCores()
    let now = CoreClock.machineTime
    onTurn?(now - turnStart)
    turnStart = now
  }

  private func endTurnOfCores() {
    guard !cores.isEmpty else { return }
    CoreActor.assumeIsolated {
      var next = 0
      while next < cores.count {
        cores[next].endTurn()
        next += 1
      }
      cores.removeAll(keepingCapacity: true)
    }
  }

  /// Ends the turn of a job or timer.
  private func endTurn(since start: Duration) {
    if let onSlowTurn, case let time = CoreClock.machineTime - start, time > Self.slowTurn {
      onSlowTurn(time)
    }
    endTurn()
  }

  // MARK: The loop

  /// Runs what is due until a condition holds, and waits while nothing is due. Jobs come before
  /// timers, and timers before lines, so that a recording does not depend on how the input was split
  /// into reads.
  @CoreActor
  package func run(until isDone: () -> Bool) {
    var dueInARow = 0
    while !isDone() {
      if dueInARow < Self.longestRun, runNextJob() || nextTimer != nil && fireNextTimer() {
        dueInARow += 1
        continue
      }
      if dueInARow == Self.longestRun { wait(atMost: .zero) }
      dueInARow = 0
      var isBusy = false
      var next = 0
      // The end of one may remove it.
      while next < served.count {
        if served[next].handleNext() { isBusy = true }
        next += 1
      }
      if !isBusy { wait(atMost: hasJob ? .zero : nil) }
    }
  }

  /// Fires the first timer that is due, as a turn of its own. A virtual clock moves on to its next
  /// timer.
  @CoreActor
  private func fireNextTimer() -> Bool {
    let now = CoreClock.machineTime
    guard let nextTimer, nextTimer <= now else { return false }
    self.nextTimer = nil
    for clock in clocks {
      guard let deadline = clock.nextDeadline else { continue }
      if clock.fireNext(dueBy: clock.isVirtual ? deadline : now) {
        // There may be more.
        self.nextTimer = .zero
        endTurn(since: now)
        return true
      }
      noteDeadline(deadline)
    }
    clocks.removeAll { clock in
      clock.isListed = clock.nextDeadline != nil
      return !clock.isListed
    }
    return false
  }

  private func noteDeadline(_ deadline: Duration) {
    nextTimer = min(nextTimer ?? deadline, deadline)
  }

  @CoreActor
  @inline(never)
  private func wait(atMost limit: Duration?) {
    // Keeps its memory from wait to wait.
    var waits = Waits()
    swap(&waits, &self.waits)
    waits.add(wakes.descriptor, POLLIN) { [wakes] _ in wakes.drain() }
    for next in served { next.addWaits(to: &waits) }
    nextTimer.map { waits.end(by: $0) }
    limit.map { waits.end(after: $0) }
    onWait?(true)
    waits.wait { onWait?(false) }
    if onTurn != nil { turnStart = CoreClock.machineTime }
    swap(&waits, &self.waits)
  }

  /// Serves something beside the jobs, until `remove(_:)` is called.
  @CoreActor
  package func add(_ served: some Served) { self.served.append(served) }

  @CoreActor
  package func remove(_ served: some Served) { self.served.removeAll { $0 === served } }

  /// Fires the timers of a clock, until `remove(_:)` is called.
  @CoreActor
  package func add(_ clock: CoreClock) {
    clock.isServed = true
    noteTimer(of: clock)
  }

  /// Notes that the next timer of a clock has changed.
  @CoreActor
  func noteTimer(of clock: CoreClock) {
    guard let deadline = clock.nextDeadline else { return }
    // The timers of a virtual clock are always due.
    noteDeadline(clock.isVirtual ? .zero : deadline)
    if !clock.isListed { clocks.append(clock) }
    clock.isListed = true
  }

  @CoreActor
  package func remove(_ clock: CoreClock) {
    clock.isServed = false
    clock.isListed = false
    clocks.removeAll { $0 === clock }
  }

  // MARK: Without a host

  private func serveOnOwnThread() {
    let failure = startThread { [self] in
      owner.store(currentThreadID, ordering: .relaxed)
      CoreActor.assumeIsolated { run { false } }
    }
    guard failure == 0 else {
      fatalError("cannot start the core's thread: \(String(cString: strerror(failure)))")
    }
  }

  /// Runs an asynchronous operation to its end on the calling thread, which is the core's.
  /// - Parameter clock: The clock whose timers to fire. A virtual one moves on to the next timer
  ///   when no job waits.
  package func runToEnd<Value: Sendable>(
    on clock: CoreClock? = nil, _ operation: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    // Only the core's thread touches it.
    nonisolated(unsafe) var result: Result<Value, any Error>?
    Task(executorPreference: self) { @CoreActor in
      do { result = .success(try await operation()) } catch { result = .failure(error) }
    }
    return try CoreActor.assumeIsolated {
      if let clock { add(clock) }
      run { result != nil }
      if let clock { remove(clock) }
      return try result!.get()
    }
  }
}

extension Duration {
  /// The time in milliseconds, rounded up, for `poll`. At most an hour, because a longer time might
  /// overflow.
  package var pollTimeout: Int32 {
    Int32(clamping: min(max(self, .zero), .seconds(3600)).milliseconds + 1)
  }
}

/// Stops the program if a condition does not hold. Unlike `precondition`, it prints its message in
/// release builds too.
@usableFromInline
func require(
  _ condition: Bool, _ message: @autoclosure () -> String, file: StaticString = #fileID,
  line: UInt = #line
) {
  if !condition { fatalError(message(), file: file, line: line) }
}
