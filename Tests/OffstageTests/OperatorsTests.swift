import OffstageTesting
import Testing

@testable import Offstage

@Suite @CoreActor struct OperatorsTests {
  @Test func mapTransformsEveryValue() {
    check([1, 2, 2], receives: ["1", "2", "2"]) { $0.map { "\($0)" } }
  }

  @Test func filterKeepsWhatSatisfiesIt() {
    check([1, 2, 3, 4], receives: [2, 4]) { $0.filter { $0.isMultiple(of: 2) } }
  }

  @Test func compactMapDropsNil() {
    check([1, 2, 3], receives: ["2"]) { $0.compactMap { $0 == 2 ? "2" : nil } }
  }

  @Test func removeDuplicatesDropsRepeatedValues() {
    check([1, 1, 2, 1, 1], receives: [1, 2, 1]) { $0.removeDuplicates() }
  }

  @Test func removeDuplicatesComparesScalars() {
    let spellings = ["é", "e\u{301}"]
    check([0, 1], receives: spellings.map { Array($0.utf8) }) { relay in
      relay.map { spellings[$0] }.removeDuplicates().map { Array($0.utf8) }
    }
  }

  @Test func removeDuplicatesPassesAFirstNil() {
    check([0, 0, 1, 0], receives: [nil, 1, nil]) {
      $0.map { $0 == 0 ? nil : $0 }.removeDuplicates()
    }
  }

  @Test func mergeSendsTheValuesOfBoth() {
    check([1, 2], receives: [1, -1, 2, -2]) { relay in relay.merge(relay.map { -$0 }) }
  }

  @Test func operatorsCompose() {
    check([1, 2, 3, 4, 5, 6], receives: ["4", "16", "36"]) {
      $0.filter { $0.isMultiple(of: 2) }.map { $0 * $0 }.removeDuplicates().map { "\($0)" }
    }
  }

  /// Sends values to a relay and checks those of a signal made from it, also after its end.
  private func check<Value: Equatable>(
    _ sent: [Int], receives expected: [Value], _ make: (Relay<Int>) -> Signal<Value>
  ) {
    let relay = Relay<Int>()
    let received = Recorder<Value>()
    let signal = make(relay)
    relay.send(2)
    #expect(received.values == [], "a signal does nothing before it is observed")
    let subscription = signal.observe { received.append($0) }
    for value in sent { relay.send(value) }
    #expect(received.values == expected)
    subscription.cancel()
    for value in sent { relay.send(value) }
    #expect(received.values == expected, "a signal says nothing after its end")
  }
}

@Suite @CoreActor struct CombineLatestTests {
  struct Case: Sendable {
    let sent: [(source: Int, value: Int)]
    let received: [[Int]]
  }

  @Test(arguments: [
    Case(sent: [(0, 1)], received: []),
    Case(sent: [(0, 1), (0, 2), (1, 5)], received: [[2, 5]]),
    Case(sent: [(0, 1), (1, 5), (0, 1), (1, 6)], received: [[1, 5], [1, 5], [1, 6]]),
  ])
  func twoSourcesSendTheirNewestValues(_ test: Case) {
    check(test) { relays in combineLatest(relays[0], relays[1]).map { [$0, $1] } }
  }

  @Test func nilIsAValue() {
    let text = Field<String?>(nil)
    let number = In<Int?>()
    let received = Recorder<Bool>()
    combineLatest(text, number).map { $0 == nil && $1 == nil }.observe { received.append($0) }
    #expect(received.values == [])
    number.send(nil)
    text.send("a")
    #expect(received.values == [true, false])
  }

  private func check(
    _ test: Case, _ make: ([Relay<Int>]) -> Signal<[Int]>,
    _ location: SourceLocation = #_sourceLocation
  ) {
    let relays = (0..<2).map { _ in Relay<Int>() }
    let received = Recorder<[Int]>()
    let subscription = make(relays).observe { received.append($0) }
    for (source, value) in test.sent { relays[source].send(value) }
    #expect(received.values == test.received, sourceLocation: location)
    subscription.cancel()
    for (source, value) in test.sent { relays[source].send(value) }
    #expect(received.values == test.received, sourceLocation: location)
  }
}

@Suite @CoreActor struct TimingTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The times at which 1, 2, 3… are sent, in milliseconds.
    let sentAt: [Int]
    let received: [Int]
    let receivedAt: [Int]

    init(_ name: String, sentAt: [Int], received: [Int], at receivedAt: [Int]) {
      testDescription = name
      self.sentAt = sentAt
      self.received = received
      self.receivedAt = receivedAt
    }
  }

  @Test(arguments: [
    Case("nothing", sentAt: [], received: [], at: []),
    Case("one", sentAt: [0], received: [1], at: [100]),
    Case("a burst", sentAt: [0, 50, 149], received: [3], at: [249]),
    Case(
      "one exactly at the end of the wait", sentAt: [0, 100], received: [1, 2], at: [100, 200]),
    Case("two bursts", sentAt: [0, 10, 200, 210], received: [2, 4], at: [110, 310]),
    Case("several at once", sentAt: [5, 5, 5], received: [3], at: [105]),
  ])
  func debounceSendsTheNewestAfterAPause(_ test: Case) async throws {
    try await check(test) { $0.debounce(.milliseconds(100)) }
  }

  @Test func cancelingARequestDropsItsDebouncedValue() async throws {
    let core = TestCore()
    let received = Recorder<String>()
    let screen = core.show {
      Probe { screen in
        screen.input.digit.debounce(.milliseconds(100)).observe { received.append("\($0)") }
      }
    }
    let cause = Cause(id: "1")
    core.core.during(cause) { screen.input.digit.send(1) }
    core.core.cancelWork(of: cause)
    await core.advance(by: .milliseconds(100))
    screen.input.digit.send(2)
    await core.advance(by: .milliseconds(100))
    #expect(received.values == ["2"])
  }

  @Test func timersEndWithTheirScreen() async throws {
    let core = TestCore()
    let received = Recorder<Int>()
    let screen = core.show {
      Probe { screen in
        screen.input.digit.debounce(.seconds(1)).observe { received.append($0) }
        screen.input.digit.debounce(.seconds(2)).observe { received.append($0) }
      }
    }
    screen.input.digit.send(1)
    screen.input.digit.send(2)
    #expect(core.liveCounts.timers == 2)
    core.closeAll()
    #expect(core.liveCounts.timers == 0)
    await core.advance(by: .seconds(5))
    #expect(received.values == [])
  }

  @Test func laterObservationEndsWithItsScreen() async throws {
    let core = TestCore()
    var later: Signal<Int>?
    let received = Recorder<Int>()
    let screen = core.show { Probe { later = $0.input.digit.debounce(.seconds(1)) } }
    later?.observe { received.append($0) }
    screen.input.digit.send(1)
    #expect(core.liveCounts.timers == 1)
    core.closeAll()
    #expect(core.liveCounts.timers == 0)
    await core.advance(by: .seconds(2))
    #expect(received.values == [])
  }

  @Test func canceledObservationLeavesNoTimer() async throws {
    let core = TestCore()
    var subscriptions: [Subscription] = []
    let screen = core.show {
      Probe { screen in
        subscriptions = [
          screen.input.digit.debounce(.seconds(1)).observe { _ in },
          screen.input.digit.debounce(.seconds(2)).observe { _ in },
        ]
      }
    }
    screen.input.digit.send(1)
    for subscription in subscriptions { subscription.cancel() }
    #expect(core.liveCounts.timers == 0)
  }

  /// Sends at the given times, then advances the clock by a second.
  private func check(
    _ test: Case, _ make: (In<Int>) -> Signal<Int>, _ location: SourceLocation = #_sourceLocation
  ) async throws {
    let core = TestCore()
    let received = Recorder<Int>(core)
    let screen = core.show {
      Probe { screen in make(screen.input.digit).observe { received.append($0) } }
    }
    var now = 0
    for (index, time) in test.sentAt.enumerated() {
      await core.advance(by: .milliseconds(time - now))
      now = time
      screen.input.digit.send(index + 1)
    }
    await core.advance(by: .seconds(1))
    #expect(received.values == test.received, sourceLocation: location)
    #expect(received.times == test.receivedAt, sourceLocation: location)
  }
}
