import Foundation
import OffstageClient
import Testing

@testable import ShowcaseUI

/// Tests the controls of objects, dates, and times, with the form of the app of all meanings.
@MainActor
@Suite(.enabled(if: Programs.meanings != nil)) struct FormTests {
  private func withForm(
    _ body: @MainActor (RemoteCore, [ScreenPlan.Item]) async throws -> Void
  ) async throws {
    let path = try #require(Programs.meanings)
    let core = RemoteCore { try ProcessTransport(path, ["--deterministic"]) }
    try await core.start()
    try await core.selectTab("form")
    let screen = try #require(core.document.visible.first)
    let description = try #require(core.description)
    try await body(core, ScreenPlan(of: screen, description).items)
    await core.close()
  }

  @Test func anObjectIsTypedMemberByMember() async throws {
    try await withForm { core, items in
      let forms = items.compactMap { if case .form(let form) = $0 { form } else { nil } }
      let seats = try #require(forms.first { $0.port.name == "seatsChanged" })
      #expect(seats.texts.map(\.hint) == ["Count"])
      seats.send(["count": "3"])
      try await core.settle()
      #expect(core.document.visible.first?["seats"]["count"] == 3)
      seats.send(["count": "many"])
      try await core.settle()
      #expect(core.problem?.contains("-32602") == true)
    }
  }

  @Test(arguments: [
    ("birthday", Moment.date, "2000-01-01", "2024-02-29"), ("alarm", .time, "07:00", "23:59"),
    ("due", .dateTime, "2026-01-01T00:00:00Z", "2026-03-01T12:30:00Z"),
  ])
  func aMomentIsPicked(_ name: String, _ kind: Moment, _ old: String, _ new: String) async throws {
    try await withForm { core, items in
      let editors = items.compactMap {
        if case .editor(let editor) = $0 { editor } else { nil }
      }
      let editor = try #require(editors.first { $0.port.name == name })
      let moment = try #require(editor.moment)
      #expect(moment.kind == kind)
      #expect(moment.date == kind.date(old))
      editor.moment = (kind, try #require(kind.date(new)))
      try await core.settle()
      #expect(editor.field.error == nil)
      #expect(editor.moment?.date == kind.date(new))
      #expect(core.problem == nil)
      // A text that names no moment is typed.
      editor.field.value = "soon"
      #expect(editor.moment == nil)
    }
  }

  @Test(arguments: ["24:00", "7", "12:60", "", "a:b"])
  func aTimeIsOneOfTheDay(_ text: String) { #expect(Day.time(text) == nil) }
}
