import OffstageTesting
import Testing

@testable import Offstage

@Suite @CoreActor struct CauseTests {
  @Test func isFinishedAtOnceWhereNothingRuns() {
    let cause = Cause(id: "1")
    let calls = Heard<Int>()
    cause.onFinish { calls.append(1) }
    #expect(cause.isFinished)
    #expect(calls.values == [1])
  }

  @Test func isFinishedOnceTheLastOfItsWorkHasEnded() {
    let cause = Cause(id: "1")
    let calls = Heard<Int>()
    cause.began()
    cause.began()
    cause.onFinish { calls.append(1) }
    cause.onFinish { calls.append(2) }
    cause.ended()
    #expect(!cause.isFinished)
    #expect(calls.values == [])
    cause.ended()
    #expect(cause.isFinished)
    #expect(calls.values == [1, 2])
    cause.began()
    cause.ended()
    #expect(calls.values == [1, 2])
  }

  /// Timers, effects and effects that wait for their turn all count.
  @Test(arguments: ["debounce", "effect", "queue", "cancelled", "closed"])
  func countsWhatItStarted(_ what: String) async throws {
    let core = Probe.core()
    let cause = Cause(id: "request")
    let screen = core.show {
      Probe { screen in
        screen.input.digit.debounce(.seconds(2)).observe { _ in }
        screen.input.tap.observe {
          screen.effects.run("work", .queue) { try await screen.effects.sleep(for: .seconds(1)) }
        }
      }
    }
    core.core.during(cause) {
      switch what {
      case "debounce": screen.input.digit.send(1)
      case "effect", "cancelled", "closed": screen.input.tap.send()
      default: for _ in 1...2 { screen.input.tap.send() }
      }
    }
    await core.advance(by: .milliseconds(999))
    #expect(!cause.isFinished)
    if what == "cancelled" { screen.effects.cancel("work") }
    if what == "closed" { core.closeAll() }
    await core.advance(by: .milliseconds(1))
    #expect(cause.isFinished == ["effect", "cancelled", "closed"].contains(what))
    await core.advance(by: .seconds(1))
    #expect(cause.isFinished)
  }
}
