import Offstage
import Testing

@Suite @CoreActor struct OperatorsTests {
  struct Odd: Error {}

  @Test func map() { check([1, 2, 2], hears: ["1", "2", "2"]) { $0.map { "\($0)" } } }

  @Test func mapWithFallback() {
    check([1, 2, 3], hears: [-1, 4, -1]) {
      $0.map(orElse: -1) { if $0.isMultiple(of: 2) { $0 * 2 } else { throw Odd() } }
    }
  }

  @Test func filter() {
    check([1, 2, 3, 4], hears: [2, 4]) { $0.filter { $0.isMultiple(of: 2) } }
  }

  @Test func compactMap() {
    check([1, 2, 3], hears: ["2"]) { $0.compactMap { $0 == 2 ? "2" : nil } }
  }

  @Test func distinct() { check([1, 1, 2, 1, 1], hears: [1, 2, 1]) { $0.distinct() } }

  @Test func distinctTellsSpellingsApart() {
    let spellings = ["é", "e\u{301}"]
    check([0, 1], hears: spellings.map { Array($0.utf8) }) { relay in
      relay.map { spellings[$0] }.distinct().map { Array($0.utf8) }
    }
  }

  @Test func distinctLetsAFirstNilThrough() {
    check([0, 0, 1, 0], hears: [nil, 1, nil]) { $0.map { $0 == 0 ? nil : $0 }.distinct() }
  }

  @Test func merge() {
    check([1, 2], hears: [1, -1, 2, -2]) { relay in relay.merge(relay.map { -$0 }) }
  }

  @Test func operatorsCompose() {
    check([1, 2, 3, 4, 5, 6], hears: ["4", "16", "36"]) {
      $0.filter { $0.isMultiple(of: 2) }.map { $0 * $0 }.distinct().map { "\($0)" }
    }
  }

  @Test func flatMapLatestFollowsTheNewest() {
    let relays = [Relay<String>(), Relay<String>()]
    let choice = Relay<Int>()
    let heard = Heard<String>()
    let subscription = choice.flatMapLatest { relays[$0].signal }.observe { heard.append($0) }
    relays[0].send("nobody listens")
    choice.send(0)
    relays[0].send("a")
    relays[1].send("not yet chosen")
    choice.send(1)
    relays[0].send("let go of")
    relays[1].send("b")
    choice.send(0)
    relays[0].send("c")
    subscription.cancel()
    relays[0].send("after the end")
    #expect(heard.values == ["a", "b", "c"])
  }

  @Test func flatMapLatestEndedByWhatItReplaysIsEnded() {
    let choice = Relay<Int>()
    let inner = Relay<Int>()
    let heard = Heard<Int>()
    var subscription = Subscription()
    subscription = choice.flatMapLatest { number in
      Signal<Int> { receive in
        receive(number)
        return inner.signal.observe(receive)
      }
    }.observe {
      heard.append($0)
      subscription.cancel()
    }
    choice.send(1)
    inner.send(2)
    #expect(heard.values == [1])
  }

  @Test func flatMapLatestEndsTheOneBefore() {
    let choice = Relay<Int>()
    let ended = Heard<Int>()
    let subscription = choice.flatMapLatest { number in
      Signal<Int> { _ in Subscription { ended.append(number) } }
    }.observe { _ in }
    choice.send(1)
    choice.send(2)
    #expect(ended.values == [1])
    subscription.cancel()
    #expect(ended.values == [1, 2])
  }

  /// Sends to a relay what a signal made of it should change; after its end it says nothing.
  private func check<Value: Equatable>(
    _ sent: [Int], hears expected: [Value], _ make: (Relay<Int>) -> Signal<Value>
  ) {
    let relay = Relay<Int>()
    let heard = Heard<Value>()
    let signal = make(relay)
    relay.send(2)
    #expect(heard.values == [], "a signal does nothing before it is observed")
    let subscription = signal.observe { heard.append($0) }
    for value in sent { relay.send(value) }
    #expect(heard.values == expected)
    subscription.cancel()
    for value in sent { relay.send(value) }
    #expect(heard.values == expected, "a signal says nothing after its end")
  }
}
