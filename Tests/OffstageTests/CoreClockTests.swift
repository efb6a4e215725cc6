import Testing

@testable import Offstage

@Suite @CoreActor struct CoreClockTests {
  static let start = Duration.seconds(100)

  @Test func timersFireByDeadlineThenByCreation() {
    let clock = CoreClock(virtualFrom: Self.start)
    let fired = Recorder<String>()
    for (name, delay) in [("c", 3), ("a", 1), ("b", 2), ("a2", 1), ("now", 0), ("past", -5)] {
      _ = clock.schedule(after: .seconds(delay)) { fired.append(name) }
    }
    #expect(clock.timerCount == 6)
    #expect(clock.nextDeadline == Self.start)
    while clock.fireNext(dueBy: Self.start + .seconds(2)) {}
    #expect(fired.values == ["now", "past", "a", "a2", "b"])
    #expect(clock.now == Self.start + .seconds(2))
    #expect(clock.nextDeadline == Self.start + .seconds(3))
  }

  @Test func virtualClockShowsTheDeadlineOfTheFiringTimer() {
    let clock = CoreClock(virtualFrom: Self.start)
    let times = Recorder<Duration>()
    func tick() {
      times.append(clock.now - Self.start)
      _ = clock.schedule(after: .milliseconds(10), tick)
    }
    tick()
    let limit = Self.start + .milliseconds(35)
    while clock.fireNext(dueBy: limit) {}
    clock.move(to: limit)
    #expect(times.values == [0, 10, 20, 30].map { .milliseconds($0) })
    #expect(clock.now == limit)
    #expect(clock.isVirtual)
  }

  @Test func canceledTimerDoesNotFire() {
    let clock = CoreClock(virtualFrom: Self.start)
    let timer = clock.schedule(after: .seconds(1)) { Issue.record("it was canceled") }
    clock.cancel(timer)
    clock.cancel(timer)
    #expect(!clock.fireNext(dueBy: Self.start + .seconds(9)))
    #expect(clock.timerCount == 0)
  }

  @Test func systemClockFollowsTheMachine() {
    let clock = CoreClock()
    #expect(!clock.isVirtual)
    #expect(clock.now > .seconds(1_700_000_000))
    let before = clock.monotonicNow
    clock.move(to: .zero)
    #expect(clock.now > .seconds(1_700_000_000))
    #expect(clock.monotonicNow >= before)
  }

  @Test func virtualClockStopsAtItsEnd() {
    let clock = CoreClock(virtualFrom: Self.start)
    for _ in 1...1_024 { clock.move(to: clock.time(after: .milliseconds(1 << 53))) }
    #expect(clock.now == CoreClock.end)
    let (seconds, _) = clock.now.components
    #expect(Int64(seconds) * 1_000_000 > 0, "microseconds fit into 64 bits")
  }

  /// A ticker at the end of time must not fire forever.
  @Test(arguments: [Duration.milliseconds(1), .seconds(Int64.max), .seconds(1e20)])
  func timersAfterTheEndNeverFire(delay: Duration) {
    let clock = CoreClock(virtualFrom: CoreClock.end)
    _ = clock.schedule(after: delay) { Issue.record("a deadline after the end") }
    clock.move(to: clock.time(after: delay))
    #expect(!clock.fireNext(dueBy: clock.time(after: delay)))
  }

  @Test(arguments: [Duration.seconds(Int64.max), .seconds(-1e20), .seconds(1e20)])
  func extremeDelaysDoNotOverflow(delay: Duration) {
    for clock in [CoreClock(), CoreClock(virtualFrom: Self.start)] {
      let timer = clock.schedule(after: delay) {}
      #expect(clock.nextDeadline == timer.deadline)
      #expect(clock.time(after: delay) >= .zero)
    }
  }
}
