import OffstageJSON
import OffstageTesting
import TestSupport
import Testing

@testable import Offstage

@Suite @CoreActor struct RowsTests {
  typealias Item = Probe.Item

  @Test func editsOutsideOfTheListAreClamped() {
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

  @Test func removingAllFromAnEmptyListChangesNothing() async throws {
    let core = TestCore()
    let turns = Recorder<Int>()
    let screen = core.show { Probe() }
    core.watch { turns.append($0.ports.count) }
    await core.turn()
    for node in core.core.screens.values { node.isPublished = true }
    screen.output.items.removeAll()
    await core.turn()
    #expect(turns.values.allSatisfy { $0 == 0 })
  }

  @Test func insertReplacesAnExistingRowInPlace() {
    let rows = rows("abc")
    rows.insert(Item(id: "b", text: "new"), at: 0)
    rows.append(Item(id: "c", text: "newer"))
    #expect(rows.values.map(\.id) == ["a", "b", "c"])
    #expect(rows.values.map(\.text) == ["", "new", "newer"])
  }

  @Test func rowsAreFoundByIDAndPosition() {
    let rows = rows("abc")
    #expect(rows.count == 3)
    #expect(!rows.isEmpty)
    #expect(rows["b"] == Item(id: "b"))
    #expect(rows["x"] == nil)
    #expect(rows.position(of: "c") == 2)
    #expect(rows.position(of: "x") == nil)
    #expect(rows.row(at: 1).id == "b")
    #expect(rows.remove("b") == Item(id: "b"))
    #expect(rows.remove("b") == nil)
  }

  @Test func updatesOneRow() {
    let rows = rows("abc")
    rows.update("b") { $0.text = "new" }
    rows.update("x") { _ in Issue.record("there is no such row") }
    #expect(rows.values.map(\.text) == ["", "new", ""])
  }

  @Test func resetTakesTheFirstOfDuplicates() {
    let rows = rows("ab")
    rows.reset(to: [Item(id: "b", text: "1"), Item(id: "b", text: "2")])
    #expect(rows.values == [Item(id: "b", text: "1")])
  }

  private func check(
    _ expected: String, _ edit: (Rows<Item>) -> Void, _ location: SourceLocation = #_sourceLocation
  ) {
    let rows = rows("abc")
    edit(rows)
    #expect(rows.values.map(\.id).joined() == expected, sourceLocation: location)
    #expect(
      rows.values.map { rows.position(of: $0.id) } == Array(0..<rows.count),
      sourceLocation: location)
  }

  private func rows(_ ids: String) -> Rows<Item> {
    let rows = Rows<Item>()
    rows.append(contentsOf: ids.map { Item(id: String($0)) })
    return rows
  }
}

/// The patches of a list reproduce it, and their size depends on the size of the change.
@Suite @CoreActor struct RowJournalTests {
  typealias Item = Probe.Item

  /// Random edits over many frames, of short and long lists.
  @Test(arguments: [(0, 60, 1), (5, 60, 2), (30, 60, 3), (500, 12, 4)] as [(Int, Int, UInt64)])
  func framesReproduceTheList(size: Int, frames: Int, seed: UInt64) async throws {
    let core = TestCore()
    let document = Document(core)
    let rows = core.show { Probe() }.output.items
    rows.append(contentsOf: (0..<size).map { Item(id: "r\($0)") })
    await document.check()
    var random = SplitMix64(seed: seed)
    for frame in 0..<frames {
      var edits: [String] = []
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        edits.append(edit(rows, frame, &random))
      }
      await document.check("frame \(frame): \(edits.joined(separator: ", "))")
    }
  }

  @Test(arguments: [
    "update remove insert", "insert update", "insert remove insert update", "insert remove",
    "update move update", "remove insert move update", "insert move remove", "update remove",
    "move remove insert update remove",
  ])
  func editsOfOneRowInOneFrame(edits: String) async throws {
    for id in ["r3", "new"] {
      let core = TestCore()
      let document = Document(core)
      let rows = core.show { Probe() }.output.items
      rows.append(contentsOf: (0..<40).map { Item(id: "r\($0)", count: 1) })
      await document.check()
      for edit in edits.split(separator: " ") {
        switch edit {
        case "insert":
          rows.insert(Item(id: id, count: edits.hasPrefix("insert") ? 2 : nil), at: 7)
        case "remove": rows.remove(id)
        case "move": rows.move(id, to: 30)
        default: rows.update(id) { $0.count = nil }
        }
      }
      await document.check("\(id): \(edits) wrote \(document.patch)")
    }
  }

  @Test func singleEditOfALongListIsShort() async throws {
    let core = TestCore()
    let document = Document(core)
    let rows = core.show { Probe() }.output.items
    rows.append(contentsOf: (0..<10_000).map { Item(id: "row \($0)", text: "text \($0)") })
    await document.check()
    try await check(document) { rows.update("row 5000") { $0.text = "new" } }
    try await check(document) { rows.move("row 9999", to: 0) }
    try await check(document) { rows.remove("row 17") }
    try await check(document) { rows.insert(Item(id: "new"), at: 7_777) }
    try await check(document) {
      rows.reset(to: rows.values.filter { $0.id != "row 6000" })
    }
    try await check(document) {
      rows.reset(to: rows.values.dropFirst() + [Item(id: "at the end")])
    }
  }

  @Test func writesTheWholeListIfShorter() async throws {
    let core = TestCore()
    let document = Document(core)
    let rows = core.show { Probe() }.output.items
    rows.append(contentsOf: "ab".map { Item(id: String($0)) })
    await document.check()
    for number in 1...20 { rows.move(number.isMultiple(of: 2) ? "b" : "a", to: 1) }
    rows.update("a") { $0.text = "moved about" }
    await document.check()
    #expect(document.patch.hasPrefix(#"[{"op":"replace","path":"/screens/1/output/items","#))
  }

  @Test func rowThatMovesAgainIsMovedOnce() async throws {
    let core = TestCore()
    let document = Document(core)
    let rows = core.show { Probe() }.output.items
    rows.append(contentsOf: "abc".map { Item(id: String($0)) })
    await document.check()
    for position in [2, 1] { rows.move("a", to: position) }
    await document.check()
    let list = "/screens/1/output/items"
    #expect(document.patch == #"[{"op":"move","from":"\#(list)/0","path":"\#(list)/1"}]"#)
    for position in [2, 1] { rows.move("a", to: position) }
    await document.check()
    #expect(rows.values.map(\.id) == ["b", "a", "c"])
  }

  @Test func journalIsBounded() async throws {
    let core = TestCore()
    let document = Document(core)
    let rows = core.show { Probe() }.output.items
    rows.append(contentsOf: (0..<10).map { Item(id: "\($0)") })
    await document.check()
    for step in 0..<100_000 { rows.move("\(step % 10)", to: step % 7) }
    #expect(editCount(rows) <= 2 * 10 + 64)
    await document.check()
    #expect(document.patch.utf8.count < 1_000)
  }

  @Test func removingAllIsOneReplacement() async throws {
    let core = TestCore()
    let document = Document(core)
    let rows = core.show { Probe() }.output.items
    rows.append(contentsOf: "abc".map { Item(id: String($0)) })
    await document.check()
    rows.removeAll()
    rows.append(Item(id: "d"))
    await document.check()
    #expect(
      document.patch
        == #"[{"op":"replace","path":"/screens/1/output/items","#
        + #""value":[{"id":"d","text":"","count":null}]}]"#
    )
  }

  @Test(arguments: [("", "a"), ("", "ab"), ("ab", "cd"), ("abc", "de"), ("ab", ""), ("a", "")])
  func rowsThatAreAllNewAreOneOperation(before: String, after: String) async throws {
    let edits: [(Rows<Item>, [Item]) -> Void] = [
      { $0.reset(to: $1) },
      { rows, new in
        rows.removeAll()
        rows.append(contentsOf: new)
      },
      { rows, new in
        for row in rows.values { rows.remove(row.id) }
        rows.append(contentsOf: new)
      },
    ]
    for edit in edits {
      let core = TestCore()
      let document = Document(core)
      let rows = core.show { Probe() }.output.items
      rows.reset(to: before.map { Item(id: String($0)) })
      await document.check()
      edit(rows, after.map { Item(id: String($0)) })
      await document.check()
      #expect(try JSON(parsing: document.patch).array?.count == 1)
      #expect(rows.values.map(\.id) == after.map { String($0) })
      #expect(rows.values.map { rows.position(of: $0.id) } == Array(0..<rows.count))
    }
  }

  @Test func listThatIsFilledIsNotRecorded() async throws {
    let core = TestCore()
    let document = Document(core)
    let rows = core.show { Probe() }.output.items
    await document.check()
    rows.append(contentsOf: (0..<1_000).map { Item(id: "\($0)") })
    #expect(editCount(rows) == 0)
    await document.check()
    rows.append(Item(id: "one more"))
    #expect(editCount(rows) == 1)
    await document.check()
  }

  private func edit(_ rows: Rows<Item>, _ frame: Int, _ random: inout SplitMix64) -> String {
    let id = "r\(Int.random(in: 0..<(rows.count + 10), using: &random))"
    let position = Int.random(in: 0...rows.count, using: &random)
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<6:
      rows.insert(Item(id: id, text: "\(frame)"), at: position)
      return "insert \(id) at \(position)"
    case 6..<11:
      rows.move(id, to: position)
      return "move \(id) to \(position)"
    case 11..<15:
      rows.remove(id)
      return "remove \(id)"
    case 15..<19:
      rows.update(id) { $0.count = Bool.random(using: &random) ? frame : nil }
      return "update \(id)"
    default:
      let kept = rows.values.filter { _ in Int.random(in: 0..<10, using: &random) > 0 }
      let cut = kept.prefix(position)
      rows.reset(to: Array(kept.dropFirst(position)) + cut + [Item(id: id, text: "reset")])
      return "reset"
    }
  }

  private func check(
    _ document: Document, _ edit: () -> Void, _ location: SourceLocation = #_sourceLocation
  ) async throws {
    edit()
    await Task.yield()
    #expect(
      document.patch.utf8.count < 300, "\(document.patch.prefix(1_000))", sourceLocation: location)
    await document.check(nil, location)
  }

  private func editCount(_ rows: Rows<Item>) -> Int {
    let edits = Mirror(reflecting: rows).descendant("list", "edits", "order")!
    return Mirror(reflecting: edits).children.count
  }
}
