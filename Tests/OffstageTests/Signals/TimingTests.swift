import OffstageTesting
import Testing

@testable import Offstage

/// Time passes on the core's clock alone.
@Suite @CoreActor struct TimingTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// When each of 1, 2, 3… is sent, in milliseconds.
    let sentAt: [Int]
    let heard: [Int]
    let heardAt: [Int]

    init(_ name: String, sentAt: [Int], heard: [Int], at heardAt: [Int]) {
      testDescription = name
      self.sentAt = sentAt
      self.heard = heard
      self.heardAt = heardAt
    }
  }

  @Test(arguments: [
    Case("nothing", sentAt: [], heard: [], at: []),
    Case("one", sentAt: [0], heard: [1], at: [100]),
    Case("a burst", sentAt: [0, 50, 149], heard: [3], at: [249]),
    Case("one exactly at the end of the wait", sentAt: [0, 100], heard: [1, 2], at: [100, 200]),
    Case("two bursts", sentAt: [0, 10, 200, 210], heard: [2, 4], at: [110, 310]),
    Case("several at once", sentAt: [5, 5, 5], heard: [3], at: [105]),
  ])
  func debounce(_ test: Case) async throws {
    try await check(test) { $0.debounce(.milliseconds(100)) }
  }

  @Test(arguments: [
    Case("nothing", sentAt: [], heard: [], at: []),
    Case("one", sentAt: [0], heard: [1], at: [0]),
    Case("the newest of those in between", sentAt: [0, 10, 20], heard: [1, 3], at: [0, 100]),
    Case("one after the pause", sentAt: [0, 150], heard: [1, 2], at: [0, 150]),
    Case(
      "the pause begins anew with each", sentAt: [0, 50, 150, 250, 420], heard: [1, 2, 3, 4, 5],
      at: [0, 100, 200, 300, 420]),
    Case("several at once", sentAt: [5, 5, 5], heard: [1, 3], at: [5, 105]),
  ])
  func throttle(_ test: Case) async throws {
    try await check(test) { $0.throttle(.milliseconds(100)) }
  }

  /// A cancelled request takes its debounced value along, but not a throttle's pause.
  @Test func bothGoOnWhenARequestIsCancelled() async throws {
    let core = TestCore()
    let heard = Heard<String>()
    let screen = core.show {
      Probe { screen in
        screen.input.digit.debounce(.milliseconds(100)).observe { heard.append("d\($0)") }
        screen.input.digit.throttle(.milliseconds(100)).observe { heard.append("t\($0)") }
      }
    }
    let cause = Cause(id: "1")
    core.core.during(cause) { screen.input.digit.send(1) }
    core.core.cancelWork(of: cause)
    await core.advance(by: .milliseconds(100))
    screen.input.digit.send(2)
    await core.advance(by: .milliseconds(100))
    #expect(heard.values == ["t1", "t2", "d2"])
  }

  @Test func bothEndWithTheirScreen() async throws {
    let core = TestCore()
    let heard = Heard<Int>()
    let screen = core.show {
      Probe { screen in
        screen.input.digit.debounce(.seconds(1)).observe { heard.append($0) }
        screen.input.digit.throttle(.seconds(1)).map { -$0 }.observe { heard.append($0) }
      }
    }
    screen.input.digit.send(1)
    screen.input.digit.send(2)
    #expect(core.liveCounts.timers == 2)
    core.closeAll()
    #expect(core.liveCounts.timers == 0)
    await core.advance(by: .seconds(5))
    #expect(heard.values == [-1])
  }

  @Test func whatIsObservedLaterEndsWithTheScreenToo() async throws {
    let core = TestCore()
    var later: Signal<Int>?
    let heard = Heard<Int>()
    let screen = core.show { Probe { later = $0.input.digit.debounce(.seconds(1)) } }
    later?.observe { heard.append($0) }
    screen.input.digit.send(1)
    #expect(core.liveCounts.timers == 1)
    core.closeAll()
    #expect(core.liveCounts.timers == 0)
    await core.advance(by: .seconds(2))
    #expect(heard.values == [])
  }

  @Test func aCancelledObservationLeavesNoTimer() async throws {
    let core = TestCore()
    var subscriptions: [Subscription] = []
    let screen = core.show {
      Probe { screen in
        subscriptions = [
          screen.input.digit.debounce(.seconds(1)).observe { _ in },
          screen.input.digit.throttle(.seconds(1)).observe { _ in },
        ]
      }
    }
    screen.input.digit.send(1)
    for subscription in subscriptions { subscription.cancel() }
    #expect(core.liveCounts.timers == 0)
  }

  /// Sends at the given times and lets a second more pass.
  private func check(_ test: Case, _ make: (In<Int>) -> Signal<Int>) async throws {
    let core = TestCore()
    let heard = Heard<Int>(core)
    let screen = core.show {
      Probe { screen in make(screen.input.digit).observe { heard.append($0) } }
    }
    var now = 0
    for (index, time) in test.sentAt.enumerated() {
      await core.advance(by: .milliseconds(time - now))
      now = time
      screen.input.digit.send(index + 1)
    }
    await core.advance(by: .seconds(1))
    #expect(heard.values == test.heard)
    #expect(heard.times == test.heardAt)
  }
}
