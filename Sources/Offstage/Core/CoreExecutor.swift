package import OffstageSystem
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
  /// Readable while jobs from other threads wait. The loop polls it beside its input.
  package let wakes: WakePipe

  // Unchecked on the hot path; see `CoreActor`.
  /// Jobs that were enqueued on the owner's thread or moved here from the inbox.
  @exclusivity(unchecked) private var local: [UnownedJob] = []
  @exclusivity(unchecked) private var nextLocal = 0
  /// Cores whose turn ends when the current line, timer, or job is done.
  @exclusivity(unchecked) private var cores: [Core] = []
  /// Cores whose turn ends after the next job.
  private var nextCores: [Core] = []
  /// The time that a turn may take before it delays input noticeably.
  package static let slowTurn = Duration.milliseconds(50)

  /// Called after a job that took longer than `slowTurn`.
  package var onSlowTurn: ((Duration) -> Void)?
  /// The cores that the executor's own thread serves.
  private var embedded: [any EmbeddedLoop] = []
  /// True once the executor runs on a thread of its own.
  private let ownsThread = Atomic<Bool>(false)
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

  /// True on the core's thread.
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
  package func runNextJob() -> Bool {
    guard let job = takeJob() else { return false }
    let start = onSlowTurn == nil ? .zero : CoreClock.machineTime
    job.runSynchronously(
      isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    if let onSlowTurn, case let time = CoreClock.machineTime - start, time > Self.slowTurn {
      onSlowTurn(time)
    }
    if !nextCores.isEmpty {
      let cores = nextCores
      nextCores = []
      CoreActor.assumeIsolated { for core in cores { core.scheduleTurnEnd() } }
    }
    endTurn()
    return true
  }

  package var hasJob: Bool { nextLocal < local.count || refill() }

  /// The number of jobs in a row before jobs from other threads, input, and output get in line.
  /// Without a limit, work that keeps yielding would hold them up forever. It is a count rather than
  /// a time so that a slow machine gives the same output.
  package static let longestRun = 1_000

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

  /// Ends the turn of a core once the current line, timer, or job is done.
  func scheduleTurnEnd(of core: Core) { cores.append(core) }

  /// Ends the turn of a core after the next job, even if that changes nothing.
  func endTurnOfNextJob(of core: Core) { nextCores.append(core) }

  /// Ends the turn of every core that has scheduled it.
  package func endTurn() {
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

  // MARK: Without a host

  private func serveOnOwnThread() {
    let failure = startThread { self.serve() }
    guard failure == 0 else {
      fatalError("cannot start the core's thread: \(String(cString: strerror(failure)))")
    }
  }

  private func serve() -> Never {
    owner.store(currentThreadID, ordering: .relaxed)
    ownsThread.store(true, ordering: .relaxed)
    while true {
      var jobs = 0
      while jobs < Self.longestRun, runNextJob() { jobs += 1 }
      let wasBusy = CoreActor.assumeIsolated {
        embedded.reduce(false) { wasBusy, loop in loop.handleNext() || wasBusy }
      }
      if !wasBusy, !hasJob { wakes.wait(embeddedTimeout) }
    }
  }

  /// Serves a core that has no descriptors, until `remove(_:)` is called.
  /// - Returns: False if a host's loop owns the thread: it serves no other core.
  @CoreActor
  package func add(_ loop: some EmbeddedLoop) -> Bool {
    guard ownsThread.load(ordering: .relaxed) else { return false }
    embedded.append(loop)
    return true
  }

  @CoreActor
  package func remove(_ loop: some EmbeddedLoop) { embedded.removeAll { $0 === loop } }

  /// Milliseconds until an embedded core has something to do; -1 for never.
  private var embeddedTimeout: Int32 {
    CoreActor.assumeIsolated {
      embedded.compactMap(\.nextDeadline).min().map { ($0 - CoreClock.machineTime).pollTimeout }
    } ?? -1
  }

  /// Runs an asynchronous operation to its end on the calling thread, which is the core's.
  /// - Parameter clock: The clock whose timers to fire. A virtual one moves on to the next timer
  ///   when no job waits.
  package func runToEnd<Value: Sendable>(
    on clock: CoreClock? = nil, _ operation: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    let outcome = Outcome<Value>()
    Task(executorPreference: self) {
      let result: Result<Value, any Error>
      do { result = .success(try await operation()) } catch { result = .failure(error) }
      outcome.result.withLock { $0 = result }
    }
    while true {
      if let result = outcome.result.withLock({ $0 }) { return try result.get() }
      if runNextJob() { continue }
      let timeout = CoreActor.assumeIsolated { () -> Int32 in
        guard let clock, let deadline = clock.nextDeadline else { return -1 }
        let limit = clock.isVirtual ? deadline : clock.monotonicNow
        return clock.fireNext(dueBy: limit) ? 0 : (deadline - limit).pollTimeout
      }
      wakes.wait(timeout)
    }
  }

  private final class Outcome<Value: Sendable>: Sendable {
    let result = Mutex<Result<Value, any Error>?>(nil)
  }
}

/// The loop of a core without descriptors, which shares the executor's thread with others.
@CoreActor
package protocol EmbeddedLoop: AnyObject {
  /// Handles one timer or line that is due.
  /// - Returns: False if nothing is due.
  func handleNext() -> Bool

  /// The next time, on the monotonic scale, at which something is due.
  var nextDeadline: Duration? { get }
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
func require(
  _ condition: Bool, _ message: @autoclosure () -> String, file: StaticString = #fileID,
  line: UInt = #line
) {
  if !condition { fatalError(message(), file: file, line: line) }
}
