import Dispatch

/// Runs tasks on a thread of its own, since thousands of runs would keep those of other tests busy.
final class QueueExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "faults")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
