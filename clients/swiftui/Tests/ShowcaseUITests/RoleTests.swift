import Foundation
import OffstageClient
import Testing

@testable import ShowcaseUI

/// What a person sees of every screen of the conformance app, `Tests/Apps/Meanings`.
@MainActor
@Suite struct RoleTests {
  /// A row of `table.json`.
  struct Case: Sendable, CustomTestStringConvertible {
    let role: String
    let screen: String
    let send: [(name: String, value: Value)]
    let shows: [String]
    let hides: [String]

    init(_ row: Value) {
      func texts(_ name: String) -> [String] { row[name].array?.compactMap(\.string) ?? [] }
      (role, screen) = (row["role"].string ?? "", row["screen"].string ?? "")
      send = (row["send"].array ?? []).map { pair in
        (pair.array?.first?.string ?? "", pair.array?.last ?? .null)
      }
      (shows, hides) = (texts("shows"), texts("hides"))
    }

    var testDescription: String { "\(role) of \(screen) after \(send.map(\.name))" }
  }

  /// The roles that the app draws as such. It writes numbers, times, and rich text as they are, and
  /// shows no events.
  nonisolated static let roles: Set = [
    "title", "subtitle", "busy", "failure", "stale", "notice", "progress", "empty", "more", "hidden",
    "section", "sections", "trigger", "row", "destructive", "search", "visibleBy", "condition",
    "options", "selection", "cancel",
  ]

  nonisolated static let environment = ProcessInfo.processInfo.environment
  nonisolated static let root = URL(filePath: #filePath)
    .appending(path: "../../../../..").standardizedFileURL

  nonisolated static var cases: [Case] {
    let file = root.appending(path: "Tests/Apps/Meanings/table.json")
    guard let data = try? Data(contentsOf: file),
      let rows = try? JSONDecoder().decode([Value].self, from: data)
    else { return [] }
    return rows.map { Case($0) }
      .filter { roles.contains($0.role) && !$0.send.contains { $0.name == "shout" } }
  }

  @Test(.enabled(if: environment["MEANINGS"] != nil), arguments: cases)
  func roleIsDrawn(_ row: Case) async throws {
    let path = try #require(Self.environment["MEANINGS"])
    let core = RemoteCore { try ProcessTransport(path, ["--deterministic"]) }
    try await core.start()
    if row.screen != "app" { _ = try await core.selectTab(row.screen) }
    let screen = try #require(
      row.screen == "app" ? core.document.app : core.document.visible.first)
    for (name, value) in row.send { try await screen.input(name, value, settle: true) }
    let text = try Self.text(of: core)
    #expect(row.shows.filter { !text.contains($0) } == [], "\(text)")
    #expect(row.hides.filter { text.contains($0) } == [], "\(text)")
    await core.close()
  }

  @Test func tableIsRead() {
    #expect(Self.cases.count > 35)
  }

  @Test func unknownRoleIsDrawnByItsType() async throws {
    let odd = Self.root.appending(path: "clients/python/tests/odd.py").path
    let core = RemoteCore { try ProcessTransport("/usr/bin/env", ["python3", odd]) }
    try await core.start()
    let screen = try #require(core.document.visible.first)
    let text = try Self.text(of: core)
    #expect(text.contains("Mood: Cheerful"))
    #expect(text.contains("Violet"))
    #expect(text.contains("[Dream]"))
    #expect(text.contains("Tune: "))
    try await screen.input("dream", settle: true)
    #expect(try Self.text(of: core).contains("Mood: Dreamy"))
    await core.close()
  }

  /// The texts of the visible screen, below what the app says on every screen.
  private static func text(of core: RemoteCore) throws -> String {
    let screen = try #require(core.document.visible.first)
    let description = try #require(core.description)
    return [core.document.app, screen].compactMap(\.self)
      .map { text(of: ScreenPlan(of: $0, description[$0])) }.joined(separator: "\n")
  }

  private static func text(of plan: ScreenPlan) -> String {
    let lines = plan.items.flatMap { item -> [String] in
      switch item {
      case .editor(let editor):
        ["\(editor.port.title): \(editor.port.isSecret ? "" : editor.field.text)", editor.field.error ?? ""]
      case .line(_, let title, let text): ["\(title): \(text)"]
      case .work(_, let title, _, let text): ["\(title) \(text)"]
      case .notice(_, let text, let buttons): [text] + buttons.map(\.port.title)
      case .list(let list):
        [list.title]
          + list.groups.flatMap { group in
            [group.title] + group.rows.map { "\($0.title) \($0.detail)" }
          }
      case .button(let button): ["[\(button.port.title)]"]
      }
    }
    return ([plan.title, plan.subtitle ?? ""] + lines).joined(separator: "\n")
  }
}
