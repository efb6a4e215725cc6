import Offstage
import OffstageHost
import Testing

@testable import OffstageTesting

/// A front end that takes over may speak another language: every open screen follows.
@Suite @CoreActor struct LateLanguageTests {
  @Test(arguments: [
    (#"map"#, ["didAppear", "placeTapped 18"]),
    (#"placeSearch"#, [#"queryText "palace""#, "advance 300"]),
    (#"placeDetail {"id":18}"#, []),
    (#"placeDetail {"id":999999}"#, []),
    (#"explore"#, ["didAppear"]),
    (#"categoryList {"category":"cooks"}"#, []),
    (#"chat {"avatarId":"mina"}"#, []),
    (#"chat {"avatarId":"nobody"}"#, []),
    (#"createAccount"#, []),
    (#"pokedex"#, ["didAppear", "reachedEnd", #"searchText "mew""#, "advance 300"]),
    (#"pokemonDetail {"id":25}"#, []),
    (#"library"#, ["didAppear"]),
    (#"titleDetail {"key":"signal"}"#, ["playTapped", "advance 1000", "pauseTapped"]),
    (#"profile"#, ["didAppear"]),
    (#"settings"#, ["didAppear"]),
  ])
  func lateLanguageShowsEverywhere(_ root: String, _ steps: [String]) async throws {
    let late = try await Front(root, language: "en")
    for step in steps { try await late.take(step) }
    let english = try await late.state()
    late.host.session.core.frontEndLocale.language = "ko"
    let korean = try await Front(root, language: "ko")
    for step in steps { try await korean.take(step) }
    let expected = try await korean.state()
    #expect(try await late.state() == expected)
    // The profile and the settings of a guest have no text.
    #expect(["profile", "settings"].contains(root) || english != expected)
    _ = try await late.host.close()
    _ = try await korean.host.close()
  }
}
