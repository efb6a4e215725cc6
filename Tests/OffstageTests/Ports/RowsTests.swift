import OffstageTesting
import Testing

@testable import Offstage

/// The list as its author sees it.
@Suite @CoreActor struct RowsTests {
  typealias Item = Probe.Item

  @Test func edits() {
    check("abc") { _ in }
    check("abcd") { $0.append(Item(id: "d")) }
    check("dabc") { $0.insert(Item(id: "d"), at: -5) }
    check("abcd") { $0.insert(Item(id: "d"), at: 99) }
    check("abdc") { $0.insert(Item(id: "d"), at: 2) }
    check("ac") { $0.remove("b") }
    check("abc") { $0.remove("x") }
    check("bca") { $0.move("a", to: 2) }
    check("cab") { $0.move("c", to: -1) }
    check("bca") { $0.move("a", to: 99) }
    check("abc") { $0.move("x", to: 0) }
    check("") { $0.removeAll() }
    check("abcxy") { $0.append(contentsOf: [Item(id: "x"), Item(id: "y"), Item(id: "x")]) }
    check("cxa") { $0.reset(to: [Item(id: "c"), Item(id: "x"), Item(id: "a"), Item(id: "c")]) }
    check("") { $0.reset(to: []) }
  }

  @Test func emptyingWhatIsEmptySaysNothing() async throws {
    let core = TestCore()
    let turns = Heard<Int>()
    let screen = core.show { Probe() }
    core.watch { turns.append($0.outputs.count) }
    await core.turn()
    for node in core.core.screens.values { node.isPublished = true }
    screen.output.items.removeAll()
    await core.turn()
    #expect(turns.values.allSatisfy { $0 == 0 })
  }

  @Test func aRowThatIsThereIsReplacedWhereItStands() {
    let rows = rows("abc")
    rows.insert(Item(id: "b", text: "new"), at: 0)
    rows.append(Item(id: "c", text: "newer"))
    #expect(rows.values.map(\.id) == ["a", "b", "c"])
    #expect(rows.values.map(\.text) == ["", "new", "newer"])
  }

  @Test func findsRows() {
    let rows = rows("abc")
    #expect(rows.count == 3 && !rows.isEmpty)
    #expect(rows["b"] == Item(id: "b") && rows["x"] == nil)
    #expect(rows.position(of: "c") == 2 && rows.position(of: "x") == nil)
    #expect(rows.row(at: 1).id == "b")
    #expect(rows.remove("b") == Item(id: "b") && rows.remove("b") == nil)
  }

  @Test func updatesOneRow() {
    let rows = rows("abc")
    rows.update("b") { $0.text = "new" }
    rows.update("x") { _ in Issue.record("there is no such row") }
    #expect(rows.values.map(\.text) == ["", "new", ""])
  }

  @Test func aResetTakesTheFirstOfRowsWithTheSameID() {
    let rows = rows("ab")
    rows.reset(to: [Item(id: "b", text: "1"), Item(id: "b", text: "2")])
    #expect(rows.values == [Item(id: "b", text: "1")])
  }

  private func check(_ expected: String, _ edit: (Rows<Item>) -> Void) {
    let rows = rows("abc")
    edit(rows)
    #expect(rows.values.map(\.id).joined() == expected)
    #expect(rows.values.map { rows.position(of: $0.id) } == Array(0..<rows.count))
  }

  private func rows(_ ids: String) -> Rows<Item> {
    let rows = Rows<Item>()
    rows.append(contentsOf: ids.map { Item(id: String($0)) })
    return rows
  }
}
