import OffstageJSON
import TestSupport
import Testing

@testable import Offstage
@testable import OffstageHost

/// An app with a language and an appearance of its own.
@Suite @CoreActor struct DisplayTests {
  final class Settings: Scope {
    struct Input: Ports {
      let languagePicked = In<String?>()
      let darkPicked = In<Bool?>()
    }
    struct Output: Ports { let title = Out("") }
    let input = Input(), output = Output(), effects = Effects()
    private let display = Display()

    init() {
      display.bindLanguage(to: input.languagePicked.map { $0.flatMap { LanguageTag($0) } })
      display.bindAppearance(isDark: input.darkPicked)
      output.title.derive { [display] in
        display.locale.language.language == "ko" ? "설정" : "Settings"
      }
    }
  }

  final class Home: Screen {
    static let kind = "home"
    struct Input: Ports {}
    struct Output: Ports {}
    let input = Input(), output = Output(), effects = Effects()
  }

  private static let program = Program("display", version: "1.0") { _ in
    App(
      root: .stack(Route(Home.self)), scope: ScreenFactory(Settings.self) { _ in Settings() },
      labels: { _, language in Label(language.language == "ko" ? "홈" : "Home") },
      screens: [ScreenFactory(Home.self) { _ in Home() }])
  }

  @Test func appSetsItsLanguageAndItsAppearance() async throws {
    let session = try Self.program.makeSession(["--deterministic"])
    let talk = try await Conversation(in: Self.program)
    let schema = try #require(session.publisher.schemaHash)
    let picked = { (id: Int, name: String, value: String) in
      call(id, "input", #"{"screen":"app","name":"\#(name)Picked","value":\#(value)}"#)
    }
    await talk.check(
      [picked(1, "dark", "true")],
      [
        #"frame 2 by 1 [{"op":"add","path":"/display","value":{"language":null,"appearance":"dark"}}]"#,
        #"1: {"revision":2}"#,
      ])
    let lines = await talk.send(picked(2, "language", #""ko""#))
    #expect(lines.first?.contains(#""/display/language","value":"ko""#) == true, "\(lines)")
    #expect(lines.first?.contains("설정") == true, "\(lines)")
    #expect(lines.first?.contains(#"schema "\#(schema)""#) == true, "\(lines)")
    #expect(try await title(talk) == "홈")
    // The front end's word does not take its place.
    _ = await talk.send(
      call(
        3, "initialize", #"{"protocol":1,"locale":"en-GB","resume":{"session":"0","revision":3}}"#))
    #expect(try await title(talk) == "홈")
    _ = await talk.send(picked(4, "language", "null"))
    #expect(try await title(talk) == "Home")
    #expect(talk.session.core.userLocale.language == "en-GB")
    _ = await talk.send(picked(5, "dark", "null"))
    #expect(talk.replica.document["display"] == nil)
    await talk.checkReplica()
  }

  /// The title of the screen in the description.
  private func title(_ talk: Conversation) async throws -> String? {
    let document = try OpenRPC.document(
      of: talk.session.core.app, talk.session.app, language: talk.session.core.userLocale.language)
    return document["x-screens"]?["home"]?["title"]?.string
  }
}
