import OffstageTesting
import Testing

@testable import Offstage

/// A list of which the document contains a window, and that is read from its end.
@Suite @CoreActor struct WindowFromEndTests {
  private let core = TestCore()

  /// A list that is read from its end, and its window there.
  @Test func aListFromTheEndOpensThereAndFollowsIt() async {
    let log = await show()
    #expect(shown(log) == "950..<1000 of 1000")
    #expect(log.table.asked == ["count", "950..<1000"])
    // The second row comes while the first one is loaded.
    log.table.make(.inserted(1000..<1001))
    await core.run()
    log.table.make(.inserted(1001..<1002))
    await arrive(log.table)
    #expect(shown(log) == "950..<1002 of 1002", "rows above stay, since one may look at them")
    #expect(log.table.asked.dropFirst(2) == ["1000..<1001", "1000..<1002"], "no others")
    log.table.make(.inserted(1002..<3000))
    await arrive(log.table)
    #expect(shown(log) == "2000..<3000 of 3000", "a window has 1000 rows at most")
  }

  @Test func afterAFailureTheWholeWindowIsLoaded() async {
    let log = await show()
    log.table.make(.inserted(1000..<1001))
    await arrive(log.table, throwing: Missing())
    #expect(log.output.rows.window?.failure != nil)
    log.table.make(.inserted(1001..<1002))
    await arrive(log.table)
    #expect(shown(log) == "950..<1002 of 1002")
    #expect(log.table.asked.last == "950..<1002")
    #expect(log.output.rows.window?.failure == nil)
  }

  /// They may be those of a user who has signed out.
  @Test(arguments: [false, true]) func removedRowsLeaveBeforeOthersArrive(isUncounted: Bool) async {
    let log = await show()
    if isUncounted { log.table.make(.unknown) }
    log.table.make(.removed(990..<995))
    #expect(log.output.rows.count == 45)
    #expect(log.output.rows.window?.count == 995)
    log.table.make(.removed(0..<995))
    #expect(log.output.rows.isEmpty)
    #expect(log.output.rows.window?.count == 0)
    await arrive(log.table)
    await arrive(log.table)
    #expect(shown(log) == "0..<0 of 0")
  }

  @Test func awayFromTheEndANewRowChangesTheCountAlone() async {
    let log = await show()
    core.scroll(log.output.rows, to: 900, count: 50)
    await arrive(log.table)
    let asked = log.table.asked.count
    log.table.make(.inserted(1000..<1001))
    await arrive(log.table)
    #expect(shown(log) == "900..<950 of 1001")
    #expect(log.table.asked.count == asked)
    // Back to the end.
    core.scroll(log.output.rows, to: 1 << 53, count: 50)
    await arrive(log.table)
    log.table.make(.inserted(1001..<1002))
    await arrive(log.table)
    #expect(shown(log) == "951..<1002 of 1002")
  }

  /// Changes while the last rows are shown, and what is shown then.
  @Test(arguments: [
    (RowChange.removed(999..<1000), "949..<999 of 999"), (.removed(0..<10), "940..<990 of 990"),
    (.removed(0..<1000), "0..<0 of 0"), (.inserted(0..<5), "955..<1005 of 1005"),
    (.inserted(1000..<1005), "950..<1005 of 1005"), (.unknown, "950..<1000 of 1000"),
  ])
  func changesAtTheEnd(change: RowChange, window: String) async {
    let log = await show()
    log.table.make(change)
    await arrive(log.table)
    #expect(shown(log) == window)
  }

  @Test func rowsThatComeWithoutAWordAreFollowed() async {
    let log = await show()
    log.table.rows.append(Long.Item(id: 5000))
    log.table.make(.unknown)
    await arrive(log.table)
    #expect(shown(log) == "950..<1001 of 1001")
  }

  @Test func anEmptyListFromTheEndFillsUp() async {
    let log = await show(0..<0)
    #expect(shown(log) == "0..<0 of 0")
    log.table.make(.inserted(0..<3))
    await arrive(log.table)
    #expect(shown(log) == "0..<3 of 3")
    log.table.make(.inserted(3..<100))
    await arrive(log.table)
    #expect(shown(log) == "0..<100 of 100")
  }

  @Test(arguments: [(nil, 980..<1000), (700, 700..<720)] as [(Int?, Range<Int>)])
  func aRestartKeepsTheWindowOfAListFromTheEnd(first: Int?, window: Range<Int>) async throws {
    let app = App(
      root: .stack(Route(Diary.self)),
      screens: [ScreenFactory(Diary.self) { _ in Diary(Table(0..<1000)) }])
    let core = TestCore(app)
    try core.start()
    let table = try #require(core.screen(Diary.self)?.table)
    await core.run()
    await arrive(table)
    core.scroll(core.screen(Diary.self)!.output.rows, to: first ?? 1 << 53, count: 20)
    let restarted = core.restarted()
    let screen = try #require(restarted.screen(Diary.self))
    #expect(screen.output.rows.window?.first == first ?? 0)
    await restarted.run()
    await arrive(screen.table)
    #expect(screen.output.rows.values.map(\.id) == Array(window))
  }

  // MARK: Helpers

  private func show(_ ids: Range<Int> = 0..<1000) async -> Diary {
    let log = core.show { Diary(Table(ids)) }
    await arrive(log.table)
    return log
  }

  /// The window, with positions that must be those of the rows.
  private func shown(_ log: Diary) -> String {
    let (window, rows) = (log.output.rows.window!, log.output.rows.values)
    return "\(window.first..<window.first + rows.count) of \(window.count ?? -1)"
  }

  /// Lets the provider answer until nothing more is asked.
  private func arrive(_ table: Table, throwing error: (any Error)? = nil) async {
    await core.run()
    while table.gate.isWaitedAt {
      table.gate.open(throwing: error)
      await core.run()
    }
  }
}

private struct Missing: Error {}
