import OffstageSystem
import Synchronization

/// Runs the jobs of `CoreActor`, in the order in which they came, on the thread that adopted it.
///
/// It is a task executor too: an effect prefers it, so that also the code of a repository that is
/// bound to no actor runs here, in an order that is the same in every run. In a program with a host
/// the host's loop adopts it; where none runs, as in unit tests, it serves itself on a thread of
/// its own.
package final class CoreExecutor: SerialExecutor, TaskExecutor, @unchecked Sendable {
  /// Readable while jobs from other threads wait: what the loop polls beside its input.
  package let wakeDescriptor: Int32

  private let wakeWriter: Int32
  /// Touched by the owner's thread only.
  @exclusivity(unchecked) private var local: [UnownedJob] = []
  @exclusivity(unchecked) private var nextLocal = 0
  @exclusivity(unchecked) private var endings: [Core] = []
  private let shared = Mutex(Shared())
  /// Whether the inbox may hold jobs, and so a byte in the pipe.
  private let isAwake = Atomic<Bool>(false)
  private let owner = Atomic<UInt>(0)

  private struct Shared: Sendable {
    var inbox: [UnownedJob] = []
    var isServed = false
  }

  init() {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { fatalError("no pipe for the core's loop: errno \(errno)") }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    wakeDescriptor = ends[0]
    wakeWriter = ends[1]
  }

  // MARK: The thread

  /// Whether the caller runs on the core's thread.
  package var isCurrent: Bool { owner.load(ordering: .relaxed) == currentThreadID }

  /// Makes the calling thread the core's. Call it once, before anything is isolated to the core.
  package func adoptCurrentThread() {
    shared.withLock { $0.isServed = true }
    owner.store(currentThreadID, ordering: .relaxed)
  }

  /// Lets `CoreActor.assumeIsolated` hold in the loop itself, which is no job.
  package func checkIsolated() {
    precondition(isCurrent, "this code runs on the core's thread only")
  }

  package func isIsolatingCurrentContext() -> Bool? { isCurrent }

  // MARK: Jobs

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if isCurrent {
      local.append(job)
      return
    }
    let mustServe = shared.withLock { shared in
      shared.inbox.append(job)
      defer { shared.isServed = true }
      return !shared.isServed
    }
    if mustServe { serveOnOwnThread() }
    if !isAwake.exchange(true, ordering: .acquiringAndReleasing) { wake() }
  }

  /// Makes the loop's next wait return at once. May be called from a signal handler.
  package func wake() {
    var byte: UInt8 = 1
    _ = write(wakeWriter, &byte, 1)
  }

  /// Runs the oldest waiting job and ends its turn.
  /// - Returns: whether there was one.
  package func runNextJob() -> Bool {
    guard let job = takeJob() else { return false }
    job.runSynchronously(
      isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    endTurn()
    return true
  }

  /// Whether a job waits.
  package var hasJob: Bool { nextLocal < local.count || refill() }

  /// Own jobs in a row after which those of other threads get in line: work that only ever yields
  /// must not keep an answer from outside away.
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

  /// Whether a job waits, once all local ones are done.
  private func refill() -> Bool {
    if nextLocal > 0 {
      local.removeAll(keepingCapacity: true)
      nextLocal = 0
    }
    return takeInbox()
  }

  /// Moves what other threads have enqueued behind the core's own jobs.
  private func takeInbox() -> Bool {
    guard isAwake.load(ordering: .acquiring) else { return false }
    // Whoever enqueues after the flag is down wakes again, and a wake too many only makes one wait
    // return early.
    isAwake.store(false, ordering: .sequentiallyConsistent)
    local += shared.withLock { shared in
      defer { shared.inbox = [] }
      return shared.inbox
    }
    return !local.isEmpty
  }

  /// Forgets the wakes that have ended a wait.
  package func drainWakes() {
    var bytes: (UInt64, UInt64) = (0, 0)
    while read(wakeDescriptor, &bytes, 16) == 16 {}
  }

  // MARK: Turns

  /// Has a core end its turn once the present line, timer or job is done.
  func atEndOfTurn(_ core: Core) { endings.append(core) }

  /// Ends a turn: whoever changed state in it publishes that now, as one frame.
  package func endTurn() {
    guard !endings.isEmpty else { return }
    CoreActor.assumeIsolated {
      var next = 0
      while next < endings.count {
        endings[next].endTurn()
        next += 1
      }
      endings.removeAll(keepingCapacity: true)
    }
  }

  // MARK: Without a host

  private func serveOnOwnThread() {
    let failure = startThread { self.serve() }
    guard failure == 0 else { fatalError("cannot start the core's thread: error \(failure)") }
  }

  /// Runs an asynchronous operation on the calling thread, which is the core's, to its end.
  package func runToEnd<Value: Sendable>(
    _ operation: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    let ending = Ending<Value>()
    Task(executorPreference: self) {
      let result: Result<Value, any Error>
      do { result = .success(try await operation()) } catch { result = .failure(error) }
      ending.result.withLock { $0 = result }
    }
    while true {
      if let result = ending.result.withLock({ $0 }) { return try result.get() }
      if !runNextJob() { waitForJob() }
    }
  }

  private func waitForJob() {
    var waiting = pollfd(fd: wakeDescriptor, events: Int16(POLLIN), revents: 0)
    if poll(&waiting, 1, -1) > 0 { drainWakes() }
  }

  private func serve() -> Never {
    owner.store(currentThreadID, ordering: .relaxed)
    while true {
      while runNextJob() {}
      waitForJob()
    }
  }
}

/// How an operation ended that another thread may have waited for.
private final class Ending<Value: Sendable>: Sendable {
  let result = Mutex<Result<Value, any Error>?>(nil)
}
