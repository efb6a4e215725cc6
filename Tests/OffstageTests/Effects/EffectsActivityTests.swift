import Offstage
import OffstageTesting
import Testing

/// What a spinner shows: from the first start to the last end, without a flicker.
@Suite @CoreActor struct EffectsActivityTests {
  @Test(arguments: [Effects.Policy.keepFirst, .latest, .queue])
  func lastsFromTheFirstStartToTheLastEnd(_ policy: Effects.Policy) async throws {
    let core = TestCore()
    let screen = core.show {
      Probe { screen in
        screen.output.number.bind(screen.effects.activity("work").map { $0 ? 1 : 0 })
      }
    }
    let heard = Heard<Int>(core)
    screen.output.number.observe { heard.append($0) }
    for _ in 1...3 {
      screen.effects.run("work", policy) {
        try await screen.effects.sleep(for: .milliseconds(100))
      }
    }
    screen.effects.run("other") {}
    await core.turn()
    await core.advance(by: .seconds(1))
    #expect(heard.values == [0, 1, 0])
    #expect(heard.times == [0, 0, policy == .queue ? 300 : 100])
  }

  @Test func cancellingEndsIt() async throws {
    let core = TestCore()
    let screen = core.show { Probe() }
    let heard = Heard<Bool>()
    screen.effects.activity("work").distinct().observe { heard.append($0) }
    for _ in 1...2 {
      screen.effects.run("work", .queue) { try await screen.effects.sleep(for: .seconds(1)) }
    }
    await core.turn()
    screen.effects.cancel("work")
    await core.turn()
    #expect(heard.values == [false, true, false])
  }
}
