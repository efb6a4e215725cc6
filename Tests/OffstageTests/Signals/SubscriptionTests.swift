import Offstage
import Testing

@Suite @CoreActor struct SubscriptionTests {
  @Test func endsOnce() {
    let ends = Heard<Int>()
    let subscription = Subscription { ends.append(1) }
    subscription.cancel()
    subscription.cancel()
    #expect(ends.values == [1])
  }

  @Test func droppingItDoesNotEndIt() {
    let relay = Relay<Int>()
    let heard = Heard<Int>()
    do { _ = relay.observe { heard.append($0) } }
    relay.send(1)
    #expect(heard.values == [1])
  }
}
