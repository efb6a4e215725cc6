import OffstageTesting
import Testing

@testable import Offstage

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

  /// Work has the effect that has started it as a task-local value.
  @Test func workOfAnotherScreenDoesNotKeepTheOneThatHasStartedIt() async {
    let other = core.show { Probe() }
    weak var closed: Probe?
    func start() async {
      let screen = core.show { Probe() }
      closed = screen
      screen.effects.run {
        _ = screen
        other.effects.run { try await other.effects.sleep(for: .seconds(60)) }
      }
      await core.settle()
      core.core.end([core.core.openScreens.last!.id])
    }
    await start()
    await core.settle()
    #expect(closed == nil)
    await core.advance(by: .seconds(60))
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
    #expect(orders.count == 1, "\(orders)")
    #expect(orders.first?.count == 6, "\(orders)")
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
    #expect(log.values == [])
    #expect(core.liveCounts.effects == 0)
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

  @Test func tickerDoesNotKeepItsScreenInMemory() async {
    let screens = [true, false].map { isCanceled in
      Weak(
        core.show {
          Probe { screen in
            let ticker = screen.effects.every(.seconds(1)) { screen.output.number.value += 1 }
            if isCanceled { screen.input.tap.observe { ticker.cancel() } }
          }
        })
    }
    await core.advance(by: .milliseconds(1_500))
    screens[0].object?.input.tap.send()
    core.closeAll()
    await core.turn()
    #expect(screens.map { $0.object == nil } == [true, true])
  }

  @Test func activityObservedLaterDoesNotKeepItsScreenInMemory() async {
    let screen = Weak(
      core.show {
        Probe { screen in
          screen.input.tap.observe {
            screen.effects.activity("work").observe { screen.output.number.value = $0 ? 1 : 0 }
          }
        }
      })
    screen.object?.input.tap.send()
    core.closeAll()
    await core.turn()
    #expect(screen.object == nil)
  }

  @Test func policyAppliesToEachIdOnItsOwn() async throws {
    let log = log
    let screen = core.show { Probe() }
    let save = screen.effects.task(.keepFirst)
    for id in [1, 2, 1] {
      save[id].run {
        log.append("save \(id)")
        try await screen.effects.sleep(for: .seconds(1))
      }
    }
    save[2].cancel()
    #expect(save[1].isRunning)
    #expect(!save[2].isRunning)
    #expect(!save.isRunning)
    await core.settle()
    #expect(log.values == ["save 1"])
  }

  @Test func unnamedWorkIsIndependentOfEarlierWork() async throws {
    let log = log
    let screen = core.show { Probe() }
    for number in 1...3 {
      screen.effects.run {
        try await screen.effects.sleep(for: .seconds(1))
        log.append("\(number)")
      }
    }
    await core.advance(by: .seconds(1))
    #expect(log.values == ["1", "2", "3"])
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
    #expect(screen.output.number.value == 1)
    #expect(tasks[1].isRunning)
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
    core.core.closeAll()
    #expect(core.liveCounts == (0, 2, 1))
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
    core.core.closeAll()
    core.core.cancelWork(of: cause)
    await core.advance(by: .seconds(20))
    #expect(log.values == [])
    #expect(core.liveCounts == (0, 0, 0))
  }

  /// With a system clock on another thread, with a virtual one in order on the core's.
  @Test(arguments: [true, false]) func offCoreRunsElsewhereOnARealClock(isVirtual: Bool)
    async throws
  {
    let clock = isVirtual ? CoreClock(virtualFrom: .zero) : CoreClock()
    let core = Core(app: App(root: .tabs([]), screens: []), clock: clock)
    let log = Recorder<Bool>()
    let node = core.mount(Probe.kind) { Probe() }
    let screen = try #require(node.part as? Probe)
    screen.effects.run("work") {
      log.append(try await screen.effects.offCore { CoreActor.executor.isCurrent })
      log.append(CoreActor.executor.isCurrent)
    }
    while log.values.count < 2 { await Task.yield() }
    #expect(log.values == [isVirtual, true])
  }

  @Test func tickerKeepsItsBeatAfterALateTurn() throws {
    let clock = CoreClock()
    let core = Core(app: App(root: .tabs([]), screens: []), clock: clock)
    let node = core.mount(Probe.kind) { Probe() }
    let screen = try #require(node.part as? Probe)
    let interval = Duration.milliseconds(50)
    screen.effects.every(interval) {}
    func fire(after time: Duration) {
      while clock.monotonicNow < time {}
      #expect(clock.fireNext(dueBy: time))
    }
    let first = try #require(clock.nextDeadline)
    fire(after: first + .milliseconds(2))
    let second = try #require(clock.nextDeadline)
    #expect(second >= first + interval)
    // A machine that stands still for longer than that misses a beat, of course.
    if clock.monotonicNow < first + interval {
      #expect(second < first + interval + .milliseconds(1))
    }
    fire(after: second + interval * 2)
    #expect(try #require(clock.nextDeadline) >= second + interval * 2, "the missed one is skipped")
  }

  @Test func slowTurnNamesItsTimer() async throws {
    let screen = core.show { Probe() }
    screen.effects.every(.seconds(1)) { [core, log] in log.append(core.core.namesInTurn.joined()) }
    await core.advance(by: .seconds(1))
    #expect(log.values == ["\"every\""])
  }

  @Test func observationIsNamedByTheLineThatStartedIt() async throws {
    let screen = core.show { Probe() }
    for _ in 1...2 { screen.effects.observe(AsyncStream<Int> { _ in }) { _ in } }
    #expect(
      core.core.pendingWork.map(\.name).allSatisfy {
        $0.hasPrefix("OffstageTests/EffectsLifetimeTests.swift:")
      })
    #expect(Set(core.core.pendingWork.map(\.name)).count == 2)
  }

  @Test func slowTurnNamesTheRunningEffects() async throws {
    let screen = core.show { Probe() }
    let log = log
    let core = core.core
    var isSlow = true
    CoreActor.executor.onSlowTurn = { time in
      CoreActor.assumeIsolated {
        if time > .milliseconds(50), isSlow { log.append(core.namesInTurn.joined()) }
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
