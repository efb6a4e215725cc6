import Offstage
import Testing

@Suite @CoreActor struct RelayTests {
  @Test func handsOnInTheOrderOfObserving() {
    let relay = Relay<Int>()
    let heard = Heard<String>()
    relay.observe { heard.append("a\($0)") }
    relay.observe { heard.append("b\($0)") }
    relay.send(1)
    relay.send(2)
    #expect(heard.values == ["a1", "b1", "a2", "b2"])
  }

  @Test func keepsNothing() {
    let relay = Relay<Int>()
    relay.send(1)
    relay.observe { _ in Issue.record("nothing is replayed") }
  }

  @Test func whoComesWhileAValuePassesHearsTheNextOne() {
    let relay = Relay<Int>()
    let heard = Heard<Int>()
    let subscription = relay.observe { _ in relay.observe { heard.append($0) } }
    relay.send(1)
    #expect(heard.values == [])
    subscription.cancel()
    relay.send(2)
    #expect(heard.values == [2])
  }

  @Test func whoGoesWhileAValuePassesHearsItNoMore() {
    let relay = Relay<Int>()
    let heard = Heard<Int>()
    let second = Subscription()
    var subscription = second
    relay.observe { _ in subscription.cancel() }
    subscription = relay.observe { heard.append($0) }
    relay.send(1)
    #expect(heard.values == [])
  }

  /// Also with a value sent meanwhile: nobody is left out, nobody hears twice.
  @Test func whoGoesWhileAValuePassesLeavesTheOthersTheirs() {
    let relay = Relay<Int>()
    let heard = Heard<String>()
    let first = relay.observe { heard.append("a\($0)") }
    var second = Subscription()
    second = relay.observe { value in
      heard.append("b\(value)")
      first.cancel()
      second.cancel()
      if value == 1 { relay.send(2) }
    }
    relay.observe { heard.append("c\($0)") }
    relay.observe { heard.append("d\($0)") }
    relay.send(1)
    relay.send(3)
    #expect(heard.values == ["a1", "b1", "c1", "d1", "c2", "d2", "c3", "d3"])
  }

  @Test func aCancelledObserverIsLetGo() {
    final class Thing {}
    let relay = Relay<Int>()
    weak var thing: Thing?
    let subscription: Subscription
    do {
      let captured = Thing()
      thing = captured
      subscription = relay.observe { _ in _ = captured }
    }
    #expect(thing != nil)
    subscription.cancel()
    #expect(thing == nil)
  }
}
