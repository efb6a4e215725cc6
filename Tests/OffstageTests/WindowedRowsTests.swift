import OffstageJSON
import OffstageTesting
import Testing

@testable import Offstage

/// A list of which the document contains a window. Its rows arrive when the test opens the gate.
@Suite @CoreActor struct WindowedRowsTests {
  private let core = TestCore()
  private let table = Table(0..<1000)
  private let document: Document
  private let screen: Long

  init() async {
    document = Document(core)
    screen = core.show { [table] in Long(table) }
    await core.run()
  }

  @Test func theFirstRowsComeByThemselves() async {
    await document.check()
    #expect(window == #"{"count":null,"first":0,"rows":[],"failure":null}"#)
    await arrive()
    #expect(shown == "0..<50 of 1000")
    #expect(table.asked == ["count", "0..<50"])
  }

  @Test func scrollingByARowSendsARow() async {
    await arrive()
    await scroll(to: 1)
    #expect(
      document.patch == """
        [{"op":"replace","path":"/screens/1/output/rows/first","value":1},\
        {"op":"remove","path":"/screens/1/output/rows/rows/0"},\
        {"op":"add","path":"/screens/1/output/rows/rows/49","value":{"id":50,"text":"","pieces":[]}}]
        """)
    await scroll(to: 0)
    #expect(document.patch.contains(#"{"op":"add","path":"/screens/1/output/rows/rows/0""#))
    #expect(shown == "0..<50 of 1000")
    #expect(table.asked == ["count", "0..<50", "1..<51", "0..<50"], "counted once")
  }

  @Test func aJumpSendsAWindow() async {
    await arrive()
    await scroll(to: 900, count: 10)
    #expect(shown == "900..<910 of 1000")
    #expect(document.patch.count < 500)
  }

  /// The request, and the window that comes.
  @Test(arguments: [
    (0, 10, 0..<10), (990, 10, 990..<1000), (995, 10, 990..<1000), (1 << 53, 1, 999..<1000),
    (0, 1000, 0..<1000),
  ])
  func aWindowBeyondTheEndIsTheLastOne(first: Int, count: Int, window: Range<Int>) async {
    await arrive()
    #expect(core.scroll(screen.output.rows, to: first, count: count) == window)
    await arrive()
    #expect(shown == "\(window) of 1000")
  }

  @Test func aWindowThatIsAskedForTooEarlyIsClampedOnceTheLengthIsKnown() async {
    #expect(core.scroll(screen.output.rows, to: 2000, count: 10) == 2000..<2010)
    await arrive()
    #expect(shown == "990..<1000 of 1000")
  }

  @Test func aMoveCancelsTheQueryBefore() async {
    await arrive()
    core.scroll(screen.output.rows, to: 100, count: 10)
    await core.run()
    core.scroll(screen.output.rows, to: 200, count: 10)
    await core.run()
    #expect(table.canceled == 1)
    await arrive()
    #expect(shown == "200..<210 of 1000")
  }

  @Test func theSameWindowIsNotLoadedAgain() async {
    await arrive()
    await scroll(to: 0)
    #expect(table.asked == ["count", "0..<50"])
  }

  // MARK: Failures

  @Test func aFailureKeepsTheRowsAndTheSameWindowTriesAgain() async {
    await arrive()
    core.scroll(screen.output.rows, to: 100, count: 50)
    await arrive(throwing: Broken())
    #expect(shown == "0..<50 of 1000, failed: Broken()")
    await scroll(to: 100)
    #expect(shown == "100..<150 of 1000")
  }

  @Test func theFirstLoadMayFail() async {
    await arrive(throwing: Broken())
    #expect(screen.output.rows.window == RowWindow(count: nil, first: 0, failure: "Broken()"))
    #expect(screen.output.rows.total == nil)
    await scroll(to: 0)
    #expect(shown == "0..<50 of 1000")
    #expect(screen.output.rows.total == 1000)
  }

  @Test func aFailureIsInTheLanguageOfTheUser() async {
    await arrive(throwing: Broken())
    core.locale = UserLocale(language: "ko", timeZone: "UTC")
    await document.check()
    #expect(screen.output.rows.window?.failure == "ko: Broken()")
  }

  // MARK: Changes

  /// A change while rows 100 to 149 are shown, and what is shown then.
  @Test(arguments: [
    (RowChange.inserted(0..<3), "103..<153 of 1003", false),
    (.inserted(100..<101), "101..<151 of 1001", false),
    (.inserted(150..<160), "100..<150 of 1010", false),
    (.inserted(120..<121), "100..<150 of 1001", true),
    (.removed(0..<5), "95..<145 of 995", false),
    (.removed(150..<1000), "100..<150 of 150", false),
    (.removed(149..<150), "100..<150 of 999", true),
    (.removed(90..<110), "90..<140 of 980", true),
    (.removed(120..<1000), "70..<120 of 120", true),
    (.updated(0..<100), "100..<150 of 1000", false),
    (.updated(149..<200), "100..<150 of 1000", true),
  ])
  func changes(change: RowChange, window: String, isVisible: Bool) async {
    await arrive()
    await scroll(to: 100)
    let asked = table.asked.count
    let first = screen.output.rows.values.first
    table.make(change)
    await core.run()
    #expect(table.asked.count == asked + (isVisible ? 1 : 0))
    await arrive()
    #expect(shown == window)
    if !isVisible {
      #expect(screen.output.rows.values.first == first, "the row one looks at stays put")
      #expect(document.patch.count < 200 || window == "100..<150 of 1000")
    }
  }

  @Test func atTheTopAFewNewRowsComeIntoTheWindow() async {
    await arrive()
    table.make(.inserted(0..<2))
    await arrive()
    #expect(shown == "0..<50 of 1002")
    #expect(screen.output.rows.values.first?.id == -2)
    table.make(.inserted(0..<50))
    await arrive()
    #expect(shown == "50..<100 of 1052", "so many would take all rows away")
  }

  @Test func anEmptyListFillsUp() async {
    table.rows = []
    await arrive()
    #expect(window == #"{"count":0,"first":0,"rows":[],"failure":null}"#)
    table.make(.inserted(0..<3))
    await arrive()
    #expect(shown == "0..<3 of 3")
    table.make(.removed(0..<3))
    await arrive()
    #expect(window == #"{"count":0,"first":0,"rows":[],"failure":null}"#)
  }

  /// Rows come and go without positions: the window follows the rows that it shows.
  @Test func aChangeWithoutPositionsKeepsTheRowsInTheirPlace() async {
    await arrive()
    await scroll(to: 100)
    table.rows.insert(contentsOf: (1...3).map { Long.Item(id: -$0) }, at: 0)
    table.make(.unknown)
    await arrive()
    #expect(shown == "103..<153 of 1003")
    #expect(screen.output.rows.values.first?.id == 100)
    table.rows.removeFirst(13)
    screen.output.rows.reload()
    await arrive()
    #expect(screen.output.rows.window?.first == 90)
    #expect(screen.output.rows.values.first?.id == 100)
  }

  @Test func aListThatHasBecomeShorterWithoutAWordIsCountedAgain() async {
    await arrive()
    table.rows.removeLast(900)
    await scroll(to: 500)
    #expect(shown == "50..<100 of 100")
  }

  /// A provider may send positions that are impossible.
  @Test(arguments: [RowChange.inserted(2000..<2001), .removed(990..<1010), .removed(-1..<1)])
  func impossibleChangesCountAsUnknown(change: RowChange) async {
    await arrive()
    table.changed.send(change)
    await arrive()
    #expect(table.asked == ["count", "0..<50", "count", "0..<50"])
    #expect(shown == "0..<50 of 1000")
  }

  @Test func aChangeDuringAQueryAsksAgain() async {
    await arrive()
    core.scroll(screen.output.rows, to: 100, count: 50)
    await core.run()
    table.make(.inserted(0..<10))
    await arrive()
    #expect(shown == "110..<160 of 1010")
    #expect(screen.output.rows.values.first?.id == 100)
    #expect(table.asked.suffix(2) == ["100..<150", "110..<160"])
  }

  /// A list that changes faster than it can be read is shown nevertheless.
  @Test func endlessChangesAreShown() async {
    await arrive()
    table.changesWhileReading = true
    core.scroll(screen.output.rows, to: 100, count: 50)
    await arrive()
    #expect(table.asked.suffix(3).allSatisfy { $0 == "100..<150" })
    #expect(shown == "100..<150 of 1000")
  }

  // MARK: In place

  @Test func aRowGrowsInPlace() async {
    await arrive()
    let rows = screen.output.rows
    table.rows[3].pieces = ["a", "b"]
    rows.append("a", to: \.pieces, of: 3)
    rows.append("b", to: \.pieces, of: 3)
    rows.update(3) { $0.text = "new" }
    table.rows[3].text = "new"
    rows.append("c", to: \.pieces, of: 70)
    await document.check()
    #expect(
      document.patch == """
        [{"op":"replace","path":"/screens/1/output/rows/rows/3",\
        "value":{"id":3,"text":"new","pieces":["a","b"]}}]
        """)
    await scroll(to: 1)
    #expect(rows[3]?.pieces == ["a", "b"])
    #expect(table.asked == ["count", "0..<50", "1..<51"])
  }

  @Test func aPieceIsSentAlone() async {
    await arrive()
    screen.output.rows.append("a", to: \.pieces, of: 3)
    await document.check()
    #expect(
      document.patch == """
        [{"op":"add","path":"/screens/1/output/rows/rows/3/pieces/0","value":"a"}]
        """)
  }

  /// The query may have read the row before it grew.
  @Test func aRowThatGrowsDuringAQueryIsAskedForAgain() async {
    await arrive()
    core.scroll(screen.output.rows, to: 1, count: 50)
    await core.run()
    table.rows[3].text = "new"
    screen.output.rows.update(3) { $0.text = "new" }
    await arrive()
    #expect(table.asked == ["count", "0..<50", "1..<51", "1..<51"])
    #expect(screen.output.rows[3]?.text == "new")
  }

  // MARK: Life

  @Test func anotherProviderStartsAtTheTop() async {
    await arrive()
    await scroll(to: 100)
    let other = Table(5000..<5100)
    screen.output.rows.load(from: other)
    #expect(shown == "100..<150 of 1000")
    await arrive(of: other)
    #expect(shown == "0..<50 of 100")
    #expect(screen.output.rows.values.first?.id == 5000)
    table.make(.unknown)
    await core.run()
    #expect(table.asked.count == 3)
    #expect(other.asked.count == 2, "the other one is not heard any more")
  }

  @Test func theScreenTakesItsWorkWithIt() async {
    weak var provider: Table?
    weak var screen: Long?
    do {
      let core = TestCore()
      let table = Table(0..<10)
      provider = table
      screen = core.show { Long(table) }
      await core.run()
      core.closeAll()
      table.gate.open()
      await core.settle()
      #expect(core.liveCounts == (0, 0, 0))
    }
    #expect(provider == nil)
    #expect(screen == nil)
  }

  @Test func aRestartKeepsTheWindow() async throws {
    let app = App(
      root: .stack(Route(Long.self)),
      screens: [ScreenFactory(Long.self) { _ in Long(Table(0..<1000)) }])
    let core = TestCore(app)
    try core.start()
    let table = try #require(core.screen(Long.self)?.table)
    await core.run()
    await arrive(of: table)
    core.scroll(core.screen(Long.self)!.output.rows, to: 700, count: 20)
    let restarted = core.restarted()
    let screen = try #require(restarted.screen(Long.self))
    #expect(screen.output.rows.window == RowWindow(count: nil, first: 700, failure: nil))
    await restarted.run()
    await arrive(of: screen.table)
    #expect(screen.output.rows.window?.first == 700)
    #expect(screen.output.rows.values.map(\.id) == Array(700..<720))
  }

  @Test(arguments: [(10, -5), (-3, 20), (0, 0), (0, 1 << 53), (.max, 10)])
  func aWindowThatNoFrontEndCanAskForIsNotRestored(first: Int, count: Int) throws {
    let app = App(
      root: .stack(Route(Long.self)),
      screens: [ScreenFactory(Long.self) { _ in Long(Table(0..<1000)) }])
    let core = TestCore(app)
    try core.start()
    var state = core.core.state()
    state["screens"]!["1"]!["values"] = [
      [
        "name": "output/rows",
        "value": ["first": .number(JSONNumber(Double(first))), "count": .int(count)],
      ]
    ]
    let restarted = Core(app: app, clock: CoreClock(virtualFrom: .zero))
    try restarted.start(from: state)
    let screen = try #require(restarted.openScreens.first?.part as? Long)
    #expect(screen.output.rows.window?.first == 0)
  }

  // MARK: The description

  @Test func theDescriptionKnowsTheWindow() throws {
    let catalog = SchemaCatalog(labels: nil)
    let description = try ScreenDescription(Long.self, catalog)
    let output = try #require(description.outputs.first)
    #expect(output.keywords == ["x-window": true])
    #expect(
      try ScreenDescription(Diary.self, SchemaCatalog(labels: nil)).outputs.first?.keywords
        == ["x-window": true, "x-from": "end"])
    #expect(output.schema == Schema.reference("WindowOfLongItem"))
    #expect(
      catalog.schemas["WindowOfLongItem"]?.description == """
        {"type":"object","properties":{"count":{"type":["integer","null"],"minimum":0},\
        "first":{"type":"integer","minimum":0},\
        "rows":{"type":"array","items":{"$ref":"#/components/schemas/LongItem"}},\
        "failure":{"type":["string","null"]}},"required":["count","first","rows","failure"]}
        """)
    #expect(
      description.inputs.first?.keywords == [
        "x-role": "row", "x-rows": [["list": "rows", "member": "id"]],
      ])
  }

  // MARK: Helpers

  /// The window in the document.
  private var window: String? {
    document.value["screens"]?["1"]?["output"]?["rows"]?.description
  }

  /// The window, with positions that must be those of the rows.
  private var shown: String {
    let list = screen.output.rows
    let (window, rows) = (list.window!, list.values)
    let failure = window.failure.map { ", failed: \($0)" } ?? ""
    return "\(window.first..<window.first + rows.count) of \(window.count ?? -1)\(failure)"
  }

  /// Lets the provider answer until nothing more is asked, and compares the document.
  private func arrive(of table: Table? = nil, throwing error: (any Error)? = nil) async {
    await core.run()
    var count = 0
    while (table ?? self.table).gate.isWaitedAt {
      (table ?? self.table).gate.open(throwing: error)
      await core.run()
      count += 1
      #expect(count < 10, "it asks forever")
      if count >= 10 { return }
    }
    await document.check()
  }

  private func scroll(to first: Int, count: Int = 50) async {
    core.scroll(screen.output.rows, to: first, count: count)
    await arrive()
  }
}
