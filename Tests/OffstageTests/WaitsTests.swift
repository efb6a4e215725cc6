import Foundation
import Synchronization
import Testing

@testable import Offstage

struct WaitsTests {
  /// The alarm of the watchdog is one, and would keep an idle process awake.
  @Test func aSignalDoesNotEndAWaitWithoutEnd() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    signal(SIGUSR2) { _ in }
    defer { signal(SIGUSR2, SIG_DFL) }
    let output = ends[0]
    let waiting = Mutex<pthread_t?>(nil)
    let found = Mutex<Int32?>(nil)
    // A thread of its own, with signals, which those of the pool block.
    Thread {
      var signals = sigset_t()
      sigemptyset(&signals)
      pthread_sigmask(SIG_SETMASK, &signals, nil)
      var events: Int32 = 0
      var waits = Waits()
      waits.add(output, POLLIN) { events = $0 }
      waiting.withLock { $0 = pthread_self() }
      waits.wait {}
      found.withLock { $0 = events }
    }.start()
    var thread: pthread_t?
    while thread == nil { thread = waiting.withLock { $0 } }
    // So many signals that most of them come during the wait.
    for _ in 0..<10_000 where found.withLock({ $0 == nil }) {
      pthread_kill(thread!, SIGUSR2)
      sched_yield()
    }
    _ = write(ends[1], "x", 1)
    while found.withLock({ $0 == nil }) { sched_yield() }
    let events = found.withLock { $0 }
    #expect(events == POLLIN)
  }
}
