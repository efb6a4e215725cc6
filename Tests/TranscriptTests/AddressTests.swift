import OffstageHost
import ShowcaseProgram
import Testing

@testable import Offstage
@testable import OffstageTesting
@testable import Showcase

/// The links of the app lead to screens, and these name the links.
@Suite @CoreActor struct AddressTests {
  /// An example of each link.
  private nonisolated static let addresses = [
    ("map", "map"), ("explore", "explore"), ("chats", "chats"), ("pokedex", "pokedex"),
    ("library", "library"), ("profile", "profile"),
    ("map/all", "allPlaces"), ("map/place/18", "placeDetail"), ("explore/cooks", "categoryList"),
    ("chats/mina", "chat"), ("avatars/mina", "chat"), ("chats/a%2Fb%20%3F", "chat"),
    ("pokedex/25", "pokemonDetail"),
    ("library/signal", "titleDetail"), ("profile/settings", "settings"),
    ("profile/edit", "editProfile"),
  ].map { ("showcase://\($0.0)", $0.1) }

  @Test(arguments: addresses) func addressLeadsToTheSameScreen(url: String, kind: String)
    async throws
  {
    let first = try await open(url)
    #expect(first.screen.kind == kind)
    #expect(first.screen.url == url)
    let second = try await open(try #require(first.screen.url))
    #expect(second.screen.route == first.screen.route)
    #expect(second.tab == first.tab)
  }

  @Test func everyLinkHasAnExample() throws {
    let links = try TestHost(Program.showcase, ["--deterministic"]).session.core.app.links
    let missing = links.filter { link in !Self.addresses.contains { link.match($0.0) != nil } }
    #expect(missing.map(\.pattern) == [])
  }

  /// Opens a URL in a new core, as a user who is signed in.
  private func open(_ url: String) async throws -> (screen: ScreenNode, tab: String?) {
    let host = try TestHost(Program.showcase, ["--deterministic"])
    let core = host.session.core
    try core.start()
    // The session is loaded before links open.
    _ = try await host.settle()
    let scope = try #require(core.scope?.part as? AppScope)
    scope.session.show(Account(id: 1, name: "Kim", email: "kim@example.com"))
    try core.open(url)
    let id = try #require(core.navigation.visibleScreen)
    return (try #require(core.screen(id)), core.navigation.selectedTab)
  }
}
