import OffstageTesting
import Testing

@testable import Offstage

@Suite @CoreActor struct CauseTests {
  @Test func isFinishedOnceTheLastOfItsWorkHasEnded() {
    let cause = Cause(id: "1")
    #expect(cause.isFinished)
    cause.began()
    cause.began()
    cause.ended()
    #expect(!cause.isFinished)
    cause.ended()
    #expect(cause.isFinished)
  }

  /// Only while nobody remembers it: what runs keeps the id that it was started with.
  @Test func isUsedAgain() {
    var cause: Cause? = Cause(id: "1")
    let first = cause.map { ObjectIdentifier($0) }
    cause.become(id: "2")
    #expect(cause?.id == "2" && cause.map { ObjectIdentifier($0) } == first)
    let remembered = cause
    cause.become(id: nil)
    #expect(remembered?.id == "2" && cause?.id == nil && cause !== remembered)
    cause = nil
    cause.become(id: "3")
    #expect(cause?.id == "3")
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
