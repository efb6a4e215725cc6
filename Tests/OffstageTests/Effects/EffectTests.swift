import Offstage
import OffstageTesting
import Testing

/// Whatever a request leads to, however late, is done in its name.
@Suite @CoreActor struct EffectTests {
  @Test func theCauseIsCarriedThroughEveryWait() async throws {
    let core = Probe.core(capabilities: ["quiz"])
    let causes = Heard<String>()
    func note(_ what: String) { causes.append("\(what) \(core.core.cause?.id ?? "-")") }
    let screen = core.show {
      Probe { screen in
        screen.input.tap.observe {
          note("handling")
          screen.effects.run("work") {
            note("begin")
            try await screen.effects.sleep(for: .seconds(1))
            note("slept")
            _ = try await screen.prompts.ask(Prompt<Int>("quiz"))
            note("answered")
            _ = try await screen.router.present(Probe.self, Empty()).outcome()
            note("finished")
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
        "answered tap", "finished tap", "back tap", "nested tap",
      ])
    #expect(tap.isFinished && digit.isFinished)
    #expect(core.core.cause == nil)
  }

  @Test func aTurnNamesTheRequestBehindIt() async throws {
    let core = TestCore()
    let named = Heard<String>()
    core.watch { named.append($0.cause ?? "-") }
    let screen = core.show { Probe() }
    await core.turn()
    for name in ["one", "two"] {
      core.core.during(Cause(id: name)) {
        screen.effects.run(name) {
          try await screen.effects.sleep(for: .seconds(1))
          screen.output.told.send(1)
        }
      }
    }
    screen.effects.run("by itself") {
      try await screen.effects.sleep(for: .seconds(2))
      screen.output.told.send(1)
    }
    await core.advance(by: .seconds(3))
    #expect(named.values == ["-", "one", "two", "-"])
  }

  @Test func cancellingARequestEndsAllThatItStarted() async throws {
    let core = TestCore()
    let screen = core.show { Probe() }
    let log = Heard<String>()
    func start(_ name: String, _ policy: Effects.Policy) {
      screen.effects.run(name, policy) {
        do { try await screen.effects.sleep(for: .seconds(1)) } catch {
          log.append("\(name) cancelled")
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
    #expect(log.values == ["b cancelled", "a cancelled", "c ended"])
  }

  /// A screen's helpers may have effects of their own.
  @Test func cancelsWhatWaitsInAnyEffectsOfTheScreen() async throws {
    let core = TestCore()
    let log = Heard<String>()
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

  /// Code that is bound to no actor, like a repository's.
  private nonisolated static func elsewhere() async { await Task.yield() }
}
