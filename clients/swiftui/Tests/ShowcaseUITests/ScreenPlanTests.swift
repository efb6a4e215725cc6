import Foundation
import OffstageClient
import Testing

@testable import ShowcaseUI

/// Tests the logic below the views with a core in its own process.
@MainActor
@Suite struct ScreenPlanTests {
  private func core(_ root: String) async throws -> RemoteCore {
    let path = try #require(Programs.showcase)
    let core = RemoteCore { try ProcessTransport(path, ["--deterministic", "--root", root]) }
    try await core.start()
    try await core.settle()
    return core
  }

  private func plan(_ core: RemoteCore) throws -> ScreenPlan {
    let screen = try #require(core.document.visible.first)
    return ScreenPlan(of: screen, try #require(core.description))
  }

  @Test func formHasItsFieldsAndButtons() async throws {
    let core = try await core("signUp")
    let before = try plan(core)
    #expect(before.title == "Sign up")
    #expect(
      before.items.map(\.id) == [
        "editor nameText", "editor emailText", "button confirm", "button cancel",
      ])
    guard case .editor(let name) = before.items[0], case .editor(let email) = before.items[1],
      case .button(let confirm) = before.items[2]
    else { return }
    #expect(!confirm.isEnabled)
    name.field.text = "Kim"
    email.field.text = "kim@example.com"
    try await core.settle()
    #expect(confirm.isEnabled)
    await core.close()
  }

  @Test func aTextThatIsLeftSaysWhatIsWrongWithIt() async throws {
    let core = try await core("signUp")
    let editors = try plan(core).items.compactMap {
      if case .editor(let editor) = $0 { editor } else { nil }
    }
    try #require(editors.count == 2)
    editors[0].text = "Kim"
    try await core.settle()
    #expect(editors[1].field.error == nil)
    editors[1].leave()
    try await core.settle()
    #expect(editors[1].field.error != nil)
    await core.close()
  }

  @Test func rowIsTapped() async throws {
    let core = try await core("pokedex")
    let plan = try plan(core)
    let lists = plan.items.compactMap { if case .list(let list) = $0 { list } else { nil } }
    let list = try #require(lists.first { $0.name == "pokemon" })
    #expect(list.rows.allSatisfy(list.isTappable))
    #expect(list.rows.first?.title == "Bulbasaur")
    // What only the bar, an input, or a list shows has no item of its own.
    #expect(plan.items.allSatisfy { !$0.id.hasSuffix("canRetry") && !$0.id.hasSuffix("hasMore") })
    #expect(!plan.items.contains { $0.id == "button retry" })
    list.tap(try #require(list.rows.first))
    let detail = try await core.wait(for: PokemonDetailScreen.self)
    Steps(core: core).shorten(core.document.navigation.stack, to: ["1"])
    try await core.until { core.document.navigation.stack == ["1"] }
    #expect(!detail.screen.isOpen)
    await core.close()
  }

  @Test func aChatOpensAtItsNewestMessage() async throws {
    for (root, opensAtEnd) in [(#"chat {"avatarId":"mina"}"#, true), ("pokedex", false)] {
      let core = try await core(root)
      #expect(try plan(core).opensAtEnd == opensAtEnd)
      await core.close()
    }
  }

  @Test func everyKindOfScreenHasADescription() async throws {
    let core = try await core("signUp")
    let description = try #require(core.description)
    for kind in AppSchema.screens.map({ $0.kind }) where kind != "app" {
      let ports = description[kind].inputs + description[kind].outputs
      #expect(!description[kind].title.isEmpty && !ports.isEmpty, "\(kind)")
    }
    #expect(core.handshake?.schema == AppSchema.hash)
    await core.close()
  }

  @Test func buttonHasAWeight() async throws {
    func button(_ weight: Value) -> Value {
      ["type": "null", "x-role": "trigger", "x-weight": weight]
    }
    let fake = FakeCore(
      [
        "inputs": [
          "go": button("main"), "wipe": button("destructive"), "back": button("cancel"),
          "wave": ["type": "null", "x-role": "trigger"], "odd": button("heavy"),
        ]
      ], output: [:])
    let (core, _) = try await fake.start()
    let buttons = try plan(core).items.compactMap {
      if case .button(let button) = $0 { button } else { nil }
    }
    #expect(buttons.map(\.port.name) == ["go", "wipe", "back", "wave", "odd"])
    #expect(buttons.map(\.weight) == [.main, .destructive, .cancel, nil, nil])
    await core.close()
  }

  @Test func pictureHasATextForThoseWhoDoNotSeeIt() async throws {
    let image: Value = ["type": "string", "contentMediaType": "image/*", "x-picture": "poster"]
    let face: Value = [
      "type": "object",
      "properties": ["face": image, "text": ["type": "string", "x-role": "alt"]],
    ]
    let titles: [(name: String, value: Value)] = [("title", "Cover")]
    let fake = FakeCore(
      [
        "outputs": [
          "cover": Value(members: (image.members ?? []).map { ($0.name, $0.value) } + titles),
          "hero": face, "villain": face, "sidekick": face,
        ]
      ],
      output: [
        "cover": "resource:cover", "hero": ["face": "resource:hero", "text": "A man with a hat"],
        "villain": ["face": "resource:villain", "text": ""], "sidekick": nil,
      ])
    let (core, _) = try await fake.start()
    let pictures = try plan(core).items.compactMap {
      if case .picture(_, let picture) = $0 { picture } else { nil }
    }
    #expect(
      pictures == [
        Picture(uri: "resource:cover", use: "poster", alt: "Cover"),
        Picture(uri: "resource:hero", use: "poster", alt: "A man with a hat"),
        Picture(uri: "resource:villain", use: "poster", alt: "villain"),
      ])
    await core.close()
  }
}
