import Offstage
import OffstageTesting
import Testing

/// Lists of seven items in pages of three, which arrive when the test opens the gate.
@Suite @CoreActor struct PagerTests {
  private let core = TestCore()
  private let gate = Gate()
  private let asked = Recorder<String>()
  private let sent = Recorder<String>()
  private let pager: Pager<String, String>
  private let screen: Probe

  init() {
    let (gate, asked, sent) = (gate, asked, sent)
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
        pager.values.observe { sent.append(($0.isFirst ? "=" : "+") + $0.items.joined()) }
        pager.failures.observe { sent.append("\($0)") }
        screen.output.text.bind(pager.isLoading.map { $0 ? "loading" : "" })
        made = pager
      }
    }
    pager = made!
  }

  @Test func pagesAreAppendedUntilTheEnd() async {
    #expect(pager.items.isEmpty)
    #expect(pager.hasMore)
    #expect(screen.output.text.value == "")
    for _ in 1...5 { await load { pager.loadNext() } }
    #expect(asked.values == ["a0 from 0", "a1 from 3", "a2 from 6"])
    #expect(sent.values == ["=a0a1a2", "+a3a4a5", "+a6"])
    #expect(pager.items == (0..<7).map { "a\($0)" })
    #expect(!pager.hasMore)
  }

  @Test func requestsOnePageAtATime() async {
    pager.loadNext()
    pager.loadNext()
    pager.load()
    #expect(screen.output.text.value == "loading")
    await load { pager.loadNext() }
    #expect(asked.values == ["a0 from 0"])
    #expect(screen.output.text.value == "")
    await load { pager.loadNext() }
    #expect(asked.values.count == 2, "the guard is released")
  }

  @Test func failureKeepsTheItemsAndAllowsARetry() async {
    await load { pager.loadNext() }
    await load(failing: true) { pager.loadNext() }
    #expect(pager.items.count == 3)
    #expect(pager.hasMore)
    #expect(screen.output.text.value == "")
    await load { pager.loadNext() }
    #expect(asked.values == ["a0 from 0", "a1 from 3", "a1 from 3"])
    #expect(sent.values == ["=a0a1a2", "Broken()", "+a3a4a5"])
  }

  @Test func retryRepeatsTheFailedRequestOnly() async {
    await load { pager.retry() }
    #expect(asked.values == [])
    await load(failing: true) { pager.load() }
    await load(failing: true) { pager.retry() }
    await load { pager.retry() }
    await load { pager.retry() }
    #expect(asked.values == ["a0 from 0", "a0 from 0", "a0 from 0"])
    await load(failing: true) { pager.loadNext() }
    await load { pager.retry() }
    #expect(asked.values.suffix(2) == ["a1 from 3", "a1 from 3"])
    #expect(pager.items.count == 6)
  }

  @Test func startingOverKeepsTheOldItemsUntilTheNewOnesArrive() async {
    await load { pager.loadNext() }
    await load { pager.loadNext() }
    pager.reload(with: "b")
    await core.run()
    #expect(pager.items.count == 6)
    #expect(pager.query == "b")
    await load {}
    #expect(pager.items == ["b0", "b1", "b2"])
    await load { pager.loadNext() }
    #expect(asked.values.suffix(2) == ["b0 from 0", "b1 from 3"])
    #expect(sent.values.suffix(2) == ["=b0b1b2", "+b3b4b5"])
  }

  @Test func startingOverDiscardsThePageOnItsWay() async {
    await load { pager.loadNext() }
    pager.loadNext()
    await core.run()
    pager.reload(with: "b")
    await load { pager.loadNext() }
    #expect(asked.values == ["a0 from 0", "a1 from 3", "b0 from 0"])
    #expect(sent.values == ["=a0a1a2", "=b0b1b2"])
    #expect(screen.output.text.value == "")
  }

  @Test func nextPageOfAFailedQueryIsItsFirst() async {
    await load { pager.loadNext() }
    await load(failing: true) { pager.reload(with: "b") }
    await load { pager.loadNext() }
    #expect(asked.values == ["a0 from 0", "b0 from 0", "b0 from 0"])
    #expect(pager.items == ["b0", "b1", "b2"])
  }

  @Test func nextPageAfterAFailedRefreshContinues() async {
    await load { pager.loadNext() }
    await load(failing: true) { pager.reload() }
    await load { pager.loadNext() }
    #expect(asked.values == ["a0 from 0", "a0 from 0", "a1 from 3"])
    #expect(pager.items.count == 6)
  }

  @Test func startingOverClearsTheFailedRequest() async {
    await load(failing: true) { pager.loadNext() }
    await load { pager.reload(with: "b") }
    await load { pager.retry() }
    #expect(asked.values == ["a0 from 0", "b0 from 0"])
  }

  @Test func startingOverResetsTheEnd() async {
    for _ in 1...3 { await load { pager.loadNext() } }
    #expect(!pager.hasMore)
    await load { pager.reload() }
    #expect(pager.hasMore)
    #expect(pager.items.count == 3)
  }

  @Test func clearingForgetsTheFailure() async {
    let failures = Recorder<Bool>()
    pager.failure.observe { failures.append($0 != nil) }
    pager.clear()
    await load(failing: true) { pager.loadNext() }
    pager.clear()
    await load { pager.retry() }
    #expect(failures.values == [false, true, false])
    #expect(asked.values == ["a0 from 0"])
  }

  @Test func clearedListStartsFromItsFirstPage() async {
    for _ in 1...3 { await load { pager.loadNext() } }
    pager.clear()
    #expect(pager.items.isEmpty && pager.hasMore && !pager.isLoaded)
    await load { pager.loadNext() }
    #expect(asked.values.last == "a0 from 0")
    #expect(pager.items.count == 3)
  }

  @Test func clearedListIsNotStaleAndAsksTheCacheAgain() async {
    var made: Pager<Empty, Int>?
    let (gate, arrived, stale) = (gate, Recorder<[Int]>(), Recorder<Duration?>())
    _ = core.show {
      Probe { screen in
        let pager = Pager<Empty, Int>(
          screen.effects,
          cached: { _ in
            (Offstage.Page([7], hasMore: false), loadedAt: .seconds(9))
          },
          current: { _ in
            try await gate.pass()
            return Offstage.Page([8], hasMore: false)
          })
        pager.values.observe { arrived.append($0.items) }
        pager.staleSince.observe { stale.append($0) }
        made = pager
      }
    }
    let pager = made!
    await load { pager.load() }
    pager.clear()
    await load(failing: true) { pager.load() }
    pager.clear()
    #expect(arrived.values == [[7], [8], [7]])
    #expect(stale.values == [nil, .seconds(9), nil, .seconds(9), nil])
  }

  @Test func endOfACachedPageIsReportedOnlyOnce() async {
    var made: Pager<Empty, Int>?
    let (gate, arrived) = (gate, Recorder<[Int]>())
    _ = core.show {
      Probe { screen in
        let pager = Pager<Empty, Int>(
          screen.effects,
          cached: { request in
            request.page == 0
              ? (Offstage.Page([0], hasMore: true), loadedAt: .seconds(9)) : nil
          },
          current: { request in
            if request.page == 0 { try await gate.pass() }
            return Offstage.Page([request.page], hasMore: request.page < 2)
          })
        pager.values.observe { arrived.append($0.items) }
        made = pager
      }
    }
    let pager = made!
    pager.load()
    await core.run()
    pager.loadNext()
    gate.open()
    await core.settle()
    #expect(arrived.values == [[0], [0], [1]])
  }

  @Test func pagesWithoutNewItemsAreFollowedByTheNext() async {
    var made: Pager<Empty, Int>?
    let arrived = Recorder<[Int]>()
    _ = core.show {
      Probe { screen in
        let pager = Pager<Empty, Int>(screen.effects) { request in
          Offstage.Page(request.page.isMultiple(of: 3) ? [request.page] : [], hasMore: true)
        }
        pager.values.observe { arrived.append($0.items) }
        made = pager
      }
    }
    let pager = made!
    for _ in 1...3 {
      pager.loadNext()
      await core.settle()
    }
    #expect(arrived.values == [[0], [], [], [3], [], [], [6]])
  }

  @Test func longerPageIsCut() async {
    var made: Pager<Empty, Int>?
    let asked = Recorder<Int>()
    _ = core.show {
      Probe { screen in
        made = Pager(screen.effects, limit: 20) { request in
          asked.append(request.limit)
          return Offstage.Page(Array(request.offset..<10_000), hasMore: true)
        }
      }
    }
    let pager = made!
    for count in [20, 40] {
      pager.loadNext()
      await core.settle()
      #expect(pager.items == Array(0..<count))
    }
    #expect(asked.values == [20, 20])
  }

  /// A repository that never returns an item must not be asked forever.
  @Test func onlyTenPagesWithoutItemsAreLoadedAtOnce() async {
    var made: Pager<Empty, Int>?
    let asked = Recorder<Int>()
    _ = core.show {
      Probe { screen in
        made = Pager(screen.effects) { request in
          asked.append(request.page)
          return Offstage.Page([], hasMore: true)
        }
      }
    }
    let pager = made!
    pager.loadNext()
    await core.settle()
    #expect(asked.values == Array(0..<10))
    pager.loadNext()
    await core.settle()
    #expect(asked.values == Array(0..<20))
  }

  @Test func endsWithItsScreen() async {
    pager.loadNext()
    await core.run()
    core.closeAll()
    await load { pager.loadNext() }
    #expect(sent.values.isEmpty)
    #expect(pager.items.isEmpty)
    #expect(core.liveCounts == (0, 0, 0))
  }

  /// Runs `action` and lets the page that it requests arrive.
  private func load(failing: Bool = false, _ action: () -> Void) async {
    action()
    await core.run()
    gate.open(throwing: failing ? Broken() : nil)
    await core.run()
  }
}
