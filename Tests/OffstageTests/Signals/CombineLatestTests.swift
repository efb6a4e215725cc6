import Offstage
import Testing

@Suite @CoreActor struct CombineLatestTests {
  struct Case: Sendable {
    let sent: [(source: Int, value: Int)]
    let heard: [[Int]]
  }

  @Test(arguments: [
    Case(sent: [(0, 1)], heard: []),
    Case(sent: [(0, 1), (0, 2), (1, 5)], heard: [[2, 5]]),
    Case(sent: [(0, 1), (1, 5), (0, 1), (1, 6)], heard: [[1, 5], [1, 5], [1, 6]]),
  ])
  func ofTwo(_ test: Case) {
    check(test) { relays in combineLatest(relays[0], relays[1]).map { [$0, $1] } }
  }

  @Test(arguments: [
    Case(sent: [(0, 1), (1, 2), (0, 3)], heard: []),
    Case(sent: [(2, 3), (1, 2), (0, 1), (1, 4)], heard: [[1, 2, 3], [1, 4, 3]]),
  ])
  func ofThree(_ test: Case) {
    check(test) { relays in
      combineLatest(relays[0], relays[1], relays[2]).map { [$0, $1, $2] }
    }
  }

  @Test func nilIsAValue() {
    let text = In<String?>(nil)
    let number = In<Int?>()
    let heard = Heard<Bool>()
    combineLatest(text, number).map { $0 == nil && $1 == nil }.observe { heard.append($0) }
    #expect(heard.values == [])
    number.send(nil)
    text.send("a")
    #expect(heard.values == [true, false])
  }

  private func check(_ test: Case, _ make: ([Relay<Int>]) -> Signal<[Int]>) {
    let relays = (0..<3).map { _ in Relay<Int>() }
    let heard = Heard<[Int]>()
    let subscription = make(relays).observe { heard.append($0) }
    for (source, value) in test.sent { relays[source].send(value) }
    #expect(heard.values == test.heard)
    subscription.cancel()
    for (source, value) in test.sent { relays[source].send(value) }
    #expect(heard.values == test.heard)
  }
}
