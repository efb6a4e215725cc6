import Offstage
import OffstageTesting
import Testing

/// Lists of seven items in pages of three, whose pages come when the test says so.
@Suite @CoreActor struct PagerTests {
  private let core = TestCore()
  private let gate = Gate()
  private let asked = Heard<String>()
  private let told = Heard<String>()
  private let pager: Pager<String, String>
  private let screen: Probe

  init() {
    let (gate, asked, told) = (gate, asked, told)
    var made: Pager<String, String>?
    screen = core.show {
      Probe { screen in
        let pager = Pager<String, String>(for: "a", screen.effects) { request in
          asked.append("\(request.query)\(request.page) from \(request.offset)")
          try await gate.pass()
          let numbers = (0..<7).dropFirst(request.offset)
          let items = numbers.prefix(3).map { "\(request.query)\($0)" }
          return Offstage.Page(items, hasMore: numbers.count > 3)
        }
        pager.arrivals.observe { told.append(($0.isFirst ? "=" : "+") + $0.items.joined()) }
        pager.failures.observe { told.append("\($0)") }
        screen.output.text.bind(pager.isLoading.map { $0 ? "loading" : "" })
        made = pager
      }
    }
    pager = made!
  }

  @Test func pagesAreAppendedUntilTheEnd() async {
    #expect(pager.items.isEmpty && pager.hasMore && screen.output.text.value == "")
    for _ in 1...5 { await load { pager.loadNext() } }
    #expect(asked.values == ["a0 from 0", "a1 from 3", "a2 from 6"])
    #expect(told.values == ["=a0a1a2", "+a3a4a5", "+a6"])
    #expect(pager.items == (0..<7).map { "a\($0)" })
    #expect(!pager.hasMore)
  }

  @Test func aPageWhileOneRunsIsDropped() async {
    pager.loadNext()
    pager.loadNext()
    pager.loadFirst()
    #expect(screen.output.text.value == "loading")
    await load { pager.loadNext() }
    #expect(asked.values == ["a0 from 0"])
    #expect(screen.output.text.value == "")
    await load { pager.loadNext() }
    #expect(asked.values.count == 2, "the guard is released")
  }

  @Test func aFailureReleasesTheGuardAndKeepsWhatIsThere() async {
    await load { pager.loadNext() }
    await load(failing: true) { pager.loadNext() }
    #expect(pager.items.count == 3 && pager.hasMore && screen.output.text.value == "")
    await load { pager.loadNext() }
    #expect(asked.values == ["a0 from 0", "a1 from 3", "a1 from 3"])
    #expect(told.values == ["=a0a1a2", "Broken()", "+a3a4a5"])
  }

  @Test func retryRepeatsWhatFailedAndNothingElse() async {
    await load { pager.retry() }
    #expect(asked.values == [])
    await load(failing: true) { pager.loadFirst() }
    await load(failing: true) { pager.retry() }
    await load { pager.retry() }
    await load { pager.retry() }
    #expect(asked.values == ["a0 from 0", "a0 from 0", "a0 from 0"])
    await load(failing: true) { pager.loadNext() }
    await load { pager.retry() }
    #expect(asked.values.suffix(2) == ["a1 from 3", "a1 from 3"])
    #expect(pager.items.count == 6)
  }

  @Test func startingOverKeepsTheOldItemsUntilTheNewOnesAreThere() async {
    await load { pager.loadNext() }
    await load { pager.loadNext() }
    pager.startOver(with: "b")
    await pass()
    #expect(pager.items.count == 6 && pager.query == "b")
    await load {}
    #expect(pager.items == ["b0", "b1", "b2"])
    await load { pager.loadNext() }
    #expect(asked.values.suffix(2) == ["b0 from 0", "b1 from 3"])
    #expect(told.values.suffix(2) == ["=b0b1b2", "+b3b4b5"])
  }

  @Test func startingOverCancelsWhatIsOnItsWayAndIgnoresItWhenItComes() async {
    await load { pager.loadNext() }
    pager.loadNext()
    await pass()
    pager.startOver(with: "b")
    await load { pager.loadNext() }
    #expect(asked.values == ["a0 from 0", "a1 from 3", "b0 from 0"])
    #expect(told.values == ["=a0a1a2", "=b0b1b2"])
    #expect(screen.output.text.value == "")
  }

  @Test func theNextPageOfAQueryThatBroughtNothingIsItsFirst() async {
    await load { pager.loadNext() }
    await load(failing: true) { pager.startOver(with: "b") }
    await load { pager.loadNext() }
    #expect(asked.values == ["a0 from 0", "b0 from 0", "b0 from 0"])
    #expect(pager.items == ["b0", "b1", "b2"])
  }

  @Test func theNextPageAfterARefreshThatFailedGoesOn() async {
    await load { pager.loadNext() }
    await load(failing: true) { pager.startOver() }
    await load { pager.loadNext() }
    #expect(asked.values == ["a0 from 0", "a0 from 0", "a1 from 3"])
    #expect(pager.items.count == 6)
  }

  @Test func startingOverForgetsWhatFailedBefore() async {
    await load(failing: true) { pager.loadNext() }
    await load { pager.startOver(with: "b") }
    await load { pager.retry() }
    #expect(asked.values == ["a0 from 0", "b0 from 0"])
  }

  @Test func anEndThatIsReachedIsForgottenByStartingOver() async {
    for _ in 1...3 { await load { pager.loadNext() } }
    #expect(!pager.hasMore)
    await load { pager.startOver() }
    #expect(pager.hasMore && pager.items.count == 3)
  }

  @Test func itEndsWithItsScreen() async {
    pager.loadNext()
    await pass()
    core.closeAll()
    await load { pager.loadNext() }
    #expect(told.values.isEmpty && pager.items.isEmpty)
    #expect(core.liveCounts == (0, 0, 0))
  }

  /// Lets everything run that is due; a page that waits keeps the core from settling.
  private func pass() async {
    for _ in 0..<10 { await Task.yield() }
  }

  /// Does something and lets through what it asks for.
  private func load(failing: Bool = false, _ action: () -> Void) async {
    action()
    await pass()
    gate.open(throwing: failing ? Broken() : nil)
    await pass()
  }
}
