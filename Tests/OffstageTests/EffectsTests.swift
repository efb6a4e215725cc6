import OffstageTesting
import Testing

@testable import Offstage

/// The policies, and the ways in which work ends.
@Suite @CoreActor struct EffectsTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let policy: Effects.Policy
    /// The start times of 1, 2, 3… in milliseconds. Each takes 100.
    let startedAt: [Int]
    let expected: [String]
    var testDescription: String { "\(policy) at \(startedAt)" }
  }

  @Test(arguments: [
    Case(policy: .keepFirst, startedAt: [0], expected: ["1 began at 0", "1 ended at 100"]),
    Case(
      policy: .keepFirst, startedAt: [0, 0, 50, 120],
      expected: ["1 began at 0", "1 ended at 100", "4 began at 120", "4 ended at 220"]),
    Case(
      policy: .latest, startedAt: [0, 50, 60],
      expected: [
        "1 began at 0", "1 cancelled at 50", "2 began at 50", "2 cancelled at 60", "3 began at 60",
        "3 ended at 160",
      ]),
    Case(
      policy: .latest, startedAt: [0, 0],
      expected: ["1 began at 0", "1 cancelled at 0", "2 began at 0", "2 ended at 100"]),
    Case(
      policy: .queue, startedAt: [0, 50, 60, 350],
      expected: [
        "1 began at 0", "1 ended at 100", "2 began at 100", "2 ended at 200", "3 began at 200",
        "3 ended at 300", "4 began at 350", "4 ended at 450",
      ]),
  ])
  func policies(_ test: Case) async throws {
    let core = TestCore()
    let log = Recorder<String>(core)
    let screen = core.show { Probe() }
    var now = 0
    for (index, time) in test.startedAt.enumerated() {
      await core.advance(by: .milliseconds(time - now))
      now = time
      screen.effects.run("work", test.policy) {
        log.append("\(index + 1) began")
        do {
          try await screen.effects.sleep(for: .milliseconds(100))
          log.append("\(index + 1) ended")
        } catch {
          log.append("\(index + 1) cancelled")
          throw error
        }
      }
    }
    await core.turn()
    await core.advance(by: .seconds(1))
    #expect(log.notes.map { "\($0.value) at \($0.time)" } == test.expected)
    #expect(core.liveCounts == (1, 0, 0))
  }

  @Test func policiesApplyPerName() async throws {
    let core = TestCore()
    let screen = core.show { Probe() }
    let log = Recorder<Int>()
    for number in 1...3 { screen.effects.run("work \(number)", .keepFirst) { log.append(number) } }
    await core.settle()
    #expect(log.values == [1, 2, 3])
  }

  enum Ending: CaseIterable { case success, failure, caughtFailure, cancellation, cancelled }

  @Test(arguments: Ending.allCases, [Effects.Policy.keepFirst, .latest, .queue])
  func nameIsFreeAfterEveryEnding(_ ending: Ending, _ policy: Effects.Policy) async throws {
    let core = TestCore()
    let screen = core.show { Probe() }
    let caught = Recorder<String>()
    let isBusy = Out(false)
    let activity = Recorder<Bool>()
    isBusy.bind(screen.effects.activity("work"))
    isBusy.observe { activity.append($0) }
    func start() {
      var handle: (@CoreActor (any Error) -> Void)?
      if ending == .caughtFailure { handle = { caught.append("\($0)") } }
      let work: @CoreActor () async throws -> Void = {
        try await screen.effects.sleep(for: .milliseconds(1))
        switch ending {
        case .success: break
        case .failure, .caughtFailure: throw Broken()
        case .cancellation: throw CancellationError()
        case .cancelled: try await screen.effects.sleep(for: .seconds(1_000))
        }
      }
      screen.effects.run("work", policy, work, catch: handle)
    }
    for _ in 1...2 {
      start()
      #expect(screen.effects.isRunning("work"))
      await core.advance(by: .milliseconds(1))
      if ending == .cancelled { screen.effects.cancel("work") }
      #expect(!screen.effects.isRunning("work"))
    }
    await core.turn()
    #expect(core.liveCounts == (1, 0, 0))
    #expect(activity.values == [false, true, false, true, false])
    #expect(caught.values == (ending == .caughtFailure ? ["Broken()", "Broken()"] : []))
    #expect(core.faults.count == (ending == .failure ? 2 : 0))
  }

  @Test func handlerCanRestartTheWork() async throws {
    let core = TestCore()
    let screen = core.show { Probe() }
    let tries = Recorder<Int>()
    func fetch() {
      screen.effects.run("fetch", .keepFirst) {
        tries.append(tries.values.count + 1)
        if tries.values.count < 3 { throw Broken() }
      } catch: { _ in
        fetch()
      }
    }
    fetch()
    await core.settle()
    #expect(tries.values == [1, 2, 3])
  }

  @Test func uncaughtErrorIsAFaultNamingTheEffect() async throws {
    let core = TestCore()
    let screen = core.show { Probe() }
    screen.effects.run("fetch") { throw Broken() }
    await core.settle()
    #expect(
      core.faults == [
        "The effect \"fetch\" of screen 1 failed: Broken(). Catch it where the effect is started."
      ])
  }

  @Test func canceledWorkEndsSilently() async throws {
    let core = TestCore()
    let screen = core.show { Probe() }
    screen.effects.run("work") {
      do { try await screen.effects.sleep(for: .seconds(1)) } catch { throw Broken() }
    } catch: { _ in
      Issue.record("cancelled work has nothing to catch")
    }
    await core.settle()
    screen.effects.cancel("work")
    await core.turn()
    #expect(core.faults == [])
  }

  @Test func longQueueKeepsItsOrder() async throws {
    let core = TestCore()
    let screen = core.show { Probe() }
    let log = Recorder<Int>()
    for number in 0..<1000 {
      screen.effects.run("work", .queue) {
        log.append(number)
        if number < 500 {
          screen.effects.run("work", .queue) { log.append(1000 + number) }
        }
      }
    }
    await core.settle()
    #expect(log.values == Array(0..<1500))
    #expect(core.core.queuedEffects == 0)
  }

  @Test func cancelIncludesQueuedWork() async throws {
    let core = TestCore()
    let screen = core.show { Probe() }
    let log = Recorder<Int>()
    for number in 1...3 {
      screen.effects.run("work", .queue) {
        log.append(number)
        try await screen.effects.sleep(for: .seconds(1))
      }
    }
    await core.settle()
    screen.effects.cancel("work")
    screen.effects.cancel("no such work")
    await core.advance(by: .seconds(10))
    #expect(log.values == [1])
    #expect(core.liveCounts == (1, 0, 0))
  }
}

/// Work whose screen closes, or that ignores its cancellation.
@Suite @CoreActor struct EffectsClosingTests {
  @Test func effectsEndWithTheirScreen() async throws {
    let core = TestCore()
    let screen = core.show { Probe() }
    let log = Recorder<String>()
    for name in ["running", "queued"] {
      for number in 1...3 {
        screen.effects.run(name, name == "queued" ? .queue : .latest) {
          log.append("\(name) \(number)")
          do { try await screen.effects.sleep(for: .seconds(1)) } catch {
            log.append("\(name) \(number) cancelled")
          }
        }
      }
    }
    await core.settle()
    core.closeAll()
    #expect(core.liveCounts == (0, 0, 0))
    await core.advance(by: .seconds(10))
    #expect(
      log.values == [
        "running 3", "queued 1", "running 3 cancelled", "queued 1 cancelled",
      ])
  }

  @Test func closedScreenStartsNothing() async throws {
    let core = TestCore()
    let screen = core.show { Probe() }
    let shown = screen.router.present(Probe.self, Empty())
    let node = try #require(core.core.screens.values.first)
    core.closeAll()
    screen.effects.run("late") { Issue.record("the screen is closed") }
    await core.turn()
    withExtendedLifetime((shown, node)) {}
    #expect(core.liveCounts == (0, 0, 0))
  }

  @Test func workIgnoringItsCancellationIsNotAwaited() async throws {
    let core = TestCore()
    let screen = core.show { Probe() }
    let gate = Gate()
    let log = Recorder<String>()
    screen.effects.run("work", .keepFirst) {
      try await gate.pass()
      log.append("passed")
    }
    await Task.yield()
    #expect(!core.core.isSettled)
    screen.effects.cancel("work")
    #expect(core.core.isSettled)
    screen.effects.run("work", .keepFirst) { log.append("next") }
    await core.turn()
    gate.open()
    await core.turn()
    #expect(log.values == ["next", "passed"])
    #expect(core.liveCounts == (1, 0, 0))
  }

  @Test func sleepOnAClosedScreenIsCanceled() async throws {
    let core = TestCore()
    let screen = core.show { Probe() }
    core.closeAll()
    await core.turn()
    await #expect(throws: CancellationError.self) {
      try await screen.effects.sleep(for: .milliseconds(1))
    }
  }
}

@Suite @CoreActor struct EffectsActivityTests {
  @Test(arguments: [Effects.Policy.keepFirst, .latest, .queue])
  func activityLastsFromTheFirstStartToTheLastEnd(_ policy: Effects.Policy) async throws {
    let core = TestCore()
    let screen = core.show {
      Probe { screen in
        screen.output.number.bind(screen.effects.activity("work").map { $0 ? 1 : 0 })
      }
    }
    let received = Recorder<Int>(core)
    screen.output.number.observe { received.append($0) }
    for _ in 1...3 {
      screen.effects.run("work", policy) {
        try await screen.effects.sleep(for: .milliseconds(100))
      }
    }
    screen.effects.run("other") {}
    await core.turn()
    await core.advance(by: .seconds(1))
    #expect(received.values == [0, 1, 0])
    #expect(received.times == [0, 0, policy == .queue ? 300 : 100])
  }

  @Test func cancelingEndsTheActivity() async throws {
    let core = TestCore()
    let screen = core.show { Probe() }
    let received = Recorder<Bool>()
    screen.effects.activity("work").distinct().observe { received.append($0) }
    for _ in 1...2 {
      screen.effects.run("work", .queue) { try await screen.effects.sleep(for: .seconds(1)) }
    }
    await core.turn()
    screen.effects.cancel("work")
    await core.turn()
    #expect(received.values == [false, true, false])
  }
}

/// Sequences, tickers, tasks as values, and work that outlives its screen.
@Suite @CoreActor struct EffectsLifetimeTests {
  private let core = TestCore()
  private let log = Recorder<String>()

  @Test func observedSequenceIsSettledWhileItWaits() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let log = log
    let cause = Cause(id: "request")
    let screen = core.show { Probe() }
    core.core.during(cause) {
      screen.effects.observe(stream) { log.append("\($0)") }
    }
    await core.settle()
    #expect(cause.isFinished, "no request waits for it")
    continuation.yield(1)
    continuation.yield(2)
    await core.settle()
    #expect(log.values == ["1", "2"])
    core.core.cancelWork(of: cause)
    continuation.yield(3)
    await core.settle()
    #expect(log.values == ["1", "2", "3"])
    await core.advance(by: .seconds(1))
    core.closeAll()
    #expect(core.liveCounts == (0, 0, 0))
    continuation.yield(4)
    await core.turn()
    #expect(log.values == ["1", "2", "3"])
  }

  /// Elements that effects produce arrive in the same order in every run.
  @Test func observedElementsArriveInADeterministicOrder() async throws {
    var orders: Set<[String]> = []
    for _ in 1...60 {
      let core = TestCore()
      let log = Recorder<String>()
      let screen = core.show { Probe() }
      for name in ["a", "b"] {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        screen.effects.observe(stream) { log.append("\(name)\($0)") }
        screen.effects.run(name) {
          for number in 1...3 {
            continuation.yield(number)
            try await screen.effects.sleep(for: .milliseconds(1))
          }
          continuation.finish()
        }
      }
      await core.advance(by: .seconds(1))
      orders.insert(log.values)
      #expect(core.liveCounts == (1, 0, 0))
    }
    #expect(orders.count == 1 && orders.first?.count == 6, "\(orders)")
  }

  @Test func observedFailureReachesItsHandler() async throws {
    let log = log
    let screen = core.show { Probe() }
    let stream = AsyncThrowingStream<Int, any Error> { $0.finish(throwing: Broken()) }
    screen.effects.observe(stream) {
      log.append("\($0)")
    } catch: {
      log.append("\($0)")
    }
    await core.settle()
    #expect(log.values == ["Broken()"])
  }

  @Test func canceledObservationReceivesNothing() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let log = log
    let screen = core.show { Probe() }
    let subscription = screen.effects.observe(stream) { log.append("\($0)") }
    await core.settle()
    subscription.cancel()
    continuation.yield(1)
    await core.turn()
    #expect(log.values == [] && core.liveCounts.effects == 0)
  }

  @Test func tickerHasNoCauseAndEndsWithItsScreen() async throws {
    let log = Recorder<String>(core)
    let cause = Cause(id: "request")
    let screen = core.show { Probe() }
    var ticker: Subscription?
    core.core.during(cause) {
      ticker = screen.effects.every(.seconds(1)) { log.append("tick") }
      screen.effects.every(.seconds(10)) { ticker?.cancel() }
    }
    #expect(cause.isFinished)
    core.core.cancelWork(of: cause)
    await core.advance(by: .milliseconds(2_500))
    #expect(log.times == [1_000, 2_000])
    await core.advance(by: .seconds(10))
    #expect(log.times.count == 9)
    core.closeAll()
    #expect(core.liveCounts == (0, 0, 0))
  }

  @Test func taskIsStartedByItsValue() async throws {
    let log = log
    var tasks: [EffectHandle] = []
    let screen = core.show {
      Probe { screen in
        for policy in [Effects.Policy.keepFirst, .latest] {
          tasks.append(screen.effects.task(policy, name: "\(policy)"))
        }
        screen.output.number.bind(tasks[0].activity.map { $0 ? 1 : 0 })
      }
    }
    for (index, task) in tasks.enumerated() {
      for number in 1...2 {
        task.run {
          try await screen.effects.sleep(for: .seconds(1))
          log.append("\(index): \(number)")
        }
      }
    }
    #expect(screen.output.number.value == 1 && tasks[1].isRunning)
    await core.advance(by: .seconds(1))
    #expect(log.values == ["0: 1", "1: 2"])
    #expect(screen.output.number.value == 0)
    tasks[0].run { log.append("never") }
    tasks[0].cancel()
    await core.turn()
    #expect(log.values.count == 2)
  }

  @Test func workCanOutliveItsScreen() async throws {
    let log = log
    let screen = core.show { Probe() }
    let cause = Cause(id: "request")
    core.core.during(cause) {
      for (name, outlives) in [("save", true), ("load", false)] {
        for number in 1...2 {
          screen.effects.run(name, .queue, outlivesScreen: outlives) {
            try await screen.effects.sleep(for: .seconds(5))
            log.append("\(name) \(number)")
          }
        }
      }
    }
    screen.effects.onClose { log.append("closed") }
    screen.effects.onClose {
      screen.effects.run("commit", outlivesScreen: true) { log.append("commit") }
    }
    await core.settle()
    core.closeAll()
    #expect(core.liveCounts == (0, 3, 1))
    #expect(!cause.isFinished)
    await core.advance(by: .seconds(20))
    #expect(log.values == ["closed", "commit", "save 1", "save 2"])
    #expect(core.liveCounts == (0, 0, 0))
    #expect(cause.isFinished)
  }

  @Test func workThatOutlivesItsScreenCanBeCanceledByItsRequest() async throws {
    let log = log
    let screen = core.show { Probe() }
    let cause = Cause(id: "request")
    core.core.during(cause) {
      screen.effects.run("save", outlivesScreen: true) {
        try await screen.effects.sleep(for: .seconds(5))
        log.append("saved")
      }
    }
    await core.settle()
    core.closeAll()
    core.core.cancelWork(of: cause)
    await core.advance(by: .seconds(20))
    #expect(log.values == [] && core.liveCounts == (0, 0, 0))
  }

  /// With a system clock on another thread, with a virtual one in order on the core's.
  @Test(arguments: [true, false]) func offCore(isVirtual: Bool) async throws {
    let clock = isVirtual ? CoreClock(virtualFrom: .zero) : CoreClock()
    let core = Core(app: App(root: .tabs([]), screens: []), clock: clock)
    let log = Recorder<Bool>()
    let node = core.mount(Probe.kind) { Probe() }
    let screen = try #require(node.screen as? Probe)
    screen.effects.run("work") {
      log.append(try await screen.effects.offCore { CoreActor.executor.isCurrent })
      log.append(CoreActor.executor.isCurrent)
    }
    while log.values.count < 2 { await Task.yield() }
    #expect(log.values == [isVirtual, true])
  }

  @Test func slowTurnNamesTheRunningEffects() async throws {
    let screen = core.show { Probe() }
    let log = log
    let core = core.core
    var isSlow = true
    CoreActor.executor.onSlowTurn = { time in
      CoreActor.assumeIsolated {
        if time > .milliseconds(50), isSlow { log.append(core.busyEffectNames.joined()) }
      }
    }
    defer { CoreActor.executor.onSlowTurn = nil }
    screen.effects.run("hash") {
      let clock = CoreClock()
      let start = clock.monotonicNow
      while clock.monotonicNow - start < .milliseconds(60) {}
      await Task.yield()
      isSlow = false
    }
    await self.core.settle()
    #expect(log.values.first == "\"hash\"")
  }
}
