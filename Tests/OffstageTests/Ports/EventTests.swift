import Offstage
import OffstageTesting
import Testing

@Suite @CoreActor struct EventTests {
  @Test func isToldInOrderEvenIfEqual() async throws {
    let core = TestCore()
    let told = Heard<String>()
    core.watch { changes in
      for event in changes.events {
        told.append("\(event.screen).\(event.name) \(String(decoding: event.value, as: UTF8.self))")
      }
    }
    let screen = core.show { Probe() }
    for number in [1, 2, 2] { screen.output.told.send(number) }
    await Task.yield()
    #expect(told.values == ["1.told 1", "1.told 2", "1.told 2"])
  }

  @Test func isToldNoMoreOnceItsScreenHasClosed() async throws {
    let core = TestCore()
    let screen = core.show { Probe() }
    let heard = Heard<Int>()
    screen.output.told.observe { heard.append($0) }
    core.closeAll()
    await core.turn()
    screen.output.told.send(1)
    #expect(!core.core.hasChanges)
    #expect(heard.values == [])
  }
}
