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
        "1 began at 0", "1 canceled at 50", "2 began at 50", "2 canceled at 60", "3 began at 60",
        "3 ended at 160",
      ]),
    Case(
      policy: .latest, startedAt: [0, 0],
      expected: ["1 began at 0", "1 canceled at 0", "2 began at 0", "2 ended at 100"]),
    Case(
      policy: .queue, startedAt: [0, 50, 60, 350],
      expected: [
        "1 began at 0", "1 ended at 100", "2 began at 100", "2 ended at 200", "3 began at 200",
        "3 ended at 300", "4 began at 350", "4 ended at 450",
      ]),
  ])
  func policyDecidesWhatHappensToASecondRun(_ test: Case) async throws {
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
          log.append("\(index + 1) canceled")
          throw error
        }
      }
    }
    await core.turn()
    await core.advance(by: .seconds(1))
    #expect(log.notes.map { "\($0.value) at \($0.time)" } == test.expected)
    #expect(core.liveCounts == (1, 0, 0))
  }

  /// A button that is tapped again and again costs nothing while its work runs.
  @Test func workThatIsNotStartedIsNotCreated() async {
    let core = TestCore()
    let screen = core.show { Probe() }
    screen.effects.run("load", .keepFirst) { try await screen.effects.sleep(for: .seconds(1)) }
    let number = core.core.work.nextNumber()
    for _ in 1...5 { screen.effects.run("load", .keepFirst) {} }
    #expect(core.core.work.nextNumber() == number + 1)
  }

  @Test func policiesApplyPerName() async throws {
    let core = TestCore()
    let screen = core.show { Probe() }
    let log = Recorder<Int>()
    for number in 1...3 { screen.effects.run("work \(number)", .keepFirst) { log.append(number) } }
    await core.settle()
    #expect(log.values == [1, 2, 3])
  }

  enum Ending: CaseIterable { case success, failure, caughtFailure, cancellation, canceled }

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
        case .canceled: try await screen.effects.sleep(for: .seconds(1_000))
        }
      }
      screen.effects.run("work", policy, work, catch: handle)
    }
    for _ in 1...2 {
      start()
      #expect(screen.effects.isRunning("work"))
      await core.advance(by: .milliseconds(1))
      if ending == .canceled { screen.effects.cancel("work") }
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

  @Test func oneHandlerTakesTheErrorsThatNothingCatches() async throws {
    let core = TestCore()
    let errors = Recorder<String>()
    let screen = core.show { Probe { $0.effects.onError { errors.append("all: \($0)") } } }
    screen.effects.run("fetch") { throw Broken() }
    screen.effects.run("load") {
      throw Broken()
    } catch: {
      errors.append("load: \($0)")
    }
    await core.settle()
    screen.effects.run("save", outlivesScreen: true) { throw Broken() }
    core.closeAll()
    await core.settle()
    #expect(errors.values.sorted() == ["all: Broken()", "all: Broken()", "load: Broken()"])
    #expect(core.faults == [])
  }

  @Test func canceledWorkEndsSilently() async throws {
    let core = TestCore()
    let screen = core.show { Probe() }
    screen.effects.run("work") {
      do { try await screen.effects.sleep(for: .seconds(1)) } catch { throw Broken() }
    } catch: { _ in
      Issue.record("canceled work has nothing to catch")
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
            log.append("\(name) \(number) canceled")
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
        "running 3", "queued 1", "running 3 canceled", "queued 1 canceled",
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
    await core.run()
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

  /// A list that shows which of its rows are being deleted asks for one name per row.
  @Test func namesThatNothingReadsAreDropped() async {
    let core = TestCore()
    let screen = core.show {
      Probe { screen in
        screen.output.number.derive {
          screen.effects.isRunning("delete \(screen.input.number.value)") ? 1 : 0
        }
      }
    }
    let received = Recorder<Int>()
    screen.output.number.observe { received.append($0) }
    for id in 1...1_000 {
      screen.input.number.send(id)
      _ = screen.output.number.value
    }
    #expect(screen.effects.slots.count < 200)
    screen.effects.run("delete 1000") {}
    await core.turn()
    #expect(received.values == [0, 1, 0])
  }

  @Test func itemsWhoseWorkHasEndedAreDropped() async {
    let core = TestCore()
    let screen = core.show { Probe() }
    let delete = screen.effects.task(.keepFirst)
    for id in 1...1_000 {
      delete[id].run {}
      await core.turn()
    }
    #expect(screen.effects.slots.count < 200)
  }

  /// However many other items there were in the meantime.
  @Test func itemHasOneWorkWhileItIsInUse() async {
    let core = TestCore()
    let screen = core.show { Probe() }
    let log = Recorder<String>()
    let delete = screen.effects.task(.keepFirst)
    let first = delete["held"]
    delete["running"].run { try await screen.effects.sleep(for: .seconds(1)) }
    delete["observed"].activity.observe { log.append("observed: \($0)") }
    for id in 1...1_000 { delete[id].run {} }
    await core.turn()
    for id in ["held", "running", "observed"] {
      delete[id].run {
        log.append(id)
        try await screen.effects.sleep(for: .seconds(1))
      }
    }
    first.run { log.append("held twice") }
    await core.turn()
    #expect(log.values == ["observed: false", "observed: true", "held", "observed"])
  }

  @Test func activityFollowsWorkHoweverLateItIsObserved() async {
    let core = TestCore()
    let screen = core.show { Probe() }
    let received = Recorder<Bool>()
    let activity = screen.effects.activity("work")
    for id in 1...1_000 { _ = screen.effects.activity("delete \(id)") }
    screen.output.number.derive { (1...1_000).count { screen.effects.isRunning("delete \($0)") } }
    activity.observe { received.append($0) }
    screen.effects.run("work") {}
    screen.effects.run("delete 3") { try await screen.effects.sleep(for: .seconds(1)) }
    await core.turn()
    #expect(received.values == [false, true, false])
    #expect(screen.output.number.value == 1)
  }

  @Test func cancelingEndsTheActivity() async throws {
    let core = TestCore()
    let screen = core.show { Probe() }
    let received = Recorder<Bool>()
    screen.effects.activity("work").removeDuplicates().observe { received.append($0) }
    for _ in 1...2 {
      screen.effects.run("work", .queue) { try await screen.effects.sleep(for: .seconds(1)) }
    }
    await core.turn()
    screen.effects.cancel("work")
    await core.turn()
    #expect(received.values == [false, true, false])
  }
}
