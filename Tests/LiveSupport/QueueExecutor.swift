import Dispatch

/// Runs tasks on its own thread, so that thousands of runs do not occupy the threads of other
/// tests.
final class QueueExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "faults")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
