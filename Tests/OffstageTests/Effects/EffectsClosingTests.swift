import Offstage
import OffstageTesting
import Testing

/// What becomes of work whose screen closes, or that does not listen.
@Suite @CoreActor struct EffectsClosingTests {
  @Test func workEndsWithItsScreen() async throws {
    let core = TestCore()
    let screen = core.show { Probe() }
    let log = Heard<String>()
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

  @Test func nothingStartsOnAScreenThatHasClosed() async throws {
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

  /// Work that does not listen to its cancellation is no longer waited for.
  @Test func workThatIgnoresItsCancellationIsLetGo() async throws {
    let core = TestCore()
    let screen = core.show { Probe() }
    let gate = Gate()
    let log = Heard<String>()
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

  @Test func sleepingOnAClosedScreenIsCancelled() async throws {
    let core = TestCore()
    let screen = core.show { Probe() }
    core.closeAll()
    await core.turn()
    await #expect(throws: CancellationError.self) {
      try await screen.effects.sleep(for: .milliseconds(1))
    }
  }
}
