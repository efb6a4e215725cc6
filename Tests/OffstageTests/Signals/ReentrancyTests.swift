import Offstage
import OffstageTesting
import Testing

/// A value that an observer sends while others still wait for the one before.
@Suite @CoreActor struct ReentrancyTests {
  @Test func allHearTheSameValueLast() {
    let count = Out(0)
    let bound = Out(0)
    var heard: [Int] = []
    count.observe { if $0 == 1 { count.value = 2 } }
    bound.bind(count)
    count.observe { heard.append($0) }
    count.value = 1
    #expect(heard == [0, 1, 2])
    #expect(bound.value == 2)
    #expect(count.value == 2)
  }

  @Test func anObserverMayObserve() {
    let relay = Relay<Int>()
    var heard: [Int] = []
    relay.observe { value in
      if value == 1 { relay.observe { heard.append($0) } }
    }
    relay.send(1)
    relay.send(2)
    #expect(heard == [2])
  }
}
