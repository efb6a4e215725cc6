import Offstage
import OffstageHost
import Showcase
import Testing

@testable import OffstageTesting

/// A screen that closes leaves the memory, with everything that it has started.
@Suite @CoreActor struct ReleaseTests {
  /// The screens that need an argument, and those with inputs that start work.
  private nonisolated static let steps = [
    ("map", ["didAppear", "placeTapped 18"]),
    ("placeSearch", [#"queryText "palace""#, "advance 300"]),
    (#"placeDetail {"id":18}"#, []),
    ("explore", ["didAppear", "categoryTapped \"cooks\"", "advance 86400000"]),
    (#"categoryList {"category":"cooks"}"#, []),
    ("chats", ["didAppear"]),
    (#"chat {"avatarId":"mina"}"#, []),
    ("pokedex", ["didAppear", "reachedEnd", #"searchText "mew""#, "advance 300"]),
    (#"pokemonDetail {"id":25}"#, []),
    ("library", ["didAppear"]),
    (#"titleDetail {"key":"signal"}"#, ["playTapped", "advance 1000"]),
    ("profile", ["didAppear"]),
    (
      #"editProfile {"account":{"id":1,"name":"Kim","email":"k@x","picture":"cooks","image":""}}"#,
      []
    ),
    ("settings", ["didAppear"]),
    ("signUp", [#"nameText "Kim""#, #"emailText "kim@example.com""#, "confirm"]),
    (
      #"customModal {"title":"Hi","subtitle":"","primaryButton":"Yes","secondaryButton":"No"}"#, []
    ),
  ]

  /// These, and every other kind of screen as it starts.
  private static func roots() throws -> [(String, [String])] {
    let named = Set(steps.map { kind(of: $0.0) })
    let kinds = try CoreBuilder.app(.stored()).screens.map(\.kind)
    return steps + kinds.filter { !named.contains($0) }.map { ($0, []) }
  }

  @Test(arguments: try await roots()) func closedScreensAreReleased(
    _ root: String, _ steps: [String]
  )
    async throws
  {
    let front = try await Front(root, language: "en")
    for step in steps { try await front.take(step) }
    let core = front.host.session.core
    let screens = core.openScreens.map { (kind: $0.kind, part: Weak($0.part)) }
    #expect(screens.first?.kind == Self.kind(of: root))
    _ = try await front.host.close()
    // A canceled effect releases its closure in a turn of its own.
    for _ in 1...100 { await Task.yield() }
    #expect(screens.filter { $0.part.object != nil }.map(\.kind) == [])
  }

  private static func kind(of root: String) -> String { String(root.prefix { $0 != " " }) }

  private struct Weak {
    weak var object: AnyObject?

    init(_ object: AnyObject?) { self.object = object }
  }
}
