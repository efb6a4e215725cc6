import Offstage
import OffstageTesting
import Testing

/// What is observed begins with the current value and ends with its screen.
@Suite @CoreActor struct SignalTests {
  @Test func replaysACurrentValueOnly() {
    check([7, 8], In(7))
    check([8], In<Int>())
    let out = Out(7)
    let heard = Heard<Int>()
    out.observe { heard.append($0) }
    out.value = 8
    #expect(heard.values == [7, 8])
    let told = Heard<Int>()
    let event = Event<Int>()
    event.send(7)
    event.observe { told.append($0) }
    event.send(8)
    #expect(told.values == [8])
  }

  @Test func aTriggerNeedsNoArgument() {
    let tap = In<Trigger>()
    let heard = Heard<Int>()
    tap.observe { heard.append(1) }
    tap.send()
    tap.send(Trigger())
    #expect(heard.values == [1, 1])
  }

  @Test func endsWithTheScreenThatItWasObservedIn() async throws {
    let core = TestCore()
    let relay = Relay<Int>()
    let heard = Heard<Int>()
    _ = core.show { Probe { _ in relay.observe { heard.append($0) } } }
    relay.send(1)
    core.closeAll()
    relay.send(2)
    #expect(heard.values == [1])
  }

  /// Everything that an author would write captures the screen, and none of it keeps the screen.
  @Test func aScreenIsLetGoWhateverCapturesIt() async throws {
    let core = Probe.core()
    let outside = Relay<Int>()
    var weak: [Weak<Probe>] = []
    for _ in 0..<3 {
      let screen = core.show {
        Probe { screen in
          screen.input.text.observe { _ in _ = screen }
          screen.output.number.bind(screen.input.number.map { $0 + screen.input.number.value! })
          combineLatest(screen.input.text, screen.output.text).observe { _ in _ = screen }
          outside.debounce(.seconds(1)).observe { _ in _ = screen }
          outside.throttle(.seconds(1)).observe { _ in _ = screen }
          outside.flatMapLatest { _ in screen.input.number.signal }.observe { _ in _ = screen }
          screen.output.told.observe { _ in _ = screen }
          screen.effects.run("forever") { try await screen.effects.sleep(for: .seconds(1_000)) }
          screen.effects.run("ask") { _ = try await screen.prompts.ask(.alert(Dialog("?"))) }
          screen.effects.run("wait", .queue) {
            _ = try await screen.router.present(Probe.self, Empty()).outcome()
          }
        }
      }
      outside.send(1)
      screen.input.number.send(2)
      weak.append(Weak(screen))
      await core.turn()
    }
    #expect(core.faults == [])
    #expect(core.liveCounts.screens == 2)
    #expect(weak.filter { $0.object != nil }.count == 1)
    core.closeAll()
    await core.turn()
    #expect(weak.allSatisfy { $0.object == nil })
    #expect(core.liveCounts == (0, 0, 0))
  }

  private func check(_ expected: [Int], _ input: In<Int>) {
    let heard = Heard<Int>()
    input.observe { heard.append($0) }
    input.send(8)
    #expect(heard.values == expected)
  }
}
