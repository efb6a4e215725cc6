import Offstage
import OffstageTesting
import Testing

/// An observation starts with the current value and ends with its screen.
@Suite @CoreActor struct SignalTests {
  @Test func replaysACurrentValueOnly() {
    let field = Field(7)
    check([7, 8], field) { field.send(8) }
    let input = In<Int>()
    check([8], input) { input.send(8) }
    let out = Out(7)
    let received = Recorder<Int>()
    out.observe { received.append($0) }
    out.value = 8
    #expect(received.values == [7, 8])
    let sent = Recorder<Int>()
    let event = Event<Int>()
    event.send(7)
    event.observe { sent.append($0) }
    event.send(8)
    #expect(sent.values == [8])
  }

  @Test func triggerObserverNeedsNoArgument() {
    let tap = In<Trigger>()
    let received = Recorder<Int>()
    tap.observe { received.append(1) }
    tap.send()
    tap.send(Trigger())
    #expect(received.values == [1, 1])
  }

  @Test func observationEndsWithItsScreen() async throws {
    let core = TestCore()
    let relay = Relay<Int>()
    let received = Recorder<Int>()
    _ = core.show { Probe { _ in relay.observe { received.append($0) } } }
    relay.send(1)
    core.closeAll()
    relay.send(2)
    #expect(received.values == [1])
  }

  /// Every closure that an author would write captures the screen.
  @Test func closuresDoNotKeepAScreenAlive() async throws {
    let core = Probe.core()
    let outside = Relay<Int>()
    var weak: [Weak<Probe>] = []
    for _ in 0..<3 {
      let screen = core.show {
        Probe { screen in
          screen.input.text.observe { _ in _ = screen }
          screen.output.number.bind(screen.input.number.map { $0 + screen.input.number.value })
          combineLatest(screen.input.text, screen.output.text).observe { _ in _ = screen }
          outside.debounce(.seconds(1)).observe { _ in _ = screen }
          screen.output.sent.observe { _ in _ = screen }
          screen.effects.run { try await screen.effects.sleep(for: .seconds(1_000)) }
          screen.effects.run { _ = try await screen.effects.ask(.alert(Dialog("?"))) }
          screen.effects.run {
            screen.router.present(Probe.self, Empty()).onEnd { _ in _ = screen }
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

  private func check(
    _ expected: [Int], _ source: some Source<Int>,
    _ location: SourceLocation = #_sourceLocation, _ send: () -> Void
  ) {
    let received = Recorder<Int>()
    source.observe { received.append($0) }
    send()
    #expect(received.values == expected, sourceLocation: location)
  }
}

@Suite @CoreActor struct SubscriptionTests {
  @Test func subscriptionEndsOnce() {
    let ends = Recorder<Int>()
    let subscription = Subscription { ends.append(1) }
    subscription.cancel()
    subscription.cancel()
    #expect(ends.values == [1])
  }

  @Test func releaseDoesNotCancel() {
    let relay = Relay<Int>()
    let received = Recorder<Int>()
    do { _ = relay.observe { received.append($0) } }
    relay.send(1)
    #expect(received.values == [1])
  }
}

@Suite @CoreActor struct RelayTests {
  @Test func sendsInTheOrderOfSubscription() {
    let relay = Relay<Int>()
    let received = Recorder<String>()
    relay.observe { received.append("a\($0)") }
    relay.observe { received.append("b\($0)") }
    relay.send(1)
    relay.send(2)
    #expect(received.values == ["a1", "b1", "a2", "b2"])
  }

  @Test func relayReplaysNothing() {
    let relay = Relay<Int>()
    relay.send(1)
    relay.observe { _ in Issue.record("nothing is replayed") }
  }

  @Test func observerAddedWhileSendingReceivesTheNextValue() {
    let relay = Relay<Int>()
    let received = Recorder<Int>()
    let subscription = relay.observe { _ in relay.observe { received.append($0) } }
    relay.send(1)
    #expect(received.values == [])
    subscription.cancel()
    relay.send(2)
    #expect(received.values == [2])
  }

  @Test func observerCanceledWhileSendingReceivesNothing() {
    let relay = Relay<Int>()
    let received = Recorder<Int>()
    let second = Subscription()
    var subscription = second
    relay.observe { _ in subscription.cancel() }
    subscription = relay.observe { received.append($0) }
    relay.send(1)
    #expect(received.values == [])
  }

  /// Also while another value is sent meanwhile.
  @Test func cancelingWhileSendingKeepsOtherObservers() {
    let relay = Relay<Int>()
    let received = Recorder<String>()
    let first = relay.observe { received.append("a\($0)") }
    var second = Subscription()
    second = relay.observe { value in
      received.append("b\(value)")
      first.cancel()
      second.cancel()
      if value == 1 { relay.send(2) }
    }
    relay.observe { received.append("c\($0)") }
    relay.observe { received.append("d\($0)") }
    relay.send(1)
    relay.send(3)
    #expect(received.values == ["a1", "b1", "c1", "d1", "c2", "d2", "c3", "d3"])
  }

  @Test func canceledObserverIsReleased() {
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

/// Values that an observer sends while others still wait for the one before.
@Suite @CoreActor struct ReentrancyTests {
  @Test func observersSeeTheSameOrder() {
    let count = Out(0)
    let bound = Out(0)
    var received: [Int] = []
    count.observe { if $0 == 1 { count.value = 2 } }
    bound.bind(count)
    count.observe { received.append($0) }
    count.value = 1
    #expect(received == [0, 1, 2])
    #expect(bound.value == 2)
    #expect(count.value == 2)
  }

  @Test func observerCanSubscribeAnother() {
    let relay = Relay<Int>()
    var received: [Int] = []
    relay.observe { value in
      if value == 1 { relay.observe { received.append($0) } }
    }
    relay.send(1)
    relay.send(2)
    #expect(received == [2])
  }
}
