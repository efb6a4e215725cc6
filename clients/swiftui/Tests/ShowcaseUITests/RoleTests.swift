import Foundation
import OffstageClient
import Testing

@testable import ShowcaseUI

/// Draws every screen of the conformance app, `Tests/Apps/Meanings`, as a person sees it.
@MainActor
@Suite struct RoleTests {
  /// A row of `table.json`.
  struct Case: Sendable, CustomTestStringConvertible {
    let role: String
    let screen: String
    let send: [(name: String, value: Value)]
    let shows: [String]
    let hides: [String]
    let order: [String]
    /// The states by the title of a row.
    let states: [(row: String, states: Set<String>)]
    /// The titles of the actions by the title of a row, and whether a switch is on.
    let actions: [(row: String, actions: [(title: String, isOn: Bool?)])]
    let switches: [(name: String, isOn: Bool)]
    let enabled: [(name: String, isOn: Bool)]
    let weights: [(name: String, weight: String)]
    let pictures: [String]
    /// The progress by the title of a row.
    let progress: [(row: String, share: Double)]

    init(_ row: Value) {
      func texts(_ name: String) -> [String] { row[name].array?.compactMap(\.string) ?? [] }
      (role, screen) = (row["role"].string ?? "", row["screen"].string ?? "")
      send = (row["send"].array ?? []).map { pair in
        (pair.array?.first?.string ?? "", pair.array?.last ?? .null)
      }
      (shows, hides, order) = (texts("shows"), texts("hides"), texts("order"))
      func members(_ value: Value) -> [(String, Value)] { value.members?.map { ($0, $1) } ?? [] }
      states = members(row["states"]).map { ($0, Set($1.array?.compactMap(\.string) ?? [])) }
      actions = members(row["actions"]).map { title, actions in
        (title, members(actions).map { ($0, $1.bool) })
      }
      switches = members(row["switches"]).map { ($0, $1.bool == true) }
      enabled = members(row["enabled"]).map { ($0, $1.bool == true) }
      weights = members(row["weights"]).map { ($0, $1.string ?? "") }
      pictures = texts("pictures")
      progress = members(row["progress"]).map { ($0, $1.double ?? 0) }
    }

    var testDescription: String { "\(role) of \(screen) after \(send.map(\.name))" }
  }

  nonisolated static let root = URL(filePath: #filePath)
    .appending(path: "../../../../..").standardizedFileURL

  /// The program of the screen `odd`.
  nonisolated static let odd = root.appending(path: "clients/python/tests/odd.py").path

  nonisolated static var cases: [Case] {
    let file = root.appending(path: "Tests/Apps/Meanings/table.json")
    guard let data = try? Data(contentsOf: file),
      let rows = try? JSONDecoder().decode([Value].self, from: data)
    else { return [] }
    return rows.map { Case($0) }
  }

  @Test(.enabled(if: Programs.meanings != nil), arguments: cases)
  func roleIsDrawn(_ row: Case) async throws {
    let path = try #require(Programs.meanings)
    let isOdd = row.screen == "odd"
    var options = Options()
    options.announces = ["*"]
    let core = RemoteCore(options: options) {
      isOdd
        ? try ProcessTransport("/usr/bin/env", ["python3", Self.odd])
        : try ProcessTransport(path, ["--deterministic"])
    }
    try await core.start()
    let news = News()
    let following = Task { await news.follow(core) }
    await Task.yield()
    if row.screen != "app", !isOdd { _ = try await core.selectTab(row.screen) }
    let screen = try #require(
      row.screen == "app" ? core.document.app : core.document.visible.first)
    for (name, value) in row.send {
      let message = news.messages.first { $0.buttons.contains { $0.port.name == name } }
      if let message, let button = message.buttons.first(where: { $0.port.name == name }) {
        news.press(button, message)
        try await core.settle()
      } else {
        try await screen.input(name, value, settle: true)
      }
    }
    var text = try Self.text(of: core, news)
    // The messages of events come some turns later.
    for _ in 0..<100 where row.shows.contains(where: { !text.contains($0) }) {
      await Task.yield()
      text = try Self.text(of: core, news)
    }
    #expect(row.shows.filter { !text.contains($0) } == [], "\(text)")
    #expect(row.hides.filter { text.contains($0) } == [], "\(text)")
    let places = row.order.compactMap { text.range(of: $0)?.lowerBound }
    #expect(places.count == row.order.count && places == places.sorted(), "\(text)")
    let plan = ScreenPlan(of: screen, try #require(core.description))
    try Self.check(plan, row)
    await core.close()
    await following.value
  }

  @Test func tableIsRead() {
    #expect(Self.cases.count > 80)
  }

  /// Compares what a person can tell beside the texts.
  private static func check(_ plan: ScreenPlan, _ row: Case) throws {
    for (title, states) in row.states {
      let found = try #require(rows(of: plan).first { $0.row.title == title })
      let marks = (found.row.leading + found.row.trailing).compactMap {
        if case .mark(let mark) = $0, mark.symbol != nil { mark.state } else { nil }
      }
      // A table has no column for states.
      #expect(found.isTable ? found.row.states == states : Set(marks) == states, "\(title)")
    }
    for (title, actions) in row.actions {
      let found = try #require(rows(of: plan).first { $0.row.title == title })
      let moves = found.list.moveTitle.map { [($0, nil as Bool?)] } ?? []
      let offered = found.list.menu(of: found.row).map { ($0.input.title, $0.isOn) } + moves
      for action in actions {
        #expect(offered.contains { $0 == action.title && $1 == action.isOn }, "\(offered)")
      }
    }
    let items = items(of: plan)
    for (name, isOn) in row.switches {
      let editors = items.compactMap { if case .editor(let editor) = $0 { editor } else { nil } }
      #expect(editors.first { $0.field.name == name && $0.port.role == .toggle }?.isOn == isOn)
    }
    let buttons = items.compactMap { if case .button(let button) = $0 { button } else { nil } }
    func button(_ name: String) -> Button? {
      buttons.first { $0.screen.path + $0.port.name == name }
    }
    for (name, weight) in row.weights { #expect(button(name)?.weight?.rawValue == weight) }
    let pictures = items.compactMap {
      if case .picture(_, let picture) = $0 { picture.alt } else { nil }
    }
    let pieces = rows(of: plan).flatMap(\.row.leading).compactMap {
      if case .picture(let picture) = $0 { picture.alt } else { nil }
    }
    #expect(Set(row.pictures).subtracting(pictures + pieces) == [])
    for (title, share) in row.progress {
      #expect(rows(of: plan).first { $0.row.title == title }?.row.lines.last == .progress(share))
    }
    for (name, isOn) in row.enabled { #expect(button(name)?.isEnabled == isOn) }
  }

  /// The items of a screen and its parts, as they are drawn.
  private static func items(of plan: ScreenPlan) -> [ScreenPlan.Item] {
    plan.items.flatMap { item -> [ScreenPlan.Item] in
      switch item {
      case .part(_, let plan): [item] + items(of: plan)
      case .list(let list): [item] + list.parts.values.flatMap { items(of: $0) }
      default: [item]
      }
    }
  }

  private static func rows(of plan: ScreenPlan) -> [(row: Row, list: RowList, isTable: Bool)] {
    items(of: plan).flatMap { item -> [(row: Row, list: RowList, isTable: Bool)] in
      switch item {
      case .list(let list): list.rows.map { ($0, list, false) }
      case .table(let table): table.list.rows.map { ($0, table.list, true) }
      default: []
      }
    }
  }

  /// The texts of the visible screen, below what the app says on every screen, and of what is asked.
  private static func text(of core: RemoteCore, _ news: News = News()) throws -> String {
    let screen = try #require(core.document.visible.first)
    let description = try #require(core.description)
    let plans = [core.document.app, screen].compactMap(\.self)
      .map { text(of: ScreenPlan(of: $0, description)) }
    let questions = core.document.prompts.map { text(of: Question($0, description)) }
    let messages = news.messages.flatMap { [$0.text] + $0.buttons.map(\.title) }
    return (plans + questions + messages).joined(separator: "\n")
  }

  private static func text(of question: Question) -> String {
    ([question.title, question.message] + question.fields.map(\.hint)
      + question.buttons.map(\.title)).joined(separator: "\n")
  }

  private static func text(of plan: ScreenPlan) -> String {
    ([plan.title, plan.subtitle ?? ""] + plan.items.flatMap { texts(of: $0) })
      .joined(separator: "\n")
  }

  /// What a view draws of a row, in its order.
  private static func text(of row: Row) -> String {
    (row.leading + row.lines + row.trailing).map { piece in
      switch piece {
      case .picture(let picture): picture.alt
      case .title(let text), .subtitle(let text), .details(let text), .badge(let text),
        .accessory(let text):
        text
      case .mark(let mark): mark.title
      case .progress: "━"
      }
    }
    .joined(separator: " ")
  }

  private static func texts(of row: Row, _ list: RowList) -> [String] {
    let below = (list.parts[row.id]?.items ?? []) + list.lists(in: row).map { .list($0) }
    return [text(of: row)] + below.flatMap { texts(of: $0) }
  }

  private static func texts(of item: ScreenPlan.Item) -> [String] {
    switch item {
    case .editor(let editor):
      let content = editor.port.role == .choice ? editor.choice : editor.text
      let choices = editor.port.role == .choice ? editor.choices.map(\.title) : []
      let text = "\(editor.port.title): \(editor.port.isSecret ? "" : content)"
      return [text, editor.field.error ?? ""] + choices
    case .file(let picker): return [picker.port.title]
    case .form(let form): return [form.port.title] + form.texts.map(\.hint)
    case .line(_, let title, let text): return ["\(title): \(text)"]
    case .richText(_, let text): return text.blocks.map { $0.runs.map(\.text).joined() }
    case .code(_, let text): return [text]
    case .picture(_, let picture): return [picture.alt]
    case .chart(_, let title, let points): return [title] + points.map { "\($0.label) \($0.value)" }
    case .table(let table):
      return [table.list.title, table.columns.map(\.title).joined(separator: " ")]
        + table.list.rows.map { row in
          table.columns.map { table.text(row, $0) }.joined(separator: " ")
        }
    case .work(_, let title, _, let text): return ["… \(title) \(text)"]
    case .notice(_, let text, let buttons): return [text] + buttons.map(\.title)
    case .list(let list):
      let groups = list.groups.flatMap { group in
        [group.title] + group.rows.flatMap { texts(of: $0, list) }
      }
      return [list.title] + groups
    case .part(_, let plan): return [text(of: plan)]
    case .button(let button): return ["[\(button.title)] \(button.reason)"]
    }
  }
}
