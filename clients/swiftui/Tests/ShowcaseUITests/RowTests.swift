import OffstageClient
import Testing

@testable import ShowcaseUI

/// Draws rows, and does things with them.
@MainActor
@Suite struct RowTests {
  /// A list of one row, with these inputs on it.
  private func list(
    _ inputs: Value, _ members: Value = ["id": ["type": "integer"]], row: Value = ["id": 1],
    output: Value = [:]
  ) async throws -> (fake: FakeCore, core: RemoteCore, list: RowList) {
    let rows: Value = ["type": "array", "items": ["type": "object", "properties": members]]
    let outputs = (output.members ?? []).map { ($0.name, ["type": "boolean"] as Value) }
    let fake = FakeCore(
      ["inputs": inputs, "outputs": Value(members: outputs + [("items", rows)]), "events": [:]],
      output: Value(
        members: (output.members ?? []).map { ($0.name, $0.value) } + [("items", [row])]))
    let (core, screen) = try await fake.start()
    let plan = ScreenPlan(of: screen, try #require(core.description))
    let lists = plan.items.compactMap { if case .list(let list) = $0 { list } else { nil } }
    return (fake, core, try #require(lists.first))
  }

  private func input(_ title: String, _ more: (String, Value)...) -> Value {
    let rows: Value = [["list": "items", "member": "id"]]
    return Value(
      members: [
        ("type", "integer"), ("x-role", "row"), ("title", Value(title)), ("x-rows", rows),
      ] + more)
  }

  // MARK: Inputs

  @Test func tapNeitherDestroysNorSwitches() async throws {
    let (fake, core, list) = try await list([
      "remove": input("Remove", ("x-weight", "destructive")),
      "star": input("Star", ("x-shows", "items/*/isStarred")), "open": input("Open"),
      "copy": input("Copy"),
    ])
    let row = list.rows[0]
    #expect(list.isTappable(row))
    list.tap(row)
    try await core.settle()
    #expect(fake.sent.map(\.name) == ["open"] && fake.sent.first?.value == 1)
    let menu = list.menu(of: row)
    #expect(menu.map(\.input.title) == ["Star", "Copy", "Remove"])
    #expect(menu.map(\.isOn) == [false, nil, nil])
    #expect(menu.map(\.isDestructive) == [false, false, true])
    await core.close()
  }

  @Test func aRowShowsTheListsWithinIt() async throws {
    let card: Value = [
      "type": "object",
      "properties": [
        "id": ["type": "string", "x-role": "hidden"], "name": ["type": "string"],
      ],
    ]
    let (fake, core, list) = try await list(
      [
        "open": [
          "type": "object", "x-role": "row", "title": "Open",
          "x-rows": [
            [
              "list": "items/*/cards",
              "members": ["item": "items/*/id", "card": "items/*/cards/*/id"],
            ]
          ],
        ]
      ], ["id": ["type": "integer"], "cards": ["type": "array", "items": card]],
      row: ["id": 1, "cards": [["id": "a", "name": "Sky"], ["id": "b", "name": "Sea"]]])
    #expect(!list.isTappable(list.rows[0]))
    let cards = try #require(list.lists(in: list.rows[0]).first)
    #expect(cards.rows.map(\.title) == ["Sky", "Sea"])
    cards.tap(cards.rows[1])
    try await core.settle()
    #expect(fake.sent.map(\.value) == [["item": 1, "card": "b"]])
    await core.close()
  }

  @Test func listWithOnlyADeletionDoesNothingOnATap() async throws {
    let (fake, core, list) = try await list([
      "remove": input("Remove", ("x-weight", "destructive"))
    ])
    #expect(!list.isTappable(list.rows[0]))
    list.tap(list.rows[0])
    try await core.settle()
    #expect(fake.sent.isEmpty && list.menu(of: list.rows[0]).map(\.id) == ["remove"])
    await core.close()
  }

  @Test func inputOfARowIsHiddenOrDisabledByAnOutput() async throws {
    let (_, core, list) = try await list(
      [
        "open": input("Open", ("x-enabledBy", "canOpen")),
        "copy": input("Copy", ("x-enabledBy", "canOpen")),
        "hide": input("Hide", ("x-visibleBy", "canHide")),
      ], output: ["canOpen": false, "canHide": false])
    #expect(!list.isTappable(list.rows[0]))
    #expect(list.menu(of: list.rows[0]).map(\.input.name) == ["copy"])
    #expect(list.menu(of: list.rows[0]).map(\.isEnabled) == [false])
    await core.close()
  }

  @Test func disabledRowTakesNoTap() async throws {
    let (fake, core, list) = try await list(
      ["open": input("Open")],
      ["off": ["type": "boolean", "x-role": "state", "x-state": "disabled"]],
      row: ["id": 1, "off": true])
    #expect(!list.isTappable(list.rows[0]))
    list.tap(list.rows[0])
    try await core.settle()
    #expect(fake.sent.isEmpty)
    await core.close()
  }

  // MARK: Pieces

  @Test func rowHasAPieceForEachRole() async throws {
    let image: Value = [
      "type": "string", "contentMediaType": "image/*", "x-picture": "avatar", "x-role": "picture",
    ]
    func text(_ role: Value) -> Value { ["type": "string", "x-role": role] }
    func state(_ state: Value) -> Value {
      ["type": "boolean", "x-role": "state", "x-state": state, "title": state]
    }
    let (_, core, list) = try await list(
      [:],
      [
        "a": text("accessory"), "b": text("badge"), "c": image, "d": text("alt"),
        "e": ["type": "string"], "f": text("title"), "g": text("subtitle"),
        "h": ["type": "number", "x-role": "progress"], "u": state("unread"),
        "v": state("favorite"), "w": state("done"), "x": state("asleep"), "y": text("hidden"),
      ],
      row: [
        "id": 1, "a": "now", "b": "3", "c": "resource:kim", "d": "Kim’s face", "e": "Seoul",
        "f": "Kim", "g": "Hello", "h": 1.5, "u": true, "v": true, "w": false, "x": true, "y": "no",
      ])
    let row = list.rows[0]
    let face = Picture(uri: "resource:kim", use: "avatar", alt: "Kim’s face")
    #expect(
      row.leading == [.mark(Row.Mark(state: "unread", title: "unread")), .picture(face)])
    #expect(row.lines == [.title("Kim"), .subtitle("Hello"), .details("Seoul"), .progress(1)])
    #expect(
      row.trailing == [
        .mark(Row.Mark(state: "favorite", title: "favorite")),
        .mark(Row.Mark(state: "asleep", title: "asleep")),
        .badge("3"), .accessory("now"),
      ])
    #expect(Row.Mark(state: "asleep", title: "asleep").symbol == nil)
    await core.close()
  }

  @Test func rowLeavesOutWhatItDoesNotHave() async throws {
    let (_, core, list) = try await list(
      [:],
      [
        "name": ["type": "string"], "count": ["type": "integer", "x-role": "badge"],
        "note": ["type": "string", "x-role": "subtitle"],
        "face": ["type": "string", "contentMediaType": "image/*"],
      ], row: ["id": 1, "name": "Kim", "count": 0, "note": nil, "face": nil])
    #expect(list.rows[0].leading == [] && list.rows[0].lines == [.title("Kim")])
    #expect(list.rows[0].trailing == [])
    await core.close()
  }
}
