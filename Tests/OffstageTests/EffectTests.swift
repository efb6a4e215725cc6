import OffstageTesting
import Testing

@testable import Offstage

/// Effects keep the cause that they were started with.
@Suite @CoreActor struct EffectTests {
  @Test func causeSurvivesEveryWait() async throws {
    let core = Probe.core(capabilities: ["quiz"])
    let causes = Recorder<String>()
    func note(_ what: String) { causes.append("\(what) \(core.core.cause?.id ?? "-")") }
    let screen = core.show {
      Probe { screen in
        screen.input.tap.observe {
          note("handling")
          screen.effects.run("work") {
            note("begin")
            try await screen.effects.sleep(for: .seconds(1))
            note("slept")
            _ = try await screen.effects.ask(Prompt<Int>("quiz"))
            note("answered")
            screen.router.present(Probe.self, Empty()).onEnd {
              if $0 != nil { note("finished") }
            }
            await Self.elsewhere()
            note("back")
            screen.effects.run("nested") {
              try await screen.effects.sleep(for: .seconds(1))
              note("nested")
            }
          }
        }
        screen.input.digit.debounce(.seconds(1)).observe { _ in
          note("debounced")
          screen.effects.run("after the timer") { note("after the timer") }
        }
      }
    }
    let tap = Cause(id: "tap")
    let digit = Cause(id: "digit")
    core.core.during(tap) { screen.input.tap.send() }
    core.core.during(digit) { screen.input.digit.send(1) }
    await core.advance(by: .seconds(1))
    try core.core.during(Cause(id: "answer")) { try core.answer("q1", "7") }
    await core.turn()
    let presented = try #require(core.screen(Probe.self))
    core.core.during(Cause(id: "finish")) { presented.finish(1) }
    await core.turn()
    await core.advance(by: .seconds(1))
    #expect(
      causes.values == [
        "handling tap", "begin tap", "debounced digit", "after the timer digit", "slept tap",
        "answered tap", "back tap", "finished finish", "nested tap",
      ])
    #expect(tap.isFinished)
    #expect(digit.isFinished)
    #expect(core.core.cause == nil)
  }

  @Test func turnNamesItsCause() async throws {
    let core = TestCore()
    let named = Recorder<String>()
    core.watch { named.append($0.cause ?? "-") }
    let screen = core.show { Probe() }
    await core.turn()
    for name in ["one", "two"] {
      core.core.during(Cause(id: name)) {
        screen.effects.run(name) {
          try await screen.effects.sleep(for: .seconds(1))
          screen.output.sent.send(1)
        }
      }
    }
    screen.effects.run("by itself") {
      try await screen.effects.sleep(for: .seconds(2))
      screen.output.sent.send(1)
    }
    await core.advance(by: .seconds(3))
    #expect(named.values == ["-", "one", "two", "-"])
  }

  @Test func cancelingARequestCancelsItsWork() async throws {
    let core = TestCore()
    let screen = core.show { Probe() }
    let log = Recorder<String>()
    func start(_ name: String, _ policy: Effects.Policy) {
      screen.effects.run(name, policy) {
        do { try await screen.effects.sleep(for: .seconds(1)) } catch {
          log.append("\(name) canceled")
          throw error
        }
        log.append("\(name) ended")
      }
    }
    let cause = Cause(id: "request")
    core.core.during(cause) {
      start("b", .latest)
      start("a", .latest)
    }
    start("c", .latest)
    await core.settle()
    core.core.cancelWork(of: cause)
    #expect(cause.isFinished)
    await core.advance(by: .seconds(2))
    #expect(log.values == ["b canceled", "a canceled", "c ended"])
  }

  @Test func cancelingARequestCancelsQueuedWorkOfHelpers() async throws {
    let core = TestCore()
    let log = Recorder<String>()
    var helper: Effects?
    let screen = core.show {
      Probe { _ in helper = Effects() }
    }
    let cause = Cause(id: "request")
    for effects in [screen.effects, try #require(helper)] {
      effects.run("work", .queue) { try await effects.sleep(for: .seconds(1)) }
      core.core.during(cause) { effects.run("work", .queue) { log.append("began") } }
    }
    core.core.cancelWork(of: cause)
    #expect(cause.isFinished)
    await core.advance(by: .seconds(2))
    #expect(log.values == [])
  }

  private nonisolated static func elsewhere() async { await Task.yield() }
}

@Suite @CoreActor struct SuspensionTests {
  @Test func resumesOnce() async throws {
    var suspension: Suspension<Int>?
    let value = try await Suspension<Int>.wait {
      suspension = $0
      $0.resume(with: .success(1))
      $0.resume(with: .failure(Broken()))
      return { Issue.record("there is nothing to clean up") }
    }
    suspension?.resume(with: .success(2))
    #expect(value == 1)
  }

  @Test func resumesWithAnError() async throws {
    await #expect(throws: Broken.self) {
      try await Suspension<Int>.wait {
        $0.resume(with: .failure(Broken()))
        return {}
      }
    }
  }

  @Test func cancelCleansUpOnce() async throws {
    let log = Recorder<String>()
    let task = Task { @CoreActor in
      do {
        _ = try await Suspension<Int>.wait { suspension in
          log.append("waits")
          return {
            log.append("cleans up")
            suspension.resume(with: .success(1))
          }
        }
      } catch is CancellationError { log.append("canceled") }
    }
    while log.values.isEmpty { await Task.yield() }
    task.cancel()
    task.cancel()
    #expect(
      log.values == ["waits", "cleans up"], "the wait ends within the turn of its canceling")
    try await task.value
    #expect(log.values == ["waits", "cleans up", "canceled"])
  }

  @Test func canceledTaskDoesNotWait() async throws {
    let task = Task { @CoreActor in
      while !Task.isCancelled { await Task.yield() }
      _ = try await Suspension<Int>.wait { _ in
        Issue.record("the task is canceled")
        return {}
      }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func canBeCanceledFromAnotherThread() async throws {
    let log = Recorder<String>()
    let task = Task { @CoreActor in
      _ = try await Suspension<Int>.wait { _ in
        log.append("waits")
        return { log.append("cleans up") }
      }
    }
    while log.values.isEmpty { await Task.yield() }
    await Task.detached { task.cancel() }.value
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(log.values == ["waits", "cleans up"])
  }
}
